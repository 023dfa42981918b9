// What a session does, one thing at a time, and what it does about a peer that breaks the rules.
#include "realizations/net/src/session.hpp"
#include "support/party.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>

namespace coracle::net::test {
namespace {

using namespace std::chrono_literals;

constexpr Epoch our_epoch{1, 0}, peer_epoch{2, 0};

struct Counts final : public SessionEvents {
  void on_arrived(const Arrived& it) override {
    ++arrived;
    bytes += it.bytes();
  }
  void on_settled(const Settled& it) override { settled += it.last - it.first + 1; }
  void on_credit(Lane) override { ++credits; }
  void on_open(Opening) override { ++opened; }
  void on_lost(const Closing&) override { ++lost; }
  void on_restarted(const Unsettled& it) override { unsettled = it; }
  void on_suspected() override { ++suspected; }
  void on_trusted() override { ++trusted; }
  void on_gone(const Closing&, const Unsettled& it) override { unsettled = it; }

  std::size_t arrived = 0, bytes = 0, settled = 0, credits = 0, opened = 0, lost = 0;
  std::size_t suspected = 0, trusted = 0;
  std::optional<Unsettled> unsettled;
};

// A session, and its peer written by hand.
struct Hand {
  explicit Hand(SessionOptions settings = {}) : options(settings) {}

  Greeting greeting() const {
    Greeting result{"lab", "bob", peer_epoch, 1, 1, {}};
    result.largest = options.largest;
    return result;
  }
  void attach() { session.attach(Session::Side::dialled, greeting(), now); }
  void open(PerLane<Amount> granted = {{Amount{1000, 10}, Amount{100'000, 1000},
                                        Amount{1u << 30, 9}}},
            PerLane<Seq> seen = {}, PerLane<Seq> first = {{1, 1, 1}}) {
    attach();
    say(FrameType::resume, [&](WireWriter& writer) {
      writer.u64(our_epoch.random);
      writer.u64(our_epoch.counter);
      writer.varint(1);
      for (const Lane lane : all_lanes) {
        writer.varint(seen[lane]);
        writer.varint(granted[lane].bytes);
        writer.varint(granted[lane].messages);
      }
      writer.varint(0);
    });
    say(FrameType::start, [&](WireWriter& writer) {
      for (const Lane lane : all_lanes) writer.varint(first[lane]);
    });
  }
  std::size_t say(FrameType type, const std::function<void(WireWriter&)>& body) {
    std::vector<std::byte> frame;
    WireWriter writer(frame);
    writer.begin(type);
    body(writer);
    writer.end();
    return session.received(frame, now);
  }
  void message(FrameType type, std::size_t bytes) {
    say(type, [&](WireWriter& writer) {
      writer.varint(0);
      writer.text(std::string(bytes, 'x'));
    });
  }
  // Everything that is to be written.
  std::string taken() {
    std::string result;
    for (Parts parts = session.take(now); !parts.empty(); parts = session.take(now)) {
      for (const auto part : parts)
        result.append(reinterpret_cast<const char*>(part.data()), part.size());
      session.written(now);
    }
    return result;
  }
  // The reason for which it was closed, which the last frame says too.
  Reason reason() {
    if (!session.closing()) return Reason::broken;
    const Reason why = session.closing()->reason;
    const std::string last = taken();
    BOOST_TEST(last.size() >= 5u);
    BOOST_TEST(static_cast<int>(last[0]) == static_cast<int>(FrameType::goodbye));
    BOOST_TEST(static_cast<int>(last[4]) == static_cast<int>(why));
    return why;
  }

  SessionOptions options;
  Time now{10s};
  Counts counts;
  Session session{options, our_epoch, 1, counts, now};
};

void closes(Reason reason, const std::function<void(Hand&)>& wrong) {
  Hand hand;
  hand.open();
  BOOST_REQUIRE(hand.session.is_open());
  hand.taken();
  wrong(hand);
  const Reason got = hand.reason();
  BOOST_TEST((got == reason), to_string(got) << " instead of " << to_string(reason));
  BOOST_TEST(hand.session.received(bytes_of("\x06"), hand.now) == 0u);  // nothing more is heard
}

BOOST_AUTO_TEST_SUITE(session)

BOOST_AUTO_TEST_CASE(a_frame_that_breaks_the_rules_ends_the_connection_with_its_reason) {
  const auto nothing = [](WireWriter&) {};
  closes(Reason::unknown_frame, [&](Hand& it) { it.say(static_cast<FrameType>(99), nothing); });
  closes(Reason::unknown_frame, [&](Hand& it) { it.say(FrameType::hello, nothing); });
  closes(Reason::unknown_frame, [&](Hand& it) { it.say(FrameType::resume, nothing); });
  closes(Reason::oversize, [](Hand& it) {  // before its body has come
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
    settle(it, 1, 0);  // it was not yet written
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
  bytes.message(FrameType::message, 5000);  // the last one may reach beyond
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
  for (Parts parts = hand.session.take(hand.now); !parts.empty();
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
  hand.session.settle(1, Lane::normal, 1, Settlement::consumed);  // of the last life: no effect
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
