// Generated societies, recorded and replayed over many seeds: takeovers, crashes, eavesdroppers,
// groups, requests and full mailboxes among them.
#include "coracle/recording/recorder.hpp"
#include "coracle/recording/replay.hpp"
#include "plans.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdio>

namespace coracle::conformance {

namespace {

using recording::Recorder;
using recording::Recording;
using recording::Replay;
using recording::Replayed;
using test::TemporaryFolder;

constexpr std::uint64_t seeds = 150;

// Records a seed and returns its result.
Run record(const sim::Options& options, const std::string& file, Size size = Size::small) {
  Recorder recorder(file);
  sim::World world = recorder.world(options);
  Run run = run_in(world, options, size);
  recorder.close();
  return run;
}

Replayed play_again(const Replay& replay, const sim::Options& options, std::string* wrong = nullptr,
                    Size size = Size::small) {
  return replay.run([&](sim::World& world) {
    const Run run = run_in(world, options, size);
    if (wrong != nullptr) *wrong = run.wrong;
  });
}

std::string difference_of(const Replayed& again) {
  return again.difference ? again.difference->to_string() : std::string();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(recording)

BOOST_AUTO_TEST_CASE(every_seed_replays_exactly) {
  TemporaryFolder folder;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const std::string file = folder / std::to_string(seed);
    const Run run = record(options_of(seed), file);
    BOOST_TEST(run.wrong == "", "seed " << seed << ": " << run.wrong);
    const Recording recording = Recording::load(file);
    const Replayed again = play_again(Replay(recording), options_of(seed));
    BOOST_TEST(difference_of(again) == "", "seed " << seed << ": " << difference_of(again));
    BOOST_TEST(again.trace_hash == run.hash, "seed " << seed);
    std::remove(file.c_str());
  }
}

BOOST_AUTO_TEST_CASE(a_large_society_replays_exactly) {
  TemporaryFolder folder;
  for (const std::uint64_t seed : {3, 4}) {
    const std::string file = folder / std::to_string(seed);
    const Run run = record(options_of(seed), file, Size::standard);
    const Recording recording = Recording::load(file);
    BOOST_TEST(recording.messages().size() > 500u);
    const Replayed again = play_again(Replay(recording), options_of(seed), nullptr, Size::standard);
    BOOST_TEST(difference_of(again) == "");
    BOOST_TEST(again.trace_hash == run.hash);
  }
}

BOOST_AUTO_TEST_CASE(a_message_that_is_late_breaks_no_promise) {
  TemporaryFolder folder;
  std::uint64_t forks = 0;
  for (std::uint64_t seed = 1; seed <= seeds / 5; ++seed) {
    const std::string file = folder / std::to_string(seed);
    record(options_of(seed), file);
    const Recording recording = Recording::load(file);
    for (const auto& happened : recording.events()) {
      if (happened.what != Happening::accepted || happened.message % 7 != seed % 7) continue;
      Replay replay(recording);
      replay.delay(happened.message, std::chrono::microseconds(300));
      std::string wrong;
      play_again(replay, options_of(seed), &wrong);
      BOOST_TEST(wrong == "", "seed " << seed << ", message " << happened.message << ": " << wrong);
      ++forks;
    }
  }
  BOOST_TEST(forks > 50u);
}

BOOST_AUTO_TEST_CASE(another_seed_is_another_society) {
  TemporaryFolder folder;
  record(options_of(5), folder / "5");
  const Recording recording = Recording::load(folder / "5");
  const Replayed other = play_again(Replay(recording), options_of(6));
  BOOST_TEST(other.difference.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::conformance
