// The behaviour of a session, one thing at a time, also with a peer that breaks the rules.
#include "support/session_hand.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;

void closes(Reason reason, const std::function<void(Hand&)>& wrong) {
  Hand hand;
  hand.open();
  BOOST_REQUIRE(hand.session.is_open());
  hand.taken();
  wrong(hand);
  const Reason got = hand.reason();
  BOOST_TEST((got == reason), to_string(got) << " instead of " << to_string(reason));
  BOOST_TEST(hand.session.received(bytes_of("\x06"), hand.now) == 0u);  // nothing more is read
}

BOOST_AUTO_TEST_SUITE(session)

BOOST_AUTO_TEST_CASE(a_frame_that_breaks_the_rules_ends_the_connection_with_its_reason) {
  const auto nothing = [](WireWriter&) {};
  closes(Reason::unknown_frame, [&](Hand& it) { it.say(static_cast<FrameType>(99), nothing); });
  closes(Reason::unknown_frame, [&](Hand& it) { it.say(FrameType::hello, nothing); });
  closes(Reason::unknown_frame, [&](Hand& it) { it.say(FrameType::resume, nothing); });
  closes(Reason::oversize, [](Hand& it) {  // closes before the body has come
    it.session.received(bytes_of(std::string_view("\x10\xff\xff\xff", 4)), it.now);
  });
  closes(Reason::oversize, [](Hand& it) {
    it.say(FrameType::large, [](WireWriter& writer) { writer.varint(1ull << 40); });
  });
  closes(Reason::corrupt_chunk, [](Hand& it) {
    it.say(FrameType::chunk, [](WireWriter& writer) { writer.text("orphan"); });
  });
  closes(Reason::corrupt_chunk, [](Hand& it) {
    it.say(FrameType::large, [](WireWriter& writer) { writer.varint(3); });
    it.say(FrameType::chunk, [](WireWriter& writer) { writer.text("four"); });
  });
  closes(Reason::corrupt_chunk, [](Hand& it) {
    for (int i = 0; i < 2; ++i)
      it.say(FrameType::large, [](WireWriter& writer) { writer.varint(3); });
  });
  closes(Reason::malformed, [](Hand& it) {
    it.say(FrameType::message, [](WireWriter& writer) { writer.varint(5); });
  });
  closes(Reason::malformed, [&](Hand& it) { it.say(FrameType::ping, nothing); });
  closes(Reason::bad_acknowledgement, [](Hand& it) {
    it.say(FrameType::acknowledge, [](WireWriter& writer) {
      writer.u8(1);
      writer.varint(1);
    });
  });
  closes(Reason::malformed, [](Hand& it) {
    it.say(FrameType::credit, [](WireWriter& writer) {
      writer.u8(1);
      writer.varint(~0ull);
      writer.varint(1);
    });
  });
}

void settle(Hand& hand, Seq first, std::uint64_t more) {
  hand.say(FrameType::settle, [&](WireWriter& writer) {
    writer.u8(1);
    writer.u8(2);
    writer.varint(0);
    writer.varint(first);
    writer.varint(more);
  });
}

BOOST_AUTO_TEST_CASE(only_what_was_sent_can_be_settled_and_only_once) {
  closes(Reason::bad_settlement, [](Hand& it) { settle(it, 1, 0); });
  closes(Reason::bad_settlement, [](Hand& it) { settle(it, 1, 1ull << 60); });
  closes(Reason::malformed, [](Hand& it) { settle(it, 1, ~0ull); });
  closes(Reason::malformed, [](Hand& it) { settle(it, 0, 0); });
  closes(Reason::bad_settlement, [](Hand& it) {
    it.session.send(Lane::normal, {}, Content("a"));
    settle(it, 1, 0);  // message 1 was not yet written
  });
  closes(Reason::bad_settlement, [](Hand& it) {
    for (int i = 0; i < 3; ++i) it.session.send(Lane::normal, {}, Content("a"));
    it.taken();
    settle(it, 2, 1);
    BOOST_TEST(it.counts.settled == 2u);
    BOOST_TEST(!it.session.closing());
    settle(it, 1, 1);
  });
}

