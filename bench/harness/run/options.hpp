// The options of a run of the bench.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::bench {

class Hosts;
class Lan;

// The command line, as a scenario sees it. An option that was not given is empty, and the scenario
// chooses.
struct Options {
  std::string realization;  // the realization that is measured now
  std::string record;       // the file in which its first society is recorded; empty: none
  // The number of societies that were recorded: the second one is in FILE.2, and so on.
  std::shared_ptr<unsigned> recorded = std::make_shared<unsigned>(0);
  bool quick = false;
  bool pin = false;
  bool apart = false;
  unsigned processes = 1;
  unsigned workers = 1;
  std::size_t size = 64;
  std::uint32_t waiting = 0;
  std::uint32_t senders = 1;
  std::uint32_t stages = 10;
  std::vector<std::string> shapes;          // of the graphs to be measured
  std::vector<std::uint32_t> delays = {0};  // milliseconds
  std::string hosts;                        // "all" or a number; empty: this one
  std::string listen;                       // the place where the coordinator of hosts listens
  std::string join;                         // the place where a worker finds the coordinator
  std::string place;                        // the file with the places of agents
  std::shared_ptr<Lan> lan;                 // the coordinator, if there are hosts
  std::shared_ptr<const Hosts> apart_on;    // the two processes' hosts; none: both on this host
  std::uint32_t patterns = 0;               // that each agent, or process, registers
  std::vector<std::string> realizations;    // of a scenario that measures several in turn
  std::string peers;                        // the folder with the programs of other systems
  std::vector<std::string> systems;         // the names of the systems to measure
  std::optional<std::uint32_t> messages;
  std::optional<std::uint32_t> pairs;
  std::optional<std::uint32_t> count;
  std::optional<unsigned> repeat;
  std::optional<double> rate;
  std::optional<double> seconds;

  // The number of interleaved repeats.
  unsigned repeats() const { return repeat.value_or(quick ? 1 : 5); }
  // The time that one repeat measures; a smoke run takes `quick_seconds`.
  double interval(double quick_seconds, double measured_seconds) const {
    return seconds.value_or(quick ? quick_seconds : measured_seconds);
  }
};

}  // namespace coracle::bench
