// What a session makes of silence, and of time that passes.
#include "support/session_hand.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::net::test {
namespace {

BOOST_AUTO_TEST_SUITE(session_time)

BOOST_AUTO_TEST_CASE(silence_is_suspicious_after_a_while_and_any_word_ends_the_suspicion) {
  Hand hand;
  hand.open();
  hand.taken();
  for (int i = 0; i < 30 && hand.counts.suspected == 0; ++i) {
    hand.now = std::max(hand.now, hand.session.next_time());
    hand.session.on_time(hand.now);
    hand.taken();
  }
  BOOST_TEST(hand.counts.suspected == 1u);
  BOOST_TEST((hand.now - Time(10s) > 3500ms));
  BOOST_TEST((hand.now - Time(10s) < 5s));
  hand.session.detach({Reason::silent, ""}, hand.now);
  hand.open();
  BOOST_TEST(hand.counts.trusted == 1u);
}

BOOST_AUTO_TEST_CASE(who_was_held_up_itself_accuses_nobody) {
  Hand hand;
  hand.open();
  hand.taken();
  hand.now += 60s;  // nothing was called in the meantime
  hand.session.on_time(hand.now);
  BOOST_TEST(hand.counts.suspected == 0u);
}

BOOST_AUTO_TEST_CASE(a_write_that_makes_no_end_is_given_up) {
  Hand hand;
  hand.open();
  hand.taken();
  hand.session.send(Lane::normal, {}, Content("a"));
  BOOST_TEST(!hand.session.take(hand.now).empty());
  for (int i = 0; i < 11; ++i) {
    hand.now += 1s;
    hand.say(FrameType::pong, [](WireWriter& writer) { writer.u64(0); });
    hand.session.on_time(hand.now);
  }
  BOOST_REQUIRE(hand.session.closing().has_value());
  BOOST_TEST((hand.session.closing()->reason == Reason::stalled));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
