// Members that reply late or never, and members that send more requests than they need.
#include "member.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

namespace coracle::trust {

using namespace detail;

namespace {

// An agent on this node that begins to overhear whenever it gets a message.
struct Listener {
  Listener() {
    lab.start("spy", [this](Agent& me) -> Task<> {
      std::vector<Tap> taps;
      for (;;) {
        const Message message = co_await me.receive();
        if (message.gap() != 0) {
          gaps.push_back(message.gap());
          continue;
        }
        const Time begun = me.now();
        Tap tap = co_await me.overhear(Pattern().target_is("nobody"));
        taps.push_back(std::move(tap));
        took.push_back(me.now() - begun);
      }
    });
  }
  void begin() {
    lab.send(eve,
             message({.target = "spy",
                      .source = "eve",
                      .life = lab.life_of("spy"),
                      .serial = ++serial,
                      .sequence = serial}),
             Content("now"));
  }
  // The tokens of the node's requests to that member.
  std::vector<std::uint64_t> asked(LeaseId member) const {
    std::vector<std::uint64_t> tokens;
    for (const auto& [to, frame] : lab.transport().sent) {
      FrameReader in(frame);
      if (to == member && in.byte() == tap_frame) tokens.push_back(in.number());
    }
    return tokens;
  }
  void answer(LeaseId member, std::uint64_t token) {
    lab.send(member, Frame(answer_frame).number(token).byte(0).bytes());
  }

  std::vector<Duration> took;
  std::vector<std::uint64_t> gaps;
  std::uint64_t serial = 0;
  Lab lab;
  LeaseId eve = lab.join();
  Incarnation life = lab.claim(eve, "eve");
};

// A new node that no longer waits for the replies of a member, which was there before it.
struct NewNode {
  NewNode() { lab.run(1s); }

