#include "runtime/worker/parking.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <cstddef>
#include <iostream>
#include <thread>
#include <vector>

#include "models.hpp"
#include "real_threads.hpp"

namespace coracle::testing {
namespace {

using Letters = std::vector<std::size_t>;

void proves(const char* what, const Report& report) {
  std::cout << "parking: " << what << ": " << report << '\n';
  BOOST_TEST(report.ok(), report);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(parking)

BOOST_AUTO_TEST_CASE(only_one_waker_has_to_wake_a_sleeper) {
  detail::Parking<> parking;
  BOOST_TEST(!parking.claim_wake());
  parking.prepare();
  BOOST_TEST(parking.claim_wake());
  BOOST_TEST(!parking.claim_wake());
  BOOST_TEST(!parking.finish());
  parking.prepare();
  BOOST_TEST(parking.cancel());
  BOOST_TEST(!parking.claim_wake());
}

BOOST_AUTO_TEST_CASE(a_worker_that_finds_work_does_not_wait) {
  detail::Parking<> parking;
  bool waited = false;
  BOOST_TEST(!parking.park([] { return true; }, [&] { waited = true; }));
  BOOST_TEST(!waited);
  BOOST_TEST(parking.park([] { return false; }, [&] { waited = parking.claim_wake(); }));
  BOOST_TEST(waited);
}

BOOST_AUTO_TEST_CASE(no_interleaving_loses_a_wake_up_for_a_ring) {
  proves("1 ring, 3 letters", explore<ParkedRings<>>(Letters{3}));
  proves("2 rings, 1 letter each", explore<ParkedRings<>>(Letters{1, 1}));
  if (sanitized) return;  // the sanitizers have seen it all by now
  proves("2 rings, 2 letters and 1", explore<ParkedRings<>>(Letters{2, 1}));
}

BOOST_AUTO_TEST_CASE(no_interleaving_loses_a_wake_up_for_an_inbox) {
  proves("inbox, 1 sender, 3 notes", explore<ParkedInbox<>>(Letters{3}));
  proves("inbox, 2 senders, 1 note each", explore<ParkedInbox<>>(Letters{1, 1}));
  if (sanitized) return;
  proves("inbox, 2 senders, 2 notes and 1", explore<ParkedInbox<>>(Letters{2, 1}));
}

// Every round is a sleep of its own: the producer goes on only when the worker has seen the last
// note.
BOOST_AUTO_TEST_CASE(a_real_worker_sleeps_and_wakes_for_every_round) {
  constexpr std::size_t rounds = stress_size / 20;
  detail::Ring<Letter> there(2);
  detail::Ring<Letter> back(2);
  detail::Parking<> parkings[2];
  Waiter waiters[2];
  std::atomic<std::size_t> wakes{0};
  std::atomic<std::size_t> sleeps{0};

  const auto send = [&](detail::Ring<Letter>& ring, std::size_t to, std::size_t number) {
    const bool pushed = ring.try_push({number});
    const bool published = ring.publish();
    if (pushed && published && parkings[to].claim_wake()) {
      ++wakes;
      waiters[to].wake();
    }
  };
  const auto receive = [&](detail::Ring<Letter>& ring, std::size_t self, std::size_t number) {
    bool right = false;
    while (ring.consume([&](Letter& letter) { right = letter.number == number; }, 1) == 0) {
      ++sleeps;
      parkings[self].park([&] { return !ring.empty(); }, [&] { waiters[self].wait(); });
    }
    return right;
  };
  std::size_t wrong = 0;
  std::thread worker([&] {
    for (std::size_t i = 0; i < rounds; ++i) {
      if (!receive(there, 1, i)) ++wrong;
      send(back, 0, i);
    }
  });
  std::size_t wrong_back = 0;
  for (std::size_t i = 0; i < rounds; ++i) {
    send(there, 1, i);
    if (!receive(back, 0, i)) ++wrong_back;
  }
  worker.join();
  BOOST_TEST(wrong == 0U);
  BOOST_TEST(wrong_back == 0U);
  BOOST_TEST(wakes.load() <= sleeps.load());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::testing
