#include "architectures/running.hpp"

#include "architectures/lan.hpp"
#include "harness/load/meeting_place.hpp"
#include "harness/machines/forked.hpp"
#include "harness/run/failures.hpp"
#include "harness/run/measured_society.hpp"

#include <coracle/typed.hpp>

#include <fmt/format.h>

#include <deque>
#include <optional>

namespace coracle::bench {

namespace {

// Does the part of another process.
void take_part(const Options& options, Errand errand, unsigned process) {
  std::atomic<std::uint64_t> sent{0};
  errand.sent = &sent;
  Society society(options);
  add_test_agents(society.node(), options, errand, process, options.processes);
  society.wait();
  society.stop({.sent = sent, .received = society.node().ledger().received});
}

Findings exchange_on_this_host(const Options& options, Errand errand) {
  Findings findings;
  std::optional<MeetingPlace> place;
  std::deque<Partner> partners;
  Options here = options;
  if (has_service(options)) {
    here = place.emplace().here(options);
    for (unsigned process = 1; process < options.processes; ++process) {
      partners.emplace_back([&] {
        place->enter(here);
        take_part(here, errand, process);
      });
    }
    place->serve(here);
  }
  std::atomic<std::uint64_t> sent{0};
  errand.sent = &sent;
  Society society(here);
  society.node().adopt(placed(observer_name(errand), 0),
                       std::make_unique<Observer>(findings, errand.graph->agents()));
  add_test_agents(society.node(), here, errand, 0, here.processes);
  society.wait();
  for (Partner& each : partners) each.wait();
  society.stop({.sent = sent, .received = society.node().ledger().received});
  return findings;
}

}  // namespace

void Findings::add(const Experience& seen) {
  for (std::size_t i = 0; i < seen.averages.size(); ++i) {
    averages.at(seen.kinds.at(i)).push_back(seen.averages[i]);
  }
  for (std::size_t i = 0; i < tenths; ++i) progress[i].add(seen.progress.at(i));
  round_trips += seen.round_trips;
}

void add_test_agents(Node& node, const Options& options, const Errand& errand, unsigned which,
                     unsigned count) {
  const auto agents = static_cast<std::uint32_t>(errand.graph->agents());
  for (std::uint32_t i = which; i < agents; i += count) {
    node.adopt(placed(place_name(errand, i), i / count % options.workers),
               std::make_unique<TestAgent>(errand, i));
  }
}

Run averaged(const std::vector<double>& samples) {
  Average all;
  for (const double each : samples) all.add(each);
  return {all.value(), samples, samples.size()};
}

Task<> Observer::play() {
  const Time begin = clock_now();
  for (std::size_t i = 0; i < agents_; ++i) {
    const Message message = co_await receive();
    findings_.add(message.content().as<Experience>());
  }
  findings_.passed = clock_now() - begin;
}

Findings exchange_once(const Options& options, Errand errand) {
  Findings findings =
      options.lan ? options.lan->exchange(errand) : exchange_on_this_host(options, errand);
  const std::uint64_t expected = 2 * errand.graph->connections() * errand.messages;
  if (findings.round_trips != expected) {
    throw NotDone(
        fmt::format("{} round trips were measured instead of {}", findings.round_trips, expected));
  }
  return findings;
}

}  // namespace coracle::bench
