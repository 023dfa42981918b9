// The cost of ending a lease does not grow with the number of other leases: a node may open lease
// after lease.
#include "coracle/grants.hpp"
#include "coracle/support/core_frames.hpp"
#include "realizations/net/src/society/policy/checkpoint.hpp"
#include "relay.hpp"
#include "tests/support/processor_time.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::central {

namespace {

constexpr LeaseId first_of_many = 1'000'000, all_of_many = 1'010'000;

double cost_at_checkpoint(LeaseId others) {
  const Bytes frame = {std::byte{detail::greeting_frame}, std::byte{1}, std::byte{0}};
  Authority authority(parse_policy("allow * register **\n").value(), {});
  Checkpoint checkpoint(authority);
  for (LeaseId lease = 10; lease < 10 + others; ++lease) (void)checkpoint.rule({lease, 1}, frame);
  return test::processor_time_of([&] {
    for (LeaseId lease = first_of_many; lease < all_of_many; ++lease) {
      BOOST_TEST((checkpoint.rule({lease, 1}, frame) == Checkpoint::Ruling::passes));
      checkpoint.on_lease_ended(lease);
    }
  });
}

double cost_at_relay(LeaseId others) {
  FlushQueue turn;
  FrameChannel channel(turn, 1);
  Relay relay;
  const auto ask = [&](const Leases& leases) {
    Bytes frame;
    begin_relayed(frame, Relayed::how_much, leases);
    net::Arrived message{};
    message.header = frame;
    BOOST_TEST(relay.on_message(channel, message) == nullptr);
  };
  for (LeaseId lease = 1; lease <= others; ++lease) {
    relay.on_lease(lease, channel);
    ask({lease, 1});
  }
  return test::processor_time_of([&] {
    for (LeaseId lease = first_of_many; lease < all_of_many; ++lease) {
      relay.on_lease(lease, channel);
      ask({lease, 1});
      relay.on_lease_ended(lease);
    }
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ended_leases)

BOOST_AUTO_TEST_CASE(what_has_ended_is_forgotten_for_the_same_at_the_checkpoint) {
  (void)cost_at_checkpoint(100);
  const double few = cost_at_checkpoint(1000);
  BOOST_TEST(cost_at_checkpoint(16'000) < 3 * few);
}

BOOST_AUTO_TEST_CASE(what_has_ended_is_forgotten_for_the_same_at_the_relay) {
  (void)cost_at_relay(100);
  const double few = cost_at_relay(1000);
  BOOST_TEST(cost_at_relay(16'000) < 3 * few);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::central
