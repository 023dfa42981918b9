// Many pairs at full load: everybody plays before, during and after the measured interval, so that
// no pair is measured while others rest. Each pair has one ping or pong under way.
#pragma once

#include "harness/options.hpp"
#include "harness/stats.hpp"
#include "harness/usage.hpp"

#include <cstdint>

namespace coracle::bench {

// Who plays.
struct LoadShape {
  std::uint32_t pairs = 1;
  bool is_to_one = false;  // all pingers speak to one ponger
};

// What one repeat found.
struct LoadFound {
  Run rate;             // messages per second; a sample for each pair
  Run rtt;              // ns; likewise
  Run fairness;         // the slowest pair's round trips over those of the mean pair
  double evenness = 0;  // the slowest pair's over those of the fastest
  // Of both processes, or of the only one, in the measured interval.
  Usage usage;
  // Between two processes, where they speak by TCP: what went through the connections of the one
  // with the pongers, for each message.
  double wire_bytes = 0;
  double ethernet_bytes = 0;
};

// Plays once, for options.interval(0.25, 1). With two processes the pongers are in the other one.
LoadFound run_one_load(const Options& options, const LoadShape& shape);

// Such metrics as everybody wants of it: `rate`, `rtt`, `fairness` and `evenness`.
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
