// What the clearinghouse passes on, and what it does not.
#include "relay.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string_view>

namespace coracle::central {

namespace {

// A relay with a node for each of the leases 1 and 2, which are not connected now.
struct Clearing {
  Clearing() {
    relay.on_lease(1, ann);
    relay.on_lease(2, bob);
  }

  // What becomes of a message that `from` sends.
  std::string_view say(Way& from, Relayed kind, const Leases& leases, ByteSpan more = {}) {
    Bytes frame;
    begin_relayed(frame, kind, leases);
    frame.insert(frame.end(), more.begin(), more.end());
    net::Arrived message{};
    message.header = frame;
    const char* const why = relay.on_message(from, message);
    return why != nullptr ? why : "";
  }
  std::string_view say_read(Way& from, const Leases& leases, std::uint64_t bytes) {
    Bytes number;
    FrameWriter(number).number(bytes);
    return say(from, Relayed::read, leases, number);
  }
  // As many whole pieces as the window has room for.
  void fill() {
    for (std::uint64_t sent = 0; sent < relay_window; sent += piece.size())
      BOOST_TEST(say(ann, Relayed::piece, {1, 2}, piece) == "");
  }

  const Bytes piece = Bytes(largest_relayed_piece);
  Turn turn;
  Way ann{turn, 1}, bob{turn, 1};
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
  Way eve(turn, 1);
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
  // The next one begins with nothing.
  relay.on_lease(4, bob);
  BOOST_TEST(say(ann, Relayed::piece, {1, 4}, piece) == "");
}

BOOST_AUTO_TEST_CASE(what_is_cut_off_is_refused) {
  const Bytes head = {std::byte{0x20}, std::byte{0x81}};
  net::Arrived message{};
  message.header = head;
  BOOST_TEST(relay.on_message(ann, message) != nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::central