  LeaseId eve = 0;
  Incarnation life;
  Lab lab{{}, nullptr, [this](Lab& early) {
            eve = early.join();
            life = early.claim(eve, "eve");
          }};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(answers)

BOOST_FIXTURE_TEST_CASE(who_usually_answers_late_is_waited_for_four_times_as_long, Listener) {
  begin();
  lab.run(150ms);
  answer(eve, asked(eve).at(0));
  BOOST_TEST_REQUIRE(took.size() == 1U);
  BOOST_TEST((took[0] < 250ms));
  begin();
  lab.run(2s);
  BOOST_TEST_REQUIRE(took.size() == 2U);
  BOOST_TEST((took[1] > 600ms));
  BOOST_TEST((took[1] < 1s));
}

// Of eight requests at once, a slow member replies to one each 200 ms.
BOOST_FIXTURE_TEST_CASE(who_replies_to_other_requests_is_waited_for, Listener) {
  constexpr std::size_t requests = 8;
  std::size_t begun = 0;
  lab.start("ears", [&begun](Agent& me) -> Task<> {
    const auto begin = [&]() -> Task<> {
      (void)co_await me.overhear(Pattern().target_is("nobody"));
      ++begun;
    };
    for (std::size_t number = 0; number < requests; ++number) me.spawn(begin());
    co_await me.pause(Deadline::never());
  });
  BOOST_TEST_REQUIRE(asked(eve).size() == requests);
  for (std::size_t number = 0; number < requests; ++number) {
    lab.run(150ms);
    BOOST_TEST(begun == number);
    answer(eve, asked(eve).at(number));
    BOOST_TEST(begun == number + 1);
  }
}

BOOST_FIXTURE_TEST_CASE(nobody_is_waited_for_longer_than_two_seconds, Listener) {
  for (std::size_t count = 0; count < 4; ++count) {
    begin();
    lab.run(3s);
    answer(eve, asked(eve).at(count));
    BOOST_TEST_REQUIRE(took.size() == count + 1);
    BOOST_TEST((took[count] <= 2s));
  }
}

// Messages that were sent before the late reply may not have been copied.
BOOST_FIXTURE_TEST_CASE(a_tap_that_a_member_learns_late_begins_with_a_gap_of_unknown_size,
                        Listener) {
  begin();
  lab.run(1s);
  begin();
  lab.run(1s);
  BOOST_TEST_REQUIRE(took.size() == 2U);
  BOOST_TEST(gaps.empty());
  for (const std::size_t which : {0, 1, 1}) answer(eve, asked(eve).at(which));
  BOOST_TEST(gaps == std::vector<std::uint64_t>(2, MessageView::unknown_gap));
  begin();
  answer(eve, asked(eve).at(2));
  BOOST_TEST(gaps.size() == 2U);
}

// A new node does not wait long for a mute member, and has perhaps sent messages before that
// member's taps come.
BOOST_FIXTURE_TEST_CASE(taps_that_a_new_node_learns_late_begin_with_a_gap_of_unknown_size,
                        NewNode) {
  BOOST_TEST_REQUIRE(lab.count(eve, greeting_frame) == 1U);
  const Bytes greeted = lab.last(eve, greeting_frame);
  FrameReader greeting(greeted);
  (void)greeting.byte();
  lab.send(eve, tap(0, 7, "eve", life));
  lab.send(eve, Frame(answer_frame).number(greeting.number()).byte(0).bytes());
  BOOST_TEST_REQUIRE(lab.count(eve, message_frame) == 1U);
  const Bytes gap = lab.last(eve, message_frame);
  const Bytes unknown = Frame(message_frame).number(largest_gap).number(7).bytes();
  const auto found = std::search(gap.begin(), gap.end(), unknown.begin() + 1, unknown.end());
  BOOST_TEST((found != gap.end()));
  lab.send(eve, tap(0, 8, "eve", life));
  BOOST_TEST(lab.count(eve, message_frame) == 1U);
}

// While the link was broken, the new node has perhaps sent messages.
BOOST_FIXTURE_TEST_CASE(taps_of_a_mute_member_whose_link_breaks_begin_with_a_gap_of_unknown_size,
                        NewNode) {
  lab.transport().lose(eve);
  lab.run();
  lab.transport().bring_back(eve);
  lab.run();
  lab.send(eve, tap(0, 7, "eve", life));
  BOOST_TEST(lab.count(eve, message_frame) == 1U);
  // A group does not miss a message because of a member whose pattern is not known.
  lab.send(eve, tap(0, 8, "eve", life, {}, "choir"));
  BOOST_TEST(lab.count(eve, message_frame) == 1U);
}

BOOST_FIXTURE_TEST_CASE(who_does_not_answer_is_waited_for_again_when_it_has_answered, Listener) {
  begin();
  lab.run(6s);
  BOOST_TEST_REQUIRE(took.size() == 1U);
  for (const std::uint64_t never_asked : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    answer(eve, never_asked);
    begin();
    lab.run(6s);
  }
  BOOST_TEST_REQUIRE(took.size() == 3U);
  BOOST_TEST((took[1] < 1s));
  BOOST_TEST((took[2] < 1s));
  answer(eve, asked(eve).at(0));  // for example, it was asleep
  begin();
  lab.run(6s);
  BOOST_TEST_REQUIRE(took.size() == 4U);
  BOOST_TEST((took[3] >= 2s));
  answer(eve, asked(eve).at(0));  // a second reply has no effect
  begin();
  lab.run(1s);
  BOOST_TEST(took.size() == 5U);
}

BOOST_FIXTURE_TEST_CASE(under_a_new_lease_all_taps_are_told_at_once, Listener) {
  for (std::size_t count = 0; count < 3; ++count) {
    begin();
    answer(eve, asked(eve).at(count));
  }
  BOOST_TEST_REQUIRE(took.size() == 3U);
  const LeaseId before = lab.transport().self();
  lab.end(before);
  lab.run(3s);
  BOOST_TEST(lab.transport().self() != before);
  BOOST_TEST(asked(eve).size() == 6U);
}

// A node greets once under a lease.
BOOST_FIXTURE_TEST_CASE(who_greets_again_and_again_hears_no_taps, Listener) {
  for (std::size_t count = 0; count < 3; ++count) {
    begin();
    answer(eve, asked(eve).at(count));
  }
  const LeaseId ann = lab.join();
  lab.send(ann, Frame(greeting_frame).number(1).byte(0).bytes());
  BOOST_TEST(asked(ann).size() == 3U);
  BOOST_TEST(lab.count(ann, answer_frame) == 1U);
  for (std::uint64_t token = 2; token <= 500; ++token)
    lab.transport().feed(ann, Frame(greeting_frame).number(token).byte(0).bytes(), {});
  lab.run();
  BOOST_TEST(asked(ann).size() <= 4 * 3U);
  BOOST_TEST(lab.count(ann, answer_frame) + lab.count(ann, denied_frame) == 500U);
  BOOST_TEST(!lab.is_refused(ann));
  for (std::uint64_t token = 501; token <= 1500; ++token)
    lab.transport().feed(ann, Frame(greeting_frame).number(token).byte(0).bytes(), {});
  lab.run();
  BOOST_TEST(lab.is_refused(ann));
}

BOOST_FIXTURE_TEST_CASE(who_looks_into_mailboxes_too_often_is_denied, Listener) {
  const LeaseId ann = lab.join();
  const auto look = [&](LeaseId who) {
    lab.transport().feed(who, Frame(look_frame).number(++serial).text("spy").bytes(), {});
  };
  for (int time = 0; time < 2000; ++time) look(eve);
  look(ann);
  lab.run();
  BOOST_TEST(lab.count(eve, inspection_frame) == 16U);
  BOOST_TEST(lab.count(eve, denied_frame) == 2000U - 16U);
  BOOST_TEST(lab.count(ann, inspection_frame) == 1U);
  BOOST_TEST(!lab.is_refused(eve));  // an honest node may have many agents that look
  lab.run(1s);
  for (int time = 0; time < 17; ++time) look(eve);
  lab.run();
  BOOST_TEST(lab.count(eve, inspection_frame) == 32U);
}

// Most of the replies that wait for the member are not read.
BOOST_FIXTURE_TEST_CASE(who_does_not_read_answers_gets_no_more_of_them, Listener) {
  const auto look = [&] { lab.send(eve, Frame(look_frame).number(++serial).text("spy").bytes()); };
  lab.transport().has_room = false;
  look();
  BOOST_TEST(lab.count(eve, inspection_frame) == 1U);
  look();
  BOOST_TEST(lab.count(eve, inspection_frame) == 1U);
  BOOST_TEST(lab.count(eve, denied_frame) == 1U);
  lab.send(eve, Frame(greeting_frame).number(1).byte(0).bytes());
  BOOST_TEST(lab.count(eve, denied_frame) == 2U);
  lab.transport().has_room = true;
  lab.transport().make_room(eve);
  lab.run();
  look();
  BOOST_TEST(lab.count(eve, inspection_frame) == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
