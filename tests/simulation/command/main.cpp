// coracle-simulate: plays generated societies under many seeds, and the model judges each run.
// scripts/simulate runs it; `--help` describes the options.
#include "coracle/clock.hpp"
#include "plans.hpp"
#include "replaying.hpp"
#include "subjects.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

namespace coracle::conformance {

namespace {

constexpr std::size_t failures_shown = 10;
constexpr std::size_t failures_shrunk = 3;
constexpr int failed = 1;

struct Settings {
  std::uint64_t seeds = 1000;
  double minutes = 0;  // when set, instead of seeds
  std::uint64_t begin = 1;
  std::optional<std::uint64_t> one;
  std::vector<std::string> realizations = {"local:"};
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  bool small = false;
  std::string record;
  std::string faults;

  Size size() const { return small ? Size::small : Size::standard; }
};

// Parses "none", or the places of faults, such as "0,3".
std::optional<sim::Faults> chosen_faults(const Settings& settings, std::uint64_t seed,
                                         const std::string& realization) {
  if (settings.faults.empty()) return std::nullopt;
  if (settings.faults == "none") return sim::Faults();
  const sim::Faults all = faults_of(seed, realization);
  std::vector<std::size_t> places;
  for (const std::string& item : CLI::detail::split(settings.faults, ',')) {
    std::size_t place = 0;
    if (!CLI::detail::lexical_cast(item, place) || place >= all.size()) {
      throw Error(Errc::bad_options,
                  fmt::format("--faults needs places below {}, as in 0,3, or none; not '{}'",
                              all.size(), settings.faults));
    }
    places.push_back(place);
  }
  return sim::only(all, places);
}

// Prints the faults without which the failed run does not fail.
void print_shrunk(const Settings& settings, std::uint64_t seed, const std::string& realization) {
  const sim::Faults all = faults_of(seed, realization);
  if (all.empty()) return;
  const auto needed = faults_needed(options_of(seed), settings.size(), realization);
  fmt::print("{} of its {} faults suffice: --faults {}\n", needed.size(), all.size(),
             needed.empty() ? "none" : fmt::format("{}", fmt::join(needed, ",")));
  for (const std::size_t place : needed) fmt::print("  {}\n", to_string(all[place]));
}

// All seeds of one realization, distributed to several threads.
class Campaign {
 public:
  Campaign(const Settings& settings, std::string realization)
      : settings_(settings),
        realization_(std::move(realization)),
        began_(steady_clock().now()),
        next_(settings.begin) {}

  // Returns whether all runs passed.
  bool run() {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < settings_.jobs; ++i) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
    const double seconds = elapsed();
    fmt::print(
        "{} {} seeds from {}, {} messages, {} failed; {:.0f} seeds and {:.0f} messages a "
        "minute\n",
        realization_, runs_, settings_.begin, messages_, failures_count_,
        static_cast<double>(runs_) / seconds * 60, static_cast<double>(messages_) / seconds * 60);
    std::size_t shrunk = 0;
    for (const Run& run : failures_) {
      fmt::print("\n{}",
                 report(run, fmt::format("scripts/simulate --seed {} --realization {}{}", run.seed,
                                         realization_, settings_.small ? " --small" : "")));
      if (++shrunk <= failures_shrunk) print_shrunk(settings_, run.seed, realization_);
    }
    if (failures_count_ > failures_.size()) fmt::print("\nand others\n");
    return failures_count_ == 0;
  }

 private:
  double elapsed() const {
    return std::chrono::duration<double>(steady_clock().now() - began_).count();
  }

  bool over(std::uint64_t seed) const {
    if (settings_.minutes > 0) return elapsed() >= settings_.minutes * 60;
    return seed >= settings_.begin + settings_.seeds;
  }

  void work() {
    for (;;) {
      const std::uint64_t seed = next_.fetch_add(1);
      if (over(seed)) return;
      Run run = run_seed(options_of(seed), settings_.size(), {}, realization_);
      const std::scoped_lock lock(mutex_);
      ++runs_;
      messages_ += run.messages;
      if (!run.wrong.empty() && ++failures_count_ <= failures_shown) {
        failures_.push_back(std::move(run));
      }
      if (runs_ % 100 == 0 && isatty(STDERR_FILENO) != 0) {
        fmt::print(stderr, "\r{} {} seeds, {} failed", realization_, runs_, failures_count_);
      }
    }
  }

  const Settings& settings_;
  const std::string realization_;
  const Time began_;
  std::atomic<std::uint64_t> next_;

  std::mutex mutex_;  // guards the members below
  std::uint64_t runs_ = 0;
  std::uint64_t messages_ = 0;
  std::size_t failures_count_ = 0;
  std::vector<Run> failures_;
};

// Plays one seed and prints its trace.
bool show(const Settings& settings) {
  sim::Options options = options_of(*settings.one);
  options.record = true;
  bool well = true;
  for (const std::string& realization : settings.realizations) {
    const auto faults = chosen_faults(settings, options.seed, realization);
    const Run run = settings.record.empty()
                        ? run_seed(options, settings.size(), {}, realization, faults)
                        : run_recorded(options, settings.size(), realization, settings.record);
    fmt::print("{}", run.trace);
    fmt::print("{} seed {}, {} messages, trace {:016x}: {}\n", realization, run.seed, run.messages,
               run.hash, run.wrong.empty() ? "all is well" : run.wrong);
    well = well && run.wrong.empty();
  }
  return well;
}

int simulate(int argc, char** argv) {
  Settings settings;
  CLI::App app(
      "Plays generated societies under many seeds; the model of the promises judges each. "
      "The exit code is 1 if any broke a promise.");
  auto* const seeds = app.add_option("--seeds", settings.seeds, "the number of seeds");
  app.add_option("--minutes", settings.minutes, "minutes to play, instead of a number of seeds")
      ->check(CLI::PositiveNumber)
      ->excludes(seeds);
  app.add_option("--begin", settings.begin, "the first seed");
  app.add_option("--seed", settings.one, "play this one alone and show its trace");
  app.add_option("--realization", settings.realizations, "realizations, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember(simulated_realizations()));
  app.add_option("--jobs", settings.jobs, "the number of runs at once")->check(CLI::Range(1, 256));
  app.add_flag("--small", settings.small, "some dozen messages each instead of a thousand");
  app.add_option("--record", settings.record, "with --seed: record that run in this file")
      ->needs("--seed");
  app.add_option("--faults", settings.faults,
                 "with --seed: only these of its faults, by their places, as in 0,3; or none")
      ->needs("--seed")
      ->excludes("--record");
  const ReplayCommand replay(app);
  CLI11_PARSE(app, argc, argv);
  if (replay.wanted()) return replay.run();
  if (settings.one) return show(settings) ? 0 : failed;
  bool well = true;
  for (const std::string& realization : settings.realizations) {
    well = Campaign(settings, realization).run() && well;
  }
  return well ? 0 : failed;
}

}  // namespace

}  // namespace coracle::conformance

int main(int argc, char** argv) {
  try {
    return coracle::conformance::simulate(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "coracle-simulate: %s\n", error.what());
    return 2;
  }
}
