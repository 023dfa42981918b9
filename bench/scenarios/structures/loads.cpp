// The second paper's measurements of many pairs: sizes of messages, many senders to one receiver,
// the distance from plain sockets, the share of a network; and the third paper's couples.
#include "architectures/graph.hpp"
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/load/loading.hpp"
#include "harness/machines/other_systems.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

namespace coracle::bench {

namespace {

// One point of a curve.
struct Point {
  std::uint32_t pairs = 1;
  std::size_t size = 64;
  bool is_to_one = false;
};

Params params_of(const Options& options, const Point& point) {
  return {{point.is_to_one ? "senders" : "pairs", std::int64_t{point.pairs}},
          {"size", static_cast<std::int64_t>(point.size)},
          {"processes", std::int64_t{options.processes}},
          {"workers", std::int64_t{options.workers}}};
}

Run floor_of(const Options& options, const Point& point) {
  const double interval = options.interval(0.05, 0.3);
  if (options.processes > 1) {
    return floor_socket_load(socket_of(options.realization), point.size, point.pairs,
                             point.is_to_one, interval);
  }
  return floor_call_pairs(point.pairs, options.workers, interval);
}

// `rtt`, its floor and their ratio, `rate`, `evenness`, `cost`.
LoadTable measure(const Options& given, Progress& progress, const Point& point,
                  std::vector<Metric>& metrics) {
  Options options = given;
  options.size = point.size;
  LoadTable table;
  const auto play = [&] {
    table.add(run_one_load(options, {point.pairs, point.is_to_one}));
    return table.repeats().back().rtt;
  };
  const auto floor = [&] {
    Run run = floor_of(options, point);
    run.value = 2e9 * point.pairs / run.value;  // as round trips of each pair
    run.samples.clear();
    return run;
  };
  const auto runs = interleave(options, progress, {play, floor});
  const Params params = params_of(options, point);
  for (Metric& each : beside_floor("rtt", "ns", params, runs[0], runs[1])) {
    metrics.push_back(std::move(each));
  }
  metrics.push_back({"rate", "messages/s", params, summarize(table.rates()), {}});
  metrics.push_back({"evenness", "slowest/fastest", params, table.evenness(), {}});
  metrics.push_back({"cost", "ns/message", params, summarize(table.costs(), runs[0].back().n), {}});
  return table;
}

std::vector<std::uint32_t> counts(const Options& options, std::vector<std::uint32_t> measured) {
  if (!options.shapes.empty()) {
    measured.clear();
    for (const std::string& text : options.shapes) {
      const std::uint32_t count = count_of(text);
      if (count == 0 || count > most_socket_pairs) {
        throw BadRequest(fmt::format("'{}' is no number from 1 to {}", text, most_socket_pairs));
      }
      measured.push_back(count);
    }
  } else if (options.quick) {
    measured = {measured.front(), 10};
  }
  return measured;
}

Options between_processes(Options options) {
  const bool is_local = options.realization.starts_with("local");
  options.processes = is_local ? 1 : 2;
  return options;
}

// The growth of the round trip with the pairs: for a line through the points, the slope, and the
// share of the differences that it explains.
void add_growth(const std::vector<Point>& points, std::vector<Metric>& metrics) {
  std::vector<double> x;
  std::vector<double> y;
  for (const Metric& each : metrics) {
    if (each.name == "rtt") y.push_back(each.summary.value);
  }
  for (const Point& each : points) x.push_back(each.pairs);
  const Line line = fitted(x, y);
  metrics.push_back({"growth",
                     "ns/pair",
                     {},
                     summarize({line.slope}, points.size()),
                     {{"offset_ns", line.offset}, {"r_squared", line.r_squared}}});
}

}  // namespace

std::vector<Metric> run_sizes(const Options& given, Progress& progress) {
  const Options options = between_processes(given);
  const std::uint32_t pairs = options.pairs.value_or(options.quick ? 5 : 50);
  std::vector<std::size_t> sizes = {1, 10, 100, 1000, 10'000, 100'000};
  if (options.quick) sizes = {1, 10'000};
  std::vector<Metric> metrics;
  for (const std::size_t size : sizes) {
    progress.step(fmt::format("{} bytes", size));
    measure(options, progress, {pairs, size}, metrics);
  }
  return metrics;
}

std::vector<Metric> run_fan_in(const Options& given, Progress& progress) {
  const Options options = between_processes(given);
  std::vector<Metric> metrics;
  for (const std::uint32_t senders : counts(options, {1, 10, 50, 100, 150, 200})) {
    measure(options, progress, {senders, options.size, true}, metrics);
  }
  return metrics;
}

std::vector<Metric> run_bound(const Options& given, Progress& progress) {
  const Options options = between_processes(given);
  std::vector<Metric> metrics;
  for (const std::uint32_t pairs : counts(options, {1, 10, 50, 100, 150, 200})) {
    measure(options, progress, {pairs, options.size}, metrics);
  }
  return metrics;
}

// omniORB stands for the paper's remote calls of objects: in another process, and in one.
void measure_calls(const Options& options, Progress& progress, std::uint32_t pairs,
                   std::vector<Metric>& metrics) {
  const auto omniorb = other_system(options, "omniorb");
  if (!omniorb || !options.realization.starts_with("distributed")) return;
  std::string version;
  const auto play = [&](const char* scenario) {
    return [&, scenario] {
      PeerFound found =
          omniorb->play(scenario, least_size_of_peers, options.interval(0.25, 1), -1, pairs);
      version = found.version;
      return found.run;
    };
  };
  const auto runs = interleave(options, progress, {play("couples"), play("collocated")});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Params params = {{"pairs", std::int64_t{pairs}},
                           {"size", static_cast<std::int64_t>(least_size_of_peers)},
                           {"objects", std::string(i == 0 ? "remote" : "collocated")},
                           {"version", version}};
    metrics.push_back({"rtt", "ns", params, summarize(runs[i]), {}, "omniorb"});
  }
}

// The content is the paper's: seven characters.
std::vector<Metric> run_couples(const Options& given, Progress& progress) {
  const Options options = between_processes(given);
  std::vector<Metric> metrics;
  std::vector<Point> points;
  for (const std::uint32_t pairs : counts(options, {1, 10, 20, 50, 100, 200})) {
    points.push_back({pairs, 7});
    measure(options, progress, points.back(), metrics);
  }
  add_growth(points, metrics);
  for (const Point& each : points) measure_calls(options, progress, each.pairs, metrics);
  return metrics;
}

// For nodes that use TCP: the kernel's counts for the connections of the process with the
// receivers, and the share of a link that they are at the rate that was reached.
std::vector<Metric> run_occupancy(const Options& given, Progress& progress) {
  Options options = between_processes(given);
  if (options.processes < 2 || socket_of(options.realization) != Socket::tcp) {
    throw BadRequest(
        "occupancy counts what goes through TCP; use distributed:listen=127.0.0.1:0 or "
        "central://127.0.0.1:1");
  }
  std::vector<Metric> metrics;
  for (const std::uint32_t pairs : counts(options, {1, 50, 100, 150})) {
    const Point point{pairs, options.size};
    const LoadTable table = measure(options, progress, point, metrics);
    std::vector<double> payload;
    std::vector<double> bytes;
    std::vector<double> load;
    for (const LoadFound& each : table.repeats()) {
      payload.push_back(each.wire_bytes);
      bytes.push_back(each.ethernet_bytes);
      load.push_back(each.ethernet_bytes * each.rate.value * 8 / 1e3);
    }
    const Params params = params_of(options, point);
    metrics.push_back({"wire_bytes", "bytes/message", params, summarize(payload, pairs), {}});
    metrics.push_back({"ethernet_bytes", "bytes/message", params, summarize(bytes, pairs), {}});
    metrics.push_back({"throughput",
                       "kbit/s",
                       params,
                       summarize(load, pairs),
                       {{"share_of_100_mbit", summarize(load, 0).value / 1e5},
                        {"share_of_1_gbit", summarize(load, 0).value / 1e6}}});
  }
  return metrics;
}

}  // namespace coracle::bench
