// The floors by themselves: the limits of the machine, independent of the library.
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "scenarios/scenarios.hpp"

#include <string>

namespace coracle::bench {

std::vector<Metric> run_floor(const Options& options, Progress& progress) {
  const double interval = options.interval(0.04, 0.5);
  const int processor = options.pin ? 0 : -1;
  const std::size_t size = options.size;
  struct Part {
    const char* name;
    const char* metric;
    const char* unit;
    std::function<Run()> measure;
  };
  const std::vector<Part> parts = {
      {"call", "rtt", "ns", [&] { return floor_call_round_trip(interval); }},
      {"ring", "rtt", "ns", [&] { return floor_ring_round_trip(1, interval, processor); }},
      {"tcp", "rtt", "ns",
       [&] { return floor_socket_round_trip(Socket::tcp, size, interval, -1); }},
      {"tcp, one processor", "rtt", "ns",
       [&] { return floor_socket_round_trip(Socket::tcp, size, interval, 0); }},
      {"unix", "rtt", "ns",
       [&] { return floor_socket_round_trip(Socket::unix_domain, size, interval, -1); }},
      {"unix, one processor", "rtt", "ns",
       [&] { return floor_socket_round_trip(Socket::unix_domain, size, interval, 0); }},
      {"call", "rate", "messages/s", [&] { return floor_call_flood(1, interval); }},
      {"ring", "rate", "messages/s", [&] { return floor_ring_flood(interval, processor); }},
  };
  std::vector<std::function<Run()>> works;
  for (const Part& part : parts) works.push_back(part.measure);
  const auto runs = interleave(options, progress, works);

  std::vector<Metric> metrics;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Params params = {{"what", std::string(parts[i].name)}};
    metrics.push_back({parts[i].metric, parts[i].unit, params, summarize(runs[i]), {}});
  }
  return metrics;
}

}  // namespace coracle::bench
