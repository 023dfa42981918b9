// Many pairs at full load: all pairs play before, during and after the measured interval, so that
// no pair is measured while others rest. Each pair has one ping or pong under way.
#pragma once

#include "harness/figures/stats.hpp"
#include "harness/figures/usage.hpp"
#include "harness/run/options.hpp"

#include <cstdint>

namespace coracle::bench {

// The players.
struct LoadShape {
  std::uint32_t pairs = 1;
  bool is_to_one = false;  // all pingers send to one ponger
};

// The result of one repeat.
struct LoadFound {
  Run rate;             // messages per second; a sample for each pair
  Run rtt;              // in ns, also with a sample for each pair
  Run fairness;         // the slowest pair's round trips over those of the mean pair
  double evenness = 0;  // the slowest pair's over those of the fastest
  // The usage of both processes, or of the only process, in the measured interval.
  Usage usage;
  // Between two processes that use TCP: the bytes through the connections of the process with the
  // pongers, for each message.
  double wire_bytes = 0;
  double ethernet_bytes = 0;
};

// Plays once, for options.interval(0.25, 1). With two processes the pongers are in the other one.
LoadFound run_one_load(const Options& options, const LoadShape& shape);

// The metrics that every user of a load wants: `rate`, `rtt`, `fairness` and `evenness`.
class LoadTable {
 public:
  void add(LoadFound found);
  const std::vector<LoadFound>& repeats() const noexcept { return repeats_; }
  std::vector<Run> rates() const;
  std::vector<Run> rtts() const;
  // Processor time in ns for each message.
  std::vector<double> costs() const;
  Summary fairness() const;
  Summary evenness() const;

 private:
  std::vector<LoadFound> repeats_;
};

}  // namespace coracle::bench
