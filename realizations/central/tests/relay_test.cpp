// Tests of what the clearinghouse passes on, and of what it does not.
#include "relay.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace coracle::central {

namespace {

// A relay with a node for each of the leases 1 and 2; the nodes are not connected now.
struct Clearing {
  Clearing() {
    relay.on_lease(1, ann);
    relay.on_lease(2, bob);
  }

  // The result of a message that `from` sends.
  std::string_view say(FrameChannel& from, Relayed kind, const Leases& leases, ByteSpan more = {}) {
    Bytes frame;
    begin_relayed(frame, kind, leases);
    frame.insert(frame.end(), more.begin(), more.end());
    net::Arrived message{};
    message.header = frame;
    const char* const why = relay.on_message(from, message);
    return why != nullptr ? why : "";
  }
  std::string_view say_read(FrameChannel& from, const Leases& leases, std::uint64_t bytes) {
    Bytes number;
    FrameWriter(number).number(bytes);
    return say(from, Relayed::read, leases, number);
  }
  // The result of a request of `from` for what is for a lease.
  std::string_view ask(FrameChannel& from, LeaseId lease, std::uint8_t wants_notice,
                       std::uint64_t most, Fetch kind = Fetch::ask) {
    Bytes frame;
    FrameWriter out = begin_fetch(frame, kind, lease);
    out.byte(wants_notice);
    out.number(most);
    net::Arrived message{};
    message.header = frame;
    const char* const why = relay.on_message(from, message);
    return why != nullptr ? why : "";
  }
  // The bytes that wait for a lease's node, which has no connection; given messages are gone.
  std::uint64_t waiting(LeaseId lease) const {
    Census census;
    census.leases.emplace_back().lease = lease;
    relay.count(census);
    return census.leases.front().waiting;
  }
  // The result of a frame batch whose frames have that many bytes each.
  std::string_view say_frames(FrameChannel& from, const Leases& leases, int count,
                              std::size_t size = 30) {
    Bytes all;
    for (int i = 0; i < count; ++i) append_to_batch(all, ByteSpan(piece).first(size));
    return say_together(from, leases, all);
  }
  std::string_view say_together(FrameChannel& from, const Leases& leases, ByteSpan all) {
    Bytes head;
    begin_relayed(head, Relayed::frames, leases);
    net::Arrived message{};
    message.header = head;
    message.content = all;
    const char* const why = relay.on_message(from, message);
    return why != nullptr ? why : "";
  }
  std::uint64_t relayed_frames() const {
    Census census;
    relay.count(census);
    for (const auto& [name, value] : census.counts)
      if (name == "relayed_frames") return value;
    return 0;
  }
  // Sends as many whole pieces as the window has room for.
  void fill() {
    for (std::uint64_t sent = 0; sent < relay_window; sent += piece.size())
      BOOST_TEST(say(ann, Relayed::piece, {1, 2}, piece) == "");
  }

