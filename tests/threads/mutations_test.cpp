// Checks the checker: it finds every mutation here, and reports the right mistake.
#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "models.hpp"
#include "mutants.hpp"

namespace coracle::testing {
namespace {

using Letters = std::vector<std::size_t>;

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto acq_rel = std::memory_order_acq_rel;
constexpr auto seq_cst = std::memory_order_seq_cst;

template <class Sync>
using SpoiledRing = detail::Ring<Letter, Sync>;

constexpr std::string_view lost_wake_up = "lost wake-up";
constexpr std::string_view race = "data race";

void finds(std::string_view expected, const Report& report) {
  const std::string headline = report.failure.substr(0, report.failure.find('\n'));
  std::cout << "mutation: " << report.runs << " runs: " << headline << '\n';
  BOOST_TEST(headline.find(expected) == 0U, "expected " << expected << ", got " << report);
}

template <Mistake mistake>
Report ring_with(std::size_t letters = 4) {
  using Model = RingModel<MutantRing<mistake>>;
  return explore<Model>(typename Model::Size{2, letters, 2, 2});
}

template <class Sync>
Report ring_on() {
  using Model = RingModel<SpoiledRing<Sync>>;
  return explore<Model>(typename Model::Size{2, 4, 2, 2});
}

template <Mistake mistake>
Report parking_with() {
  return explore<ParkedRings<ExploredRing, MutantParking<mistake>>>(Letters{1, 1});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mutations)

BOOST_AUTO_TEST_CASE(the_copies_without_a_mistake_are_right) {
  const auto ring = ring_with<Mistake::none>();
  BOOST_TEST(ring.ok(), ring);
  const auto parking = parking_with<Mistake::none>();
  BOOST_TEST(parking.ok(), parking);
}

BOOST_AUTO_TEST_CASE(a_failure_tells_its_schedule) {
  const auto report = explore<ParkedRings<>>(Letters{1}, false);
  BOOST_TEST(report.failure.find("\n  worker waits for semaphore#") != std::string::npos, report);
  BOOST_TEST(report.failure.find("\n  producer 0 stores") != std::string::npos, report);
}

BOOST_AUTO_TEST_CASE(a_worker_that_does_not_look_again_loses_a_wake_up) {
  finds(lost_wake_up, explore<ParkedRings<>>(Letters{1}, false));
}

BOOST_AUTO_TEST_CASE(a_worker_that_looks_before_it_declares_itself_asleep_loses_a_wake_up) {
  finds(lost_wake_up, parking_with<Mistake::asleep_after_recheck>());
}

BOOST_AUTO_TEST_CASE(a_claim_that_does_not_take_lets_two_wake) {
  finds("more than one wake", parking_with<Mistake::claimed_by_many>());
}

BOOST_AUTO_TEST_CASE(a_publication_or_a_look_that_is_not_seq_cst_loses_a_wake_up) {
  using WeakStores = SpoiledSync<seq_cst, release, seq_cst>;
  using WeakLoads = SpoiledSync<acquire, seq_cst, seq_cst>;
  finds(lost_wake_up, explore<ParkedRings<SpoiledRing<WeakStores>>>(Letters{2}));
  finds(lost_wake_up, explore<ParkedRings<SpoiledRing<WeakLoads>>>(Letters{2}));
  finds(lost_wake_up, explore<ParkedRings<ExploredRing, detail::Parking<WeakStores>>>(Letters{2}));
  finds(lost_wake_up, explore<ParkedRings<ExploredRing, detail::Parking<WeakLoads>>>(Letters{2}));
}

BOOST_AUTO_TEST_CASE(a_room_request_that_is_not_seq_cst_is_lost) {
  finds(lost_wake_up, ring_on<SpoiledSync<seq_cst, release, seq_cst>>());
  finds(lost_wake_up, ring_on<SpoiledSync<acquire, seq_cst, seq_cst>>());
}

BOOST_AUTO_TEST_CASE(relaxed_indices_race_on_the_slots) {
  finds(race, ring_on<SpoiledSync<relaxed, seq_cst, seq_cst>>());
  finds(race, ring_on<SpoiledSync<seq_cst, relaxed, seq_cst>>());
}

BOOST_AUTO_TEST_CASE(relaxed_exchanges_race_on_the_notes_of_an_inbox) {
  finds(race, explore<ParkedInbox<SpoiledSync<seq_cst, seq_cst, relaxed>>>(Letters{1, 1}));
  finds(race, explore<ParkedInbox<SpoiledSync<relaxed, seq_cst, release>>>(Letters{1, 1}));
}

BOOST_AUTO_TEST_CASE(an_inbox_looked_at_without_seq_cst_loses_a_wake_up) {
  finds(lost_wake_up,
        explore<ParkedInbox<SpoiledSync<acquire, seq_cst, acq_rel>>>(Letters{1, 1}));
}

BOOST_AUTO_TEST_CASE(a_slot_published_too_early_or_freed_too_early_races) {
  finds(race, ring_with<Mistake::published_before_written>());
  finds(race, ring_with<Mistake::freed_before_read>());
}

BOOST_AUTO_TEST_CASE(a_request_for_room_after_the_last_look_is_lost) {
  finds(lost_wake_up, ring_with<Mistake::room_flag_set_after_check>());
}

BOOST_AUTO_TEST_CASE(a_request_for_room_cleared_late_is_lost) {
  // The victim is the second request, which needs a fifth letter.
  finds(lost_wake_up, ring_with<Mistake::room_flag_cleared_late>(5));
}

BOOST_AUTO_TEST_CASE(a_consumer_that_looks_for_requests_before_it_frees_loses_one) {
  finds(lost_wake_up, ring_with<Mistake::room_flag_not_looked_at_after_freeing>());
}

BOOST_AUTO_TEST_CASE(a_sender_that_asks_for_room_before_it_declares_itself_asleep_is_not_woken) {
  finds(lost_wake_up, explore<ParkedSender<>>(1U, 3U, true));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::testing
