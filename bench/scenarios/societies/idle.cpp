// The resources that idle agents take of their clearinghouse: bytes of its memory for each agent,
// and its share of a processor. The agents are on many nodes, each with a connection.
#include "harness/figures/usage.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/load/players.hpp"
#include "harness/machines/forked.hpp"
#include "harness/machines/host.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"
#include "scenarios/scenarios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include <unistd.h>

namespace coracle::bench {

namespace {

// Writes to `there` when all agents exist, and runs until it is killed.
void be_idle(const Options& here, std::uint32_t nodes, std::uint32_t agents, int there) {
  std::vector<std::unique_ptr<Society>> societies;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    societies.push_back(std::make_unique<Society>(here));
    for (std::uint32_t i = node; i < agents; i += nodes)
      societies.back()->node().adopt(placed(fmt::format("idle/{}", i), 0),
                                     std::make_unique<Resting>());
  }
  if (write(there, "x", 1) != 1) throw NotDone("nobody is there");
  while (true) let_pass(std::chrono::hours(1));
}

// Bytes for each agent, and percent of a processor.
std::vector<double> idle_once(const Options& options, std::uint32_t nodes, std::uint32_t agents) {
  MeetingPlace place;
  Options here = place.here(options);
  int there[2] = {-1, -1};
  if (pipe(there) != 0) throw NotDone("no pipe could be made");
  Partner partner([&] {
    place.enter(here);
    be_idle(here, nodes, agents, there[1]);
  });
  close(there[1]);
  place.serve(here);
  let_pass(std::chrono::milliseconds(100));
  const std::size_t before = resident_bytes();
  char said = 0;
  if (read(there[0], &said, 1) != 1) throw NotDone("the agents did not come");
  close(there[0]);
  let_pass(std::chrono::seconds(1));
  const std::size_t after = resident_bytes();
  const Usage begin = usage_of_process();
  let_pass(seconds(options.interval(0.5, 5)));
  const Usage used = usage_of_process() - begin;
  const double bytes = static_cast<double>(after) - static_cast<double>(before);
  return {bytes / agents, 100 * used.both() / used.passed};
}

}  // namespace

std::vector<Metric> run_idle(const Options& options, Progress& progress) {
  if (!has_service(options)) throw BadRequest("idle: write --realization central://127.0.0.1:1");
  const std::uint32_t agents = options.count.value_or(options.quick ? 200 : 10'000);
  const std::uint32_t nodes = std::min(agents, options.quick ? 5u : 100u);
  std::vector<std::vector<double>> parts(2);
  for (unsigned i = 0; i < options.repeats(); ++i) {
    progress.step(fmt::format("repeat {}/{}", i + 1, options.repeats()));
    const auto found = measured_in_child([&] { return idle_once(options, nodes, agents); });
    for (std::size_t part = 0; part < parts.size(); ++part) parts[part].push_back(found.at(part));
  }
  const Params params = {{"agents", std::int64_t{agents}}, {"nodes", std::int64_t{nodes}}};
  return {{"memory", "bytes/agent", params, summarize(parts[0], agents), {}},
          {"processor", "%", params, summarize(parts[1], agents), {}}};
}

}  // namespace coracle::bench
