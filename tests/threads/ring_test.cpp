#include "runtime/worker/ring.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <iostream>
#include <thread>

#include "models.hpp"
#include "real_threads.hpp"

namespace coracle::testing {
namespace {

using PlainRing = detail::Ring<Letter>;

void proves(const char* what, const Report& report) {
  std::cout << "ring: " << what << ": " << report << '\n';
  BOOST_TEST(report.ok(), report);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ring)

BOOST_AUTO_TEST_CASE(nothing_is_seen_before_it_is_published) {
  PlainRing ring(4);
  BOOST_TEST(!ring.publish());
  BOOST_TEST(ring.try_push({7}));
  BOOST_TEST(ring.try_push({8}));
  BOOST_TEST(ring.unpublished() == 2U);
  BOOST_TEST(ring.empty());
  BOOST_TEST(ring.publish());
  BOOST_TEST(!ring.empty());
  BOOST_TEST(ring.unpublished() == 0U);

  std::size_t expected = 7;
  const auto count = ring.consume([&](Letter& l) { BOOST_TEST(l.number == expected++); }, 10);
  BOOST_TEST(count == 2U);
  BOOST_TEST(ring.empty());
}

BOOST_AUTO_TEST_CASE(it_holds_what_its_capacity_says_and_takes_as_many_as_were_consumed) {
  PlainRing ring(2);
  BOOST_TEST(ring.room() == 2U);
  BOOST_TEST(ring.try_push({0}));
  BOOST_TEST(ring.try_push({1}));
  BOOST_TEST(!ring.has_room());
  BOOST_TEST(!ring.try_push({2}));
  BOOST_TEST(ring.publish());
  BOOST_TEST(ring.consume([](Letter&) {}, 1) == 1U);
  BOOST_TEST(ring.room() == 1U);
  BOOST_TEST(ring.try_push({2}));
  BOOST_TEST(!ring.has_room());
}

BOOST_AUTO_TEST_CASE(a_request_for_room_is_reported_once) {
  PlainRing ring(2);
  BOOST_TEST(!ring.wait_for_room());
  BOOST_TEST(ring.try_push({0}));
  BOOST_TEST(ring.try_push({1}));
  BOOST_TEST(ring.publish());
  BOOST_TEST(ring.wait_for_room());
  BOOST_TEST(!ring.take_room_request());
  BOOST_TEST(ring.consume([](Letter&) {}, 2) == 2U);
  BOOST_TEST(ring.take_room_request());
  BOOST_TEST(!ring.take_room_request());
}

BOOST_AUTO_TEST_CASE(every_interleaving_keeps_order_and_never_loses_a_request_for_room) {
  using Size = RingModel<>::Size;
  proves("capacity 2, 4 letters one by one", explore<RingModel<>>(Size{2, 4, 1, 2}));
  proves("capacity 4, 6 letters by three", explore<RingModel<>>(Size{4, 6, 3, 8}));
  if (sanitized) return;  // the sanitizers have seen it all by now
  proves("capacity 2, 4 letters, taken singly", explore<RingModel<>>(Size{2, 4, 1, 1}));
  proves("capacity 2, 5 letters by two", explore<RingModel<>>(Size{2, 5, 2, 2}));
}

BOOST_AUTO_TEST_CASE(every_interleaving_wakes_a_sender_that_sleeps_until_there_is_room) {
  proves("capacity 1, sleeping sender, 2 letters", explore<ParkedSender<>>(1U, 2U));
  proves("capacity 2, sleeping sender, 3 letters", explore<ParkedSender<>>(2U, 3U));
  if (sanitized) return;
  proves("capacity 2, sleeping sender, 4 letters", explore<ParkedSender<>>(2U, 4U));
  proves("capacity 1, sleeping sender, 3 letters", explore<ParkedSender<>>(1U, 3U));
}

BOOST_AUTO_TEST_CASE(two_real_workers_that_sleep_exchange_everything_in_order) {
  struct Worker {
    PlainRing outgoing{64};
    detail::Parking<> parking;
    Waiter waiter;
  };
  Worker workers[2];
  std::size_t disorder[2] = {0, 0};

  const auto run = [&](std::size_t index) {
    Worker& self = workers[index];
    Worker& other = workers[1 - index];
    const auto wake_other = [&] {
      if (other.parking.claim_wake()) other.waiter.wake();
    };
    std::size_t sent = 0;
    std::size_t received = 0;
    while (sent < stress_size || received < stress_size) {
      const std::size_t batch = 1 + sent % 48;  // of all sizes, to meet full and empty rings
      for (std::size_t i = 0; i < batch && sent < stress_size; ++i) {
        if (self.outgoing.try_push({sent})) ++sent;
      }
      if (self.outgoing.publish()) wake_other();
      const auto count = other.outgoing.consume(
          [&](Letter& letter) { disorder[index] += letter.number != received++ ? 1U : 0U; }, 40);
      if (other.outgoing.take_room_request()) wake_other();
      const bool sends = sent < stress_size;
      const bool done = !sends && received == stress_size;
      if (done || count != 0 || (sends && self.outgoing.has_room())) continue;
      self.parking.park(
          [&] { return !other.outgoing.empty() || (sends && !self.outgoing.wait_for_room()); },
          [&] { self.waiter.wait(); });
    }
  };
  std::thread second(run, 1U);
  run(0U);
  second.join();
  BOOST_TEST(disorder[0] == 0U);
  BOOST_TEST(disorder[1] == 0U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::testing
