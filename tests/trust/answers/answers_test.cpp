// Members that reply late or never, and members that send more requests than they need.
#include "member.hpp"

#include <boost/test/unit_test.hpp>

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
        (void)co_await me.receive();
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
  std::uint64_t serial = 0;
  Lab lab;
  LeaseId eve = lab.join();
  Incarnation life = lab.claim(eve, "eve");
};

}  // namespace

BOOST_AUTO_TEST_SUITE(answers)

BOOST_FIXTURE_TEST_CASE(who_answers_late_is_waited_for_no_longer_than_others, Listener) {
  begin();
  lab.run(4850ms);
  answer(eve, asked(eve).at(0));
  BOOST_TEST_REQUIRE(took.size() == 1U);
  begin();
  lab.run(5s);
  BOOST_TEST_REQUIRE(took.size() == 2U);
  BOOST_TEST((took[1] <= 5s));
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
  BOOST_TEST((took[3] >= 5s));
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
    lab.transport().feed(who, Frame(peek_frame).number(++serial).text("spy").bytes(), {});
  };
  for (int time = 0; time < 2000; ++time) look(eve);
  look(ann);
  lab.run();
  BOOST_TEST(lab.count(eve, peeked_frame) == 16U);
  BOOST_TEST(lab.count(eve, denied_frame) == 2000U - 16U);
  BOOST_TEST(lab.count(ann, peeked_frame) == 1U);
  BOOST_TEST(!lab.is_refused(eve));  // an honest node may have many agents that look
  lab.run(1s);
  for (int time = 0; time < 17; ++time) look(eve);
  lab.run();
  BOOST_TEST(lab.count(eve, peeked_frame) == 32U);
}

// Most of the replies that wait for the member are not read.
BOOST_FIXTURE_TEST_CASE(who_does_not_read_answers_gets_no_more_of_them, Listener) {
  const auto look = [&] { lab.send(eve, Frame(peek_frame).number(++serial).text("spy").bytes()); };
  lab.transport().has_room = false;
  look();
  BOOST_TEST(lab.count(eve, peeked_frame) == 1U);
  look();
  BOOST_TEST(lab.count(eve, peeked_frame) == 1U);
  BOOST_TEST(lab.count(eve, denied_frame) == 1U);
  lab.send(eve, Frame(greeting_frame).number(1).byte(0).bytes());
  BOOST_TEST(lab.count(eve, denied_frame) == 2U);
  lab.transport().has_room = true;
  lab.transport().make_room(eve);
  lab.run();
  look();
  BOOST_TEST(lab.count(eve, peeked_frame) == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
