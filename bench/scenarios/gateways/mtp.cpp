// The experiments of the second and third paper on platforms of FIPA: couples of agents on two
// platforms, by transport, form of the messages, number of couples and bytes of content. The floor
// moves the same bytes by sockets, as an exchange of HTTP without a look at them.
#include "architectures/graph.hpp"
#include "floor/floors.hpp"
#include "harness/figures/compare.hpp"
#include "harness/run/failures.hpp"
#include "scenarios/gateways/fipa/couples.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace coracle::bench {

namespace {

constexpr std::size_t contents[] = {7, 2150};
constexpr std::pair<const char*, acl::Representation> forms[] = {
    {"string", acl::Representation::string},
    {"bit-efficient", acl::Representation::bit_efficient},
    {"xml", acl::Representation::xml}};

std::vector<std::uint32_t> couples_of(const Options& options) {
  if (options.shapes.empty()) {
    if (options.quick) return {1, 10};
    return {1, 10, 50, 100, 200, 300, 500, 1000};
  }
  std::vector<std::uint32_t> couples;
  for (const std::string& text : options.shapes) {
    couples.push_back(count_of(text));
    if (couples.back() == 0 || couples.back() > most_couples)
      throw BadRequest(fmt::format("'{}' is no number from 1 to {}", text, most_couples));
  }
  return couples;
}

// A request and its answer are two letters, each with a response; the floor moves one of each in
// each direction.
Run floor_of(const CoupleLoad& load) {
  const std::size_t bytes = bytes_of_letter(load) + bytes_of_response();
  Run run = floor_web({1, load.couples, bytes, bytes, load.interval});
  run.value = 1e9 * load.couples / run.value;
  return run;
}

// Messages per second, when each couple has one under way.
std::vector<Run> rates_of(std::vector<Run> round_trips, std::uint32_t couples) {
  for (Run& each : round_trips) {
    each.value = 2e9 * couples / each.value;
    each.samples.clear();
  }
  return round_trips;
}

void measure(const Options& options, Progress& progress, const CoupleLoad& load, const char* form,
             std::vector<Metric>& metrics) {
  const auto runs = interleave(
      options, progress, {[&] { return play_couples(load); }, [&] { return floor_of(load); }});
  const Params params = {{"platforms", std::string("ours-ours")},
                         {"mtp", std::string(load.mtp)},
                         {"encoding", std::string(form)},
                         {"content", static_cast<std::int64_t>(load.content)},
                         {"couples", std::int64_t{load.couples}}};
  for (Metric& each : beside_floor("rtt", "ns", params, runs[0], runs[1]))
    metrics.push_back(std::move(each));
  metrics.push_back({"rate", "messages/s", params, summarize(rates_of(runs[0], load.couples)), {}});
}

}  // namespace

std::vector<Metric> run_mtp(const Options& options, Progress& progress) {
  const std::vector<std::uint32_t> couples = couples_of(options);
  std::vector<Metric> metrics;
  for (const std::string_view mtp : transports()) {
    for (const auto& [name, form] : forms) {
      for (const std::size_t content : contents) {
        for (const std::uint32_t count : couples) {
          progress.begin(
              fmt::format("mtp {}, {}, {} bytes, {} couples", mtp, name, content, count));
          const CoupleLoad load{mtp, form, content, count, options.interval(0.05, 0.5)};
          measure(options, progress, load, name, metrics);
        }
      }
    }
  }
  return metrics;
}

}  // namespace coracle::bench