  const Bytes piece = Bytes(largest_relayed_piece);
  FlushQueue turn;
  FrameChannel ann{turn, 1}, bob{turn, 1};
  Relay relay;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(relay, Clearing)

BOOST_AUTO_TEST_CASE(a_node_that_goes_beyond_the_window_is_refused) {
  fill();
  BOOST_TEST(say(ann, Relayed::piece, {1, 2}, piece) != "");
}

BOOST_AUTO_TEST_CASE(what_was_read_makes_room) {
  fill();
  BOOST_TEST(say_read(bob, {2, 1}, relay_window) == "");
  BOOST_TEST(say(ann, Relayed::piece, {1, 2}, piece) == "");
}

BOOST_AUTO_TEST_CASE(the_window_of_one_receiver_is_not_that_of_another) {
  FrameChannel eve(turn, 1);
  relay.on_lease(3, eve);
  fill();
  BOOST_TEST(say(ann, Relayed::piece, {1, 3}, piece) == "");
}

BOOST_AUTO_TEST_CASE(nobody_reads_more_than_was_sent) {
  BOOST_TEST(say(ann, Relayed::piece, {1, 2}, piece) == "");
  BOOST_TEST(say_read(bob, {2, 1}, piece.size() + 1) != "");
}

BOOST_AUTO_TEST_CASE(a_node_speaks_under_its_own_lease_only) {
  BOOST_TEST(say(bob, Relayed::piece, {1, 2}, piece) != "");
}

BOOST_AUTO_TEST_CASE(what_is_for_a_lease_that_has_ended_goes_to_nobody) {
  fill();
  relay.on_lease_ended(2);
  BOOST_TEST(say(ann, Relayed::piece, {1, 2}, piece) == "");
  // The next lease begins with nothing.
  relay.on_lease(4, bob);
  BOOST_TEST(say(ann, Relayed::piece, {1, 4}, piece) == "");
}

BOOST_AUTO_TEST_CASE(what_is_cut_off_is_refused) {
  const Bytes head = {std::byte{0x20}, std::byte{0x81}};
  net::Arrived message{};
  message.header = head;
  BOOST_TEST(relay.on_message(ann, message) != nullptr);
}

// ── frames that do not count as bytes ────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(words_between_two_carry_nothing_besides) {
  for (const Relayed kind : {Relayed::read, Relayed::how_much, Relayed::refused}) {
    Bytes frame;
    FrameWriter out = begin_relayed(frame, kind, {1, 2});
    if (kind == Relayed::read) out.number(0);
    if (kind == Relayed::refused) out.text("why");
    net::Arrived message{};
    message.header = frame;
    message.content = piece;
    BOOST_TEST(relay.on_message(ann, message) != nullptr);
    frame.push_back(std::byte{0});
    message.header = frame;
    message.content = {};
    BOOST_TEST(relay.on_message(ann, message) != nullptr);
  }
}

BOOST_AUTO_TEST_CASE(a_reason_is_no_longer_than_it_may_be_and_is_given_once) {
  BOOST_TEST(ask(bob, 2, 0, 1) == "");
  const auto refuse = [this](std::size_t length) {
    Bytes text;
    FrameWriter(text).text(std::string(length, 'x'));
    return say(ann, Relayed::refused, {1, 2}, text);
  };
  BOOST_TEST(refuse(largest_refusal + 1) != "");
  BOOST_TEST(refuse(largest_refusal) == "");
  const std::uint64_t once = waiting(2);
  BOOST_TEST(once > largest_refusal);
  BOOST_TEST(refuse(largest_refusal) == "");
  BOOST_TEST(waiting(2) == once);
}

// A report may cross the request, so its sender cannot always know that the request is still open.
BOOST_AUTO_TEST_CASE(a_second_request_before_the_report_goes_no_further) {
  BOOST_TEST(ask(bob, 2, 0, 1) == "");
  BOOST_TEST(ask(ann, 1, 0, 1) == "");
  BOOST_TEST(say(ann, Relayed::how_much, {1, 2}) == "");
  const std::uint64_t once = waiting(2);
  BOOST_TEST(say(ann, Relayed::how_much, {1, 2}) == "");
  BOOST_TEST(waiting(2) == once);
  BOOST_TEST(say_read(bob, {2, 1}, 0) == "");
  const std::uint64_t answered = waiting(1);
  BOOST_TEST(answered > 0U);
  BOOST_TEST(say_read(bob, {2, 1}, 0) == "", "nobody asks, and nobody hears it");
  BOOST_TEST(waiting(1) == answered);
  BOOST_TEST(say(ann, Relayed::how_much, {1, 2}) == "");
  BOOST_TEST(waiting(2) > once);
}

// ── frame batches ────────────────────────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(each_of_the_frames_that_go_together_counts) {
  BOOST_TEST(say_frames(ann, {1, 2}, 3) == "");
  BOOST_TEST(relayed_frames() == 3u);
  BOOST_TEST(say_frames(bob, {1, 2}, 1) != "", "not under another node's lease");
}

BOOST_AUTO_TEST_CASE(frames_that_go_together_are_bounded_by_the_window) {
  const int each = static_cast<int>(relay_window / 2 / bytes_in_batch(30, 0)) + 1;
  BOOST_TEST(say_frames(ann, {1, 2}, each) == "");
  BOOST_TEST(say_frames(ann, {1, 2}, each) == "");
  BOOST_TEST(say_frames(ann, {1, 2}, 1) != "");
  BOOST_TEST(say_read(bob, {2, 1}, 2 * each * bytes_in_batch(30, 0)) == "");
  BOOST_TEST(say_frames(ann, {1, 2}, 1) == "");
}