BOOST_AUTO_TEST_CASE(more_than_was_granted_ends_the_connection) {
  SessionOptions options;
  options.window[Lane::normal] = {1000, 3};
  Hand hand(options);
  hand.open();
  hand.taken();
  for (int i = 0; i < 3; ++i) hand.message(FrameType::message, 10);
  BOOST_TEST(hand.counts.arrived == 3u);
  BOOST_TEST(!hand.session.closing());
  hand.message(FrameType::message, 10);
  BOOST_TEST((hand.reason() == Reason::credit_overrun));
  BOOST_TEST(hand.counts.arrived == 3u);

  Hand bytes(options);
  bytes.open();
  bytes.message(FrameType::message, 999);
  bytes.message(FrameType::message, 5000);  // the last one may exceed the window
  BOOST_TEST(!bytes.session.closing());
  bytes.message(FrameType::message, 1);
  BOOST_TEST((bytes.reason() == Reason::credit_overrun));
}

BOOST_AUTO_TEST_CASE(what_is_released_is_granted_again) {
  SessionOptions options;
  options.window[Lane::normal] = {1000, 4};
  Hand hand(options);
  hand.open();
  for (int i = 0; i < 400; ++i) {
    hand.message(FrameType::message, 600);
    hand.session.release(hand.session.life(), Lane::normal, 600);
    hand.taken();
  }
  BOOST_TEST(hand.counts.arrived == 400u);
  BOOST_TEST(!hand.session.closing());
}

