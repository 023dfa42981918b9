// The memory of a process: without the library, with an empty node, with a hundred idle agents (the
// second paper's section 5.4). Each repeat has a process of its own.
#include "floor/floors.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/host.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <latch>
#include <memory>

namespace coracle::bench {

namespace {

constexpr double bytes_of_kilobyte = 1024;

// Counts down when all agents before it on its worker have begun.
class Last : public Player {
 public:
  explicit Last(std::latch& begun) : begun_(begun) {}

 protected:
  Task<> play() override {
    begun_.count_down();
    co_return;
  }

 private:
  std::latch& begun_;
};

// The growth of this process, in bytes: by the realization and its node, then by the agents.
std::vector<double> grow_once(const Options& options, std::uint32_t agents) {
  const auto before = static_cast<double>(resident_bytes());
  Society* const society = new Society(options);  // the process ends with the society as it is
  const auto with_node = static_cast<double>(resident_bytes());
  std::latch begun(1);
  for (std::uint32_t i = 0; i < agents; ++i) {
    society->node().create<Resting>(placed(fmt::format("idle/{}", i), 0));
  }
  society->node().adopt(placed("last", 0), std::make_unique<Last>(begun));
  begun.wait();
  if (society->node().agents() < agents) throw NotDone("some agents are missing");
  const auto with_agents = static_cast<double>(resident_bytes());
  return {before, with_node - before, with_agents - with_node};
}

}  // namespace

std::vector<Metric> run_memory(const Options& options, Progress& progress) {
  const std::uint32_t agents = options.count.value_or(100);
  std::vector<std::vector<double>> parts(3);
  std::vector<double> floors;
  for (unsigned i = 0; i < options.repeats(); ++i) {
    progress.step(fmt::format("repeat {}/{}", i + 1, options.repeats()));
    const auto grown = measured_in_child([&] {
      MeetingPlace place;
      Options here = place.here(options);
      if (options.realization.starts_with("local")) here = options;
      else place.serve(here);
      return grow_once(here, agents);
    });
    for (std::size_t part = 0; part < parts.size(); ++part) {
      parts[part].push_back(grown.at(part) / bytes_of_kilobyte);
    }
    const auto objects = measured_in_child(
        [&] { return std::vector<double>{floor_objects(agents).bytes_each * agents}; });
    floors.push_back(objects.at(0) / bytes_of_kilobyte);
  }
  const Params params = {{"agents", std::int64_t{agents}}};
  const std::uint64_t n = options.repeats();
  return {{"process", "KiB", params, summarize(parts[0], n), {}},
          {"platform", "KiB", params, summarize(parts[1], n), {}},
          {"agents", "KiB", params, summarize(parts[2], n), {}},
          {"floor", "KiB", params, summarize(floors, n), {}}};
}

}  // namespace coracle::bench