BOOST_AUTO_TEST_CASE(frames_that_do_not_fit_together_are_refused) {
  const auto byte = [](unsigned value) { return static_cast<std::byte>(value); };
  BOOST_TEST(say_together(ann, {1, 2}, {}) != "", "there is none");
  BOOST_TEST(say_together(ann, {1, 2}, Bytes{byte(1), byte(0), byte(7)}) != "", "without a head");
  BOOST_TEST(say_together(ann, {1, 2}, Bytes{byte(1), byte(2), byte(7)}) != "", "a longer head");
  BOOST_TEST(say_together(ann, {1, 2}, Bytes{byte(2), byte(1), byte(7)}) != "", "cut off");
  BOOST_TEST(say_together(ann, {1, 2}, Bytes{byte(0x81)}) != "", "cut off in a number");
  BOOST_TEST(say_together(ann, {1, 2}, Bytes{byte(2), byte(1), byte(7), byte(7)}) == "");
}

BOOST_AUTO_TEST_CASE(of_frames_that_go_together_a_node_is_given_as_many_as_it_asks_for) {
  BOOST_TEST(ask(bob, 2, 0, 2) == "");
  BOOST_TEST(say_frames(ann, {1, 2}, 3) == "");
  const std::uint64_t all = waiting(2);
  BOOST_TEST(ask(bob, 2, 0, 2) == "");
  BOOST_TEST(waiting(2) == all / 3);
}

// ── nodes that fetch (decision 0032) ─────────────────────────────────────────────────────────────

BOOST_AUTO_TEST_CASE(what_is_for_a_node_that_asks_is_held_until_it_does) {
  BOOST_TEST(ask(bob, 2, 0, 2) == "");
  for (int sent = 0; sent < 3; ++sent) BOOST_TEST(say(ann, Relayed::piece, {1, 2}, piece) == "");
  const std::uint64_t all = waiting(2);
  BOOST_TEST(all > 3 * piece.size());
  BOOST_TEST(ask(bob, 2, 0, 2) == "");
  BOOST_TEST(waiting(2) == all / 3);
  BOOST_TEST(ask(bob, 2, 0, 2) == "");
  BOOST_TEST(waiting(2) == 0U);
}

BOOST_AUTO_TEST_CASE(what_is_held_for_a_node_is_no_more_than_its_window) {
  BOOST_TEST(ask(bob, 2, 1, 1) == "");
  fill();
  BOOST_TEST(say(ann, Relayed::piece, {1, 2}, piece) != "");
}

BOOST_AUTO_TEST_CASE(what_is_held_ends_with_the_lease) {
  BOOST_TEST(ask(bob, 2, 0, 1) == "");
  fill();
  relay.on_lease_ended(2);
  relay.on_lease(4, bob);
  BOOST_TEST(waiting(4) == 0U);
  // A node that has another lease, and has not fetched under it, is sent everything.
  BOOST_TEST(say(ann, Relayed::piece, {1, 4}, piece) == "");
  BOOST_TEST(waiting(4) == 0U);
}

BOOST_AUTO_TEST_CASE(a_node_asks_for_its_own_only_and_in_words_that_make_sense) {
  BOOST_TEST(ask(ann, 2, 0, 1) != "");
  BOOST_TEST(ask(bob, 2, 2, 1) != "");
  BOOST_TEST(ask(bob, 2, 0, 0) != "");
  BOOST_TEST(ask(bob, 9, 0, 1) == "");  // that lease has ended
  for (const Fetch kind : {Fetch::given, Fetch::waiting}) BOOST_TEST(ask(bob, 2, 0, 1, kind) != "");
  net::Arrived message{};
  const Bytes head = {std::byte{0x24}, std::byte{0x02}};
  message.header = head;
  BOOST_TEST(relay.on_message(bob, message) != nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::central
