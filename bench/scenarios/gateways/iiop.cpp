// A couple of agents on two platforms of FIPA that are connected by IIOP: a request and its answer
// are two letters. The floor is one call of omniORB, which also goes and comes once.
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/host.hpp"
#include "scenarios/gateways/fipa/couples.hpp"
#include "scenarios/scenarios.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace coracle::bench {

namespace {

constexpr std::size_t contents[] = {7, 2150};

// Measured in a process whose threads stay on one processor, or where the kernel puts them.
Run placed(int processor, const std::function<Run()>& measure) {
  const std::vector<double> numbers = measured_in_child([&] {
    bind_to_processor(processor);
    const Run run = measure();
    return std::vector<double>{run.value, static_cast<double>(run.n)};
  });
  Run run;
  run.value = numbers.at(0);
  run.n = static_cast<std::uint64_t>(numbers.at(1));
  return run;
}

}  // namespace

std::vector<Metric> run_iiop(const Options& options, Progress& progress) {
  const double interval = options.interval(0.1, 1);
  std::vector<Metric> metrics;
  for (const auto& [name, processor] : {std::pair{"free", -1}, std::pair{"pinned", 0}}) {
    for (const std::size_t content : contents) {
      progress.begin("iiop, " + std::string(name) + ", " + std::to_string(content) + " bytes");
      const auto letters = [&, processor = processor] {
        const FipaWay way{.mtp = "iiop"};
        const CoupleLoad load{way, content, 1, interval};
        return placed(processor, [&] { return play_couples(load).run; });
      };
      const auto floor = [&, processor = processor] {
        return placed(processor, [&] { return floor_corba_call(content, interval, processor); });
      };
      const auto runs = interleave(options, progress, {letters, floor});
      const Params params = {{"content", static_cast<std::int64_t>(content)},
                             {"placement", std::string(name)}};
      for (Metric& each : beside_floor("rtt", "ns", params, runs[0], runs[1]))
        metrics.push_back(std::move(each));
    }
  }
  return metrics;
}

}  // namespace coracle::bench
