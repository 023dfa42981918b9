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
  const auto nothing = [](FrameWriter&) {};
  closes(Reason::unknown_frame, [&](Hand& it) { it.send(static_cast<FrameType>(99), nothing); });
  closes(Reason::unknown_frame, [&](Hand& it) { it.send(FrameType::hello, nothing); });
  closes(Reason::unknown_frame, [&](Hand& it) { it.send(FrameType::resume, nothing); });
  // One byte over the limit of its kind, but not of the message itself.
  closes(Reason::oversize, [](Hand& it) { it.message(it.options.largest + 1); });
  closes(Reason::oversize, [](Hand& it) {  // closes before the body has come
    it.session.received(bytes_of(std::string_view("\x10\xff\xff\xff", 4)), it.now);
  });
  closes(Reason::malformed,
         [](Hand& it) { it.send(FrameType::message, [](FrameWriter& out) { out.number(5); }); });
  closes(Reason::malformed, [&](Hand& it) { it.send(FrameType::ping, nothing); });
  closes(Reason::bad_acknowledgement,
         [](Hand& it) {
           it.send(FrameType::acknowledge, [](FrameWriter& out) { out.number(1); });
         });
  closes(Reason::malformed, [](Hand& it) {
    it.send(FrameType::credit, [](FrameWriter& out) {
      out.number(~0ull);
      out.number(1);
    });
  });
}

BOOST_AUTO_TEST_CASE(only_what_was_written_can_be_acknowledged) {
  closes(Reason::bad_acknowledgement, [](Hand& it) {
    for (int i = 0; i < 3; ++i) it.session.send({}, Content("a"));
    it.taken();
    it.session.send({}, Content("b"));
    const auto acknowledge = [&it](Seq seq) {
      it.send(FrameType::acknowledge, [seq](FrameWriter& out) { out.number(seq); });
    };
    acknowledge(3);
    acknowledge(2);  // no effect
    BOOST_TEST(!it.session.closing());
    acknowledge(4);  // message 4 was not yet written
  });
}

BOOST_AUTO_TEST_CASE(more_than_was_granted_ends_the_connection) {
  SessionOptions options;
  options.window = {1000, 3};
  Hand hand(options);
  hand.open();
  hand.taken();
  for (int i = 0; i < 3; ++i) hand.message(10);
  BOOST_TEST(hand.counts.arrived == 3u);
  BOOST_TEST(!hand.session.closing());
  hand.message(10);
  BOOST_TEST((hand.reason() == Reason::credit_overrun));
  BOOST_TEST(hand.counts.arrived == 3u);

  Hand bytes(options);
  bytes.open();
  bytes.message(999);
  bytes.message(5000);  // the last one may exceed the window
  BOOST_TEST(!bytes.session.closing());
  bytes.message(1);
  BOOST_TEST((bytes.reason() == Reason::credit_overrun));
}

BOOST_AUTO_TEST_CASE(what_is_released_is_granted_again) {
  SessionOptions options;
  options.window = {1000, 4};
  Hand hand(options);
  hand.open();
  for (int i = 0; i < 400; ++i) {
    hand.message(600);
    hand.session.release(600);
    hand.taken();
  }
  BOOST_TEST(hand.counts.arrived == 400u);
  BOOST_TEST(!hand.session.closing());
}

