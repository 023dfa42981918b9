// The behaviour of a session during silence, and as time passes.
#include "support/session_hand.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::net::test {
namespace {

int frames_in(const std::string& written, FrameType type) {
  int count = 0;
  const auto bytes = std::as_bytes(std::span(written));
  for (std::size_t at = 0; at < bytes.size();) {
    const FrameHeader header = read_frame_header(bytes.data() + at);
    count += header.type == static_cast<std::uint8_t>(type);
    at += frame_header_bytes + header.length;
  }
  return count;
}
int acknowledgements_in(const std::string& written) {
  return frames_in(written, FrameType::acknowledge);
}

// Returns the number of pings in a span in which the peer does `often` again and again.
int pings_during(Duration span, Hand& hand, Duration often) {
  int pings = 0;
  const Time end = hand.now + span;
  for (Time next = hand.now + often; hand.now < end;) {
    hand.now = std::min(next, std::max(hand.now + 1ms, hand.session.next_time()));
    hand.session.on_time(hand.now);
    if (hand.now == next) {
      hand.send(FrameType::ping, [](FrameWriter& out) { out.word(7); });
      next += often;
    }
    pings += frames_in(hand.taken(), FrameType::ping);
  }
  return pings;
}

BOOST_AUTO_TEST_SUITE(session_time)

BOOST_AUTO_TEST_CASE(who_has_dialled_answers_pings_and_asks_only_when_none_come) {
  Hand hand;
  hand.open();
  BOOST_TEST(frames_in(hand.taken(), FrameType::ping) == 1);
  BOOST_TEST(pings_during(10s, hand, 500ms) <= 1);
  BOOST_TEST(pings_during(3s, hand, 3s) >= 3);
}

BOOST_AUTO_TEST_CASE(memory_is_given_back_when_all_has_arrived) {
  Hand hand;
  hand.open();
  const Content content(std::string(1000, 'x'));
  for (int i = 0; i < 90; ++i) hand.session.send({}, content);
  hand.taken();
  const std::size_t busy = hand.session.memory();
  hand.send(FrameType::acknowledge, [](FrameWriter& out) { out.number(90); });
  BOOST_TEST(busy >= 90'000u);
  pings_during(2s, hand, 3s);
  BOOST_TEST(hand.session.memory() < busy / 4);
}

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

BOOST_AUTO_TEST_CASE(who_has_no_connection_is_gone_sooner_than_who_is_silent) {
  SessionOptions options;
  options.give_up = 4s;
  options.give_up_detached = 2s;
  Hand hand(options);
  hand.open();
  BOOST_TEST((hand.session.gone_at() == hand.now + 4s));
  hand.now += 1s;
  hand.session.detach({Reason::broken, ""}, hand.now);
  BOOST_TEST((hand.session.gone_at() == hand.now + 2s));
  hand.open();
  BOOST_TEST((hand.session.gone_at() == hand.now + 4s));
  hand.now += 3s;
  hand.session.detach({Reason::broken, ""}, hand.now);
  BOOST_TEST((hand.session.gone_at() == hand.now + 1s));
}

BOOST_AUTO_TEST_CASE(who_was_given_up_and_is_back_may_be_gone_again) {
  Hand hand;
  hand.open();
  hand.session.detach({Reason::silent, ""}, hand.now);
  hand.session.give_up({Reason::silent, ""}, 2);
  BOOST_TEST((hand.session.gone_at() == Time::max()));
  hand.attach();
  BOOST_TEST((hand.session.gone_at() == hand.now + hand.options.give_up));
}

BOOST_AUTO_TEST_CASE(a_quick_conversation_is_acknowledged_now_and_then_and_its_last_word_soon) {
  Hand hand;
  hand.open();
  hand.taken();
  int said = 0;
  for (int i = 0; i < 40; ++i, hand.now += 500us) {  // 20 ms
    hand.message(10);
    hand.session.send({}, Content("a"));
    const int now = acknowledgements_in(hand.taken());
    if (i == 0) BOOST_TEST(now == 1);
    said += now;
  }
  BOOST_TEST(said == 4);  // 4 acknowledgements for 40 messages
  hand.message(10);
  BOOST_TEST(acknowledgements_in(hand.taken()) == 0);
  hand.now += hand.options.acknowledge;
  hand.session.on_time(hand.now);
  BOOST_TEST(acknowledgements_in(hand.taken()) == 1);
}

BOOST_AUTO_TEST_CASE(who_asks_is_told_at_once_what_has_come) {
  Hand hand;
  hand.open();
  for (int i = 0; i < 2; ++i) {  // the first is acknowledged with the next frame
    hand.message(10);
    hand.session.send({}, Content("a word"));
    (void)hand.taken();
  }
  hand.send(FrameType::ping, [](FrameWriter& out) { out.word(7); });
  BOOST_TEST(acknowledgements_in(hand.taken()) == 1);
}

BOOST_AUTO_TEST_CASE(it_hurries_the_peer_once_and_only_when_something_is_not_acknowledged) {
  Hand hand;
  hand.open();
  (void)hand.taken();
  hand.session.hurry();
  BOOST_TEST(frames_in(hand.taken(), FrameType::ping) == 0);
  hand.session.send({}, Content("a word"));
  hand.send(FrameType::pong, [](FrameWriter& out) { out.word(1); });  // to the first ping
  (void)hand.taken();
  hand.session.hurry();
  BOOST_TEST(frames_in(hand.taken(), FrameType::ping) == 1);
  hand.session.hurry();
  BOOST_TEST(frames_in(hand.taken(), FrameType::ping) == 0);
}

BOOST_AUTO_TEST_CASE(much_is_acknowledged_with_the_next_word) {
  Hand hand;
  hand.open();
  hand.taken();
  for (int i = 0; i < 8; ++i) {
    hand.message(3000);
    hand.session.send({}, Content("a"));
    BOOST_TEST(acknowledgements_in(hand.taken()) == (i % 2 == 0));
  }
}

BOOST_AUTO_TEST_CASE(a_write_that_makes_no_end_is_given_up) {
  Hand hand;
  hand.open();
  hand.taken();
  hand.session.send({}, Content("a"));
  BOOST_TEST(!hand.session.take(hand.now).empty());
  for (int i = 0; i < 11; ++i) {
    hand.now += 1s;
    hand.send(FrameType::pong, [](FrameWriter& out) { out.word(0); });
    hand.session.on_time(hand.now);
  }
  BOOST_REQUIRE(hand.session.closing().has_value());
  BOOST_TEST((hand.session.closing()->reason == Reason::stalled));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