BOOST_AUTO_TEST_CASE(send_stops_where_the_credit_ends_and_says_when_it_is_back) {
  Hand hand;
  hand.open({{Amount{}, Amount{100'000, 2}, Amount{}}});
  BOOST_TEST(hand.session.send(Lane::normal, {}, Content("a")) == 1u);
  BOOST_TEST(hand.session.send(Lane::normal, {}, Content("b")) == 2u);
  BOOST_TEST(hand.session.send(Lane::normal, {}, Content("c")) == 0u);
  BOOST_TEST(!hand.session.can_send(Lane::large, 1));
  hand.say(FrameType::credit, [](WireWriter& writer) {
    writer.u8(1);
    writer.varint(100'000);
    writer.varint(3);
  });
  BOOST_TEST(hand.counts.credits == 1u);
  BOOST_TEST(hand.session.send(Lane::normal, {}, Content("c")) == 3u);
}

BOOST_AUTO_TEST_CASE(what_is_too_large_for_the_peer_is_not_sent) {
  Hand hand;
  hand.open();
  const auto refuses = [&](Lane lane, std::size_t header, std::size_t bytes) {
    const std::string head(header, 'h');
    BOOST_CHECK_EXCEPTION(hand.session.send(lane, bytes_of(head), Content(std::string(bytes, 'x'))),
                          Error,
                          [](const Error& error) { return error.errc() == Errc::too_large; });
  };
  refuses(Lane::normal, 1, 64u << 10);
  refuses(Lane::control, 0, (64u << 10) + 1);
  refuses(Lane::large, 0, 17u << 20);
  refuses(Lane::large, (64u << 10) + 1, 0);
  BOOST_TEST(hand.session.send(Lane::normal, {}, Content(std::string(64u << 10, 'x'))) == 1u);
}

BOOST_AUTO_TEST_CASE(a_gap_is_refused_and_what_came_before_is_dropped) {
  Hand gap;
  gap.open({}, {}, {{1, 2, 1}});
  BOOST_TEST((gap.reason() == Reason::gap));

  Hand again;
  again.open();
  for (int i = 0; i < 5; ++i) again.message(FrameType::message, 10);
  again.session.detach({Reason::broken, ""}, again.now);
  again.open({}, {}, {{1, 3, 1}});
  BOOST_REQUIRE(again.session.is_open());
  for (int i = 0; i < 5; ++i) again.message(FrameType::message, 10);
  BOOST_TEST(again.counts.arrived == 7u);
  BOOST_TEST(again.session.duplicates() == 3u);
}

BOOST_AUTO_TEST_CASE(a_peer_that_forgot_what_it_had_acknowledged_is_refused) {
  Hand hand;
  hand.open();
  hand.session.send(Lane::normal, {}, Content("a"));
  hand.taken();
  hand.say(FrameType::acknowledge, [](WireWriter& writer) {
    writer.u8(1);
    writer.varint(1);
  });
  hand.session.detach({Reason::broken, ""}, hand.now);
  hand.open();
  BOOST_TEST((hand.reason() == Reason::gap));
}

BOOST_AUTO_TEST_CASE(a_small_message_costs_five_bytes_beside_its_header) {
  Hand hand;
  hand.open();
  hand.taken();
  const std::string header(19, 'h');
  for (int i = 0; i < 100; ++i)
    hand.session.send(Lane::normal, bytes_of(header), Content(std::string(64, 'x')));
  BOOST_TEST(hand.taken().size() <= 100u * (64 + 24));
}

BOOST_AUTO_TEST_CASE(settlements_of_a_turn_are_a_few_bytes) {
  Hand hand;
  hand.open();
  for (int i = 0; i < 1000; ++i) hand.message(FrameType::message, 1);
  hand.taken();
  for (Seq seq = 1; seq <= 1000; seq += 2)
    hand.session.settle(1, Lane::normal, seq, Settlement::consumed);
  for (Seq seq = 1000; seq >= 2; seq -= 2)
    hand.session.settle(1, Lane::normal, seq, Settlement::consumed);
  BOOST_TEST(hand.taken().size() < 64u);
}

BOOST_AUTO_TEST_CASE(large_messages_leave_room_for_others_between_their_pieces) {
  Hand hand;
  hand.open();
  hand.taken();
  hand.session.send(Lane::large, {}, Content(std::string(8u << 20, 'x')));
  std::size_t between = 0, total = 0;
  for (ByteSpans parts = hand.session.take(hand.now); !parts.empty();
       parts = hand.session.take(hand.now)) {
    std::size_t bytes = 0;
    for (const auto part : parts) bytes += part.size();
    BOOST_TEST(bytes <= 200u * 1024);
    total += bytes;
    ++between;
    hand.session.written(hand.now);
  }
  BOOST_TEST(between >= 60u);
  BOOST_TEST(total >= 8u << 20);
}

BOOST_AUTO_TEST_CASE(a_new_life_lists_what_was_sent_and_not_settled) {
  Hand hand;
  hand.open();
  for (int i = 0; i < 9; ++i) hand.session.send(Lane::normal, {}, Content("a"));
  hand.taken();
  settle(hand, 3, 1);
  hand.session.send(Lane::normal, {}, Content("b"));
  hand.session.detach({Reason::broken, ""}, hand.now);
  Greeting other = hand.greeting();
  other.epoch = {3, 0};
  hand.session.attach(Session::Side::dialled, other, hand.now);
  BOOST_REQUIRE(hand.counts.unsettled.has_value());
  const auto& normal = hand.counts.unsettled->ranges[Lane::normal];
  BOOST_TEST((normal == std::vector<SeqRange>{{1, 2}, {5, 10}}));
  BOOST_TEST(hand.counts.unsettled->unsent[Lane::normal] == 10u);
  BOOST_TEST((hand.session.judge(hand.greeting()) == Session::Verdict::stale));
  hand.session.settle(1, Lane::normal, 1, Settlement::consumed);  // no effect: it is obsolete
  BOOST_TEST(hand.session.life() == 2u);
}

BOOST_AUTO_TEST_CASE(impossible_settings_are_refused) {
  const auto refuses = [](const std::function<void(SessionOptions&)>& change) {
    SessionOptions options;
    change(options);
    Counts counts;
    BOOST_CHECK_EXCEPTION(Session(options, our_epoch, 1, counts, Time(1s)), Error,
                          [](const Error& e) { return e.errc() == Errc::bad_options; });
  };
  refuses([](auto& options) { options.largest[Lane::normal] = 0; });
  refuses([](auto& options) { options.largest[Lane::normal] = 2u << 20; });
  refuses([](auto& options) { options.largest[Lane::large] = 2u << 30; });
  refuses([](auto& options) { options.window[Lane::control].messages = 0; });
  refuses([](auto& options) { options.heartbeat = 0s; });
  refuses([](auto& options) { options.threshold = 0; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