BOOST_AUTO_TEST_CASE(send_stops_where_the_credit_ends_and_says_when_it_is_back) {
  Hand hand;
  hand.open({100'000, 2});
  BOOST_TEST(hand.session.send({}, Content("a")) == 1u);
  BOOST_TEST(hand.session.send({}, Content("b")) == 2u);
  BOOST_TEST(hand.session.send({}, Content("c")) == 0u);
  Session::Growing growing;
  BOOST_TEST(hand.session.send_growing(growing, {}, 1) == nullptr);
  BOOST_TEST(hand.counts.credits == 0u);
  hand.send(FrameType::credit, [](FrameWriter& out) {
    out.number(100'000);
    out.number(3);
  });
  BOOST_TEST(hand.counts.credits == 1u);
  BOOST_TEST(hand.session.send({}, Content("c")) == 3u);
}

BOOST_AUTO_TEST_CASE(what_is_too_large_for_the_peer_is_not_sent) {
  Hand hand;
  hand.open();
  const auto refuses = [&](std::size_t header, std::size_t bytes) {
    const std::string head(header, 'h');
    BOOST_CHECK_EXCEPTION(hand.session.send(bytes_of(head), Content(std::string(bytes, 'x'))),
                          Error,
                          [](const Error& error) { return error.errc() == Errc::too_large; });
    Session::Growing growing;
    BOOST_TEST(hand.session.send_growing(growing, bytes_of(head), bytes) == nullptr);
  };
  refuses(1, 256u << 10);
  refuses(0, (256u << 10) + 1);
  refuses((256u << 10) + 1, 0);
  BOOST_TEST(hand.session.send({}, Content(std::string(256u << 10, 'x'))) == 1u);
}

BOOST_AUTO_TEST_CASE(a_gap_is_refused_and_what_came_before_is_dropped) {
  Hand gap;
  gap.open({}, 0, 2);
  BOOST_TEST((gap.reason() == Reason::gap));

  Hand again;
  again.open();
  for (int i = 0; i < 5; ++i) again.message(10);
  again.session.detach({Reason::broken, ""}, again.now);
  again.open({}, 0, 3);
  BOOST_REQUIRE(again.session.is_open());
  for (int i = 0; i < 5; ++i) again.message(10);
  BOOST_TEST(again.counts.arrived == 7u);
  BOOST_TEST(again.session.duplicates() == 3u);
}

BOOST_AUTO_TEST_CASE(a_peer_that_forgot_what_it_had_acknowledged_is_refused) {
  Hand hand;
  hand.open();
  hand.session.send({}, Content("a"));
  hand.taken();
  hand.send(FrameType::acknowledge, [](FrameWriter& out) { out.number(1); });
  hand.session.detach({Reason::broken, ""}, hand.now);
  hand.open();
  BOOST_TEST((hand.reason() == Reason::gap));
}

BOOST_AUTO_TEST_CASE(a_small_message_costs_five_bytes_beside_its_header) {
  Hand hand;
  hand.open();
  hand.taken();
  const std::string header(19, 'h');
  for (int i = 0; i < 100; ++i) hand.session.send(bytes_of(header), Content(std::string(64, 'x')));
  BOOST_TEST(hand.taken().size() <= 100u * (64 + 24));
}

BOOST_AUTO_TEST_CASE(much_goes_in_many_writes_between_which_a_ping_finds_room) {
  Hand hand;
  hand.open({8u << 20, 65'536});
  hand.taken();
  for (int i = 0; i < 4000; ++i) hand.session.send({}, Content(std::string(1000, 'x')));
  std::size_t between = 0, total = 0;
  for (ByteSpans parts = hand.session.take(hand.now); !parts.empty();
       parts = hand.session.take(hand.now)) {
    std::size_t bytes = 0;
    for (const auto part : parts) bytes += part.size();
    BOOST_TEST(bytes <= 200u * 1024);
    if (between == 1)
      BOOST_TEST(
          (read_frame_header(parts[0].data()).type == static_cast<std::uint8_t>(FrameType::pong)));
    if (between == 0) hand.send(FrameType::ping, [](FrameWriter& out) { out.word(7); });
    total += bytes;
    ++between;
    hand.session.written(hand.now);
  }
  BOOST_TEST(between >= 30u);
  BOOST_TEST(total >= 4000u * 1000);
}

BOOST_AUTO_TEST_CASE(the_way_is_clear_when_the_connection_has_taken_all) {
  Hand hand;
  hand.open();
  hand.taken();
  hand.session.send({}, Content("a"));
  BOOST_TEST(!hand.session.is_clear());
  BOOST_TEST(!hand.session.take(hand.now).empty());
  hand.session.written(hand.now);
  BOOST_TEST(hand.session.take(hand.now).empty());
  BOOST_TEST(hand.session.is_writing());  // a write without parts
  BOOST_TEST(!hand.session.is_clear());
  BOOST_TEST(hand.counts.credits == 0u);
  hand.session.written(hand.now);
  BOOST_TEST(hand.counts.credits == 1u);
  BOOST_TEST(hand.session.is_clear());
}

BOOST_AUTO_TEST_CASE(with_a_peer_on_this_host_the_way_is_clear_when_most_is_acknowledged) {
  for (const bool is_on_this_host : {false, true}) {
    Hand hand;
    hand.peer.is_on_this_host = is_on_this_host;
    hand.open();
    hand.taken();
    for (int i = 0; i < 3; ++i) hand.session.send({}, Content(std::string(70'000, 'x')));
    BOOST_TEST(!hand.session.is_clear());
    hand.taken();
    hand.session.written(hand.now);  // a write without parts
    BOOST_TEST(hand.session.is_clear() == !is_on_this_host);
    BOOST_TEST(hand.session.take(hand.now).empty());
    BOOST_TEST(!hand.session.is_writing());
    const std::size_t credits = hand.counts.credits;
    hand.send(FrameType::acknowledge, [](FrameWriter& out) { out.number(2); });
    BOOST_TEST(hand.session.is_clear());
    BOOST_TEST(hand.counts.credits == credits + is_on_this_host);
  }
}

BOOST_AUTO_TEST_CASE(a_new_incarnation_begins_with_message_1_and_forgets_what_was_sent) {
  Hand hand;
  hand.open();
  for (int i = 0; i < 9; ++i) hand.session.send({}, Content("a"));
  Session::Growing growing;
  BOOST_TEST(hand.session.send_growing(growing, {}, 1) != nullptr);
  hand.message(10);
  hand.session.detach({Reason::broken, ""}, hand.now);
  Greeting other = hand.greeting();
  other.epoch = {3, 0};
  hand.session.attach(Session::Side::dialled, other, hand.now);
  BOOST_TEST(hand.counts.restarted == 1u);
  BOOST_TEST((hand.session.peer().judge(hand.greeting()) == KnownPeer::Verdict::stale));
  BOOST_TEST(!hand.session.has_unacknowledged());
  BOOST_TEST(hand.session.grow(growing, 1, 100) == nullptr);
  hand.session.detach({Reason::broken, ""}, hand.now);
  hand.peer = other;
  hand.open();
  BOOST_TEST(hand.session.is_open());
  BOOST_TEST(hand.session.send({}, Content("b")) == 1u);
  hand.message(10);
  BOOST_TEST(hand.counts.arrived == 2u);
  BOOST_TEST(hand.session.duplicates() == 0u);
}

BOOST_AUTO_TEST_CASE(impossible_settings_are_refused) {
  const auto refuses = [](const std::function<void(SessionOptions&)>& change) {
    SessionOptions options;
    change(options);
    Counts counts;
    BOOST_CHECK_EXCEPTION(Session(options, our_epoch, 1, counts, Time(1s)), Error,
                          [](const Error& e) { return e.errc() == Errc::bad_options; });
  };
  refuses([](auto& options) { options.largest = 0; });
  refuses([](auto& options) { options.largest = 2u << 20; });
  refuses([](auto& options) { options.window.messages = 0; });
  refuses([](auto& options) { options.kept = 0; });
  refuses([](auto& options) { options.heartbeat = 0s; });
  refuses([](auto& options) { options.threshold = 0; });
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::net::test
