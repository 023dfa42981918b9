// Copies for eavesdroppers on other nodes, and copies that do not arrive.
#include "member.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>

namespace coracle::trust {

using namespace detail;

namespace {

const ContentKind broken_kind{
    .name = "broken",
    .value_offset = sizeof(ContentBlock),
    .block_bytes = sizeof(ContentBlock),
    .destroy = [](void*) noexcept {},
    .encode = [](const void*, std::vector<std::byte>&) { throw std::runtime_error("broken"); },
};

Content broken() {
  return Content::adopt(
      new (pool_allocate(broken_kind.block_bytes)) ContentBlock(8, &broken_kind));
}

// An eavesdropper on another node, and the agent that it overhears.
struct Overhearing {
  Overhearing() {
    const Incarnation life = lab.claim(eve, "eve");
    lab.send(eve, tap(1, 7, "eve", life, "ann"));
    lab.start("bob", [](Agent& me) -> Task<> {
      for (;;) (void)co_await me.receive();
    });
  }
  void send(Content first, Content second) {
    lab.start("ann", [first, second](Agent& me) -> Task<> {
      co_await me.send(Name("bob"), first);
      co_await me.pause(1s);
      co_await me.send(Name("bob"), second);
      co_await me.pause(Deadline::never());
    });
    lab.run(5s);
  }

  Lab lab;
  const LeaseId eve = lab.join();
};

}  // namespace

BOOST_AUTO_TEST_SUITE(overhearing)

// A gap replaces the copy, and the copies behind it arrive.
BOOST_FIXTURE_TEST_CASE(one_copy_that_cannot_be_encoded_keeps_back_no_others, Overhearing) {
  send(broken(), Content("hi"));
  BOOST_TEST(lab.count(eve, message_frame) == 2u);
}

BOOST_FIXTURE_TEST_CASE(gaps_are_told_when_there_is_room_again, Overhearing) {
  lab.transport().has_room = false;
  send(Content("one"), Content("two"));
  BOOST_TEST(lab.count(eve, message_frame) == 1u);  // the first fills its channel
  lab.transport().has_room = true;
  lab.transport().make_room(eve);
  lab.run();
  BOOST_TEST(lab.count(eve, message_frame) == 2u);
}

BOOST_FIXTURE_TEST_CASE(a_closed_tap_learns_what_it_missed_before, Overhearing) {
  lab.transport().has_room = false;
  send(Content("one"), Content("two"));
  lab.send(eve, Frame(no_tap_frame).number(7).bytes());
  lab.transport().has_room = true;
  lab.transport().make_room(eve);
  lab.run();
  BOOST_TEST(lab.count(eve, message_frame) == 2u);
  const Bytes gap = lab.last(eve, message_frame);
  const Bytes one = Frame(message_frame).number(1).number(7).bytes();
  const auto found = std::search(gap.begin(), gap.end(), one.begin() + 1, one.end());
  BOOST_TEST((found != gap.end()));
}

BOOST_FIXTURE_TEST_CASE(a_lease_has_as_many_taps_as_a_node_lets_its_agents_have, Overhearing) {
  const Incarnation life = lab.claim(eve, "mallory");
  for (std::uint64_t number = 8; number <= 8 + 16'384; ++number) {
    lab.send(eve, tap(number, number, "mallory", life, "nobody"));
  }
  lab.run(1s);
  BOOST_TEST(lab.count(eve, answer_frame) == 16'384u);
  BOOST_TEST(lab.count(eve, denied_frame) == 2u);
}

BOOST_AUTO_TEST_CASE(the_agents_of_a_node_have_no_more_patterns_than_other_nodes_take) {
  Lab lab;
  std::size_t open = 0;
  std::string refused;
  for (unsigned number = 0; number < 17; ++number) {
    lab.start("spy" + std::to_string(number), [&](Agent& me) -> Task<> {
      try {
        for (int pattern = 0; pattern < 1000; ++pattern) {
          (void)co_await me.overhear(Pattern().target_is("nobody"));
          ++open;
        }
      } catch (const Error& error) {
        refused = error.sentence();
      }
      co_await me.pause(Deadline::never());
    });
    lab.run(5s);
  }
  BOOST_TEST(open == 16'384u);
  BOOST_TEST(refused == "this node's agents overhear by 16384 patterns already; drop one first");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
