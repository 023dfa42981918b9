// The power is cut between any two writes, and within the last of them at any byte.
#include "realizations/net/src/seeded_random.hpp"
#include "support/cutting_disk.hpp"
#include "support/script.hpp"
#include "support/store_player.hpp"
#include "tests/support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::store::test {
namespace {

using net::CrashDisk;
using net::SeededRandom;
using net::SimDisk;

// Opens the content of a disk and compares it with the permitted states; returns the difference.
std::string judged(Disk& disk, Random& random, const StoreModel& model) {
  const auto opened = DurableStore::open(disk, small_options(), random, Time());
  if (!opened) return opened.error().sentence();
  if (!(*opened)->report().damages.empty()) return (*opened)->report().damages.front().what;
  return model.judge(picture_of(**opened, Time()));
}

// A script that is killed after so many changes of the disk.
struct Cut {
  Cut(std::uint64_t seed, std::uint64_t changes, int rounds)
      : random(seed), sim(random), disk(sim.disk(), changes) {
    auto opened = DurableStore::open(disk, small_options(), random, Time());
    if (opened) play_script(**opened, model, rounds);
  }

  SeededRandom random;
  SimDisk sim;
  CuttingDisk disk;
  StoreModel model;
};

// When each restart takes longer, every cut is tried, but not in every variant.
constexpr std::uint64_t slow = coracle::test::slowness;

BOOST_AUTO_TEST_SUITE(store_cuts)

BOOST_AUTO_TEST_CASE(a_cut_between_any_two_writes_loses_nothing_that_was_promised) {
  std::uint64_t changes = 0;
  for (;; ++changes) {
    bool dead = false;
    for (std::uint64_t way = changes % slow; way < 6; way += slow) {
      Cut cut(way, changes, 40);
      dead = cut.disk.dead();
      cut.sim.crash(way == 0 ? CrashDisk::keep : way == 1 ? CrashDisk::lose : CrashDisk::tear);
      const std::string verdict = judged(cut.sim.disk(), cut.random, cut.model);
      BOOST_REQUIRE_MESSAGE(verdict.empty(),
                            "after " << changes << " changes, way " << way << ": " << verdict);
    }
    if (!dead) break;
  }
  BOOST_TEST(changes > 100u);
}

BOOST_AUTO_TEST_CASE(a_cut_within_the_restart_loses_nothing_either) {
  std::uint64_t cuts = 0;
  for (std::uint64_t changes = 1; changes < 200; changes += 7 * slow) {
    for (std::uint64_t again = 0;; ++again) {
      Cut cut(changes, changes, 40);
      cut.sim.crash(CrashDisk::tear);
      CuttingDisk disk(cut.sim.disk(), again);
      const bool opened = DurableStore::open(disk, small_options(), cut.random, Time()).has_value();
      cut.sim.crash(again % 2 == 0 ? CrashDisk::tear : CrashDisk::keep);
      const std::string verdict = judged(cut.sim.disk(), cut.random, cut.model);
      BOOST_REQUIRE_MESSAGE(verdict.empty(), "after " << changes << " changes and " << again
                                                      << " of the restart: " << verdict);
      ++cuts;
      if (opened) break;
    }
  }
  BOOST_TEST(cuts > 100u / slow);
}

BOOST_AUTO_TEST_CASE(the_last_write_is_torn_at_any_byte) {
  constexpr std::uint64_t torn_step = slow == 1 ? 1 : 37;
  std::uint64_t torn = 0;
  for (std::uint64_t changes = 0;; ++changes) {
    Cut cut(1, changes, 14);
    if (!cut.disk.dead()) break;
    CuttingDisk::Tail tail = cut.disk.tail();
    cut.sim.crash(CrashDisk::keep);
    if (tail.path.empty() || tail.path == "reserve") continue;
    const Files files = files_of(cut.sim.disk());
    if (!files.contains(tail.path)) tail.path.resize(tail.path.rfind(".new"));  // renamed
    // Nothing follows the byte, or zeros, or old data with good bytes behind it.
    for (std::uint64_t at = tail.from; at <= tail.to; at += torn_step) {
      for (int behind = 0; behind < 3; ++behind) {
        Files left = files;
        Bytes& bytes = left.at(tail.path);
        if (behind == 0) bytes.resize(at);
        for (std::uint64_t i = at; behind == 1 && i < bytes.size(); ++i) bytes[i] = std::byte{0};
        for (std::uint64_t i = at; behind == 2 && i < std::min(at + 64, tail.to); ++i)
          bytes[i] = bytes[i - tail.from];
        SeededRandom random(at);
        SimDisk sim(random);
        put_files(sim.disk(), left);
        const std::string verdict = judged(sim.disk(), random, cut.model);
        BOOST_REQUIRE_MESSAGE(verdict.empty(), tail.path << " torn at " << at << ", way " << behind
                                                         << ": " << verdict);
        ++torn;
      }
    }
  }
  BOOST_TEST(torn > 10'000u / torn_step);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace coracle::store::test
