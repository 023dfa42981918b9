// Load at a fixed rate, independent of the answers: each ping has an intended time, and its latency
// counts from that time, also when the ping could only be sent later. So a stall counts for all
// pings that it delayed, and not for one alone (no coordinated omission).
#pragma once

#include "harness/figures/histogram.hpp"
#include "harness/figures/metric.hpp"
#include "harness/run/measured_society.hpp"
#include "players.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace coracle::bench {

// The work of one pair in an open loop.
struct Offer {
  Address ponger;
  Content content;
  Time start;              // the intended time of the first ping
  double interval_ns = 0;  // between two intended times
  std::uint64_t pings = 0;
  std::uint64_t warm_up = 0;  // the number of these pings that are not measured
};

// Sends the pings of an offer, and measures the answers.
class OpenPinger : public Player {
 public:
  // `latencies` belongs to one worker; `busy` counts the pingers that have not finished.
  OpenPinger(Offer offer, Histogram* latencies, std::atomic<unsigned>* busy)
      : offer_(std::move(offer)), latencies_(latencies), busy_(busy) {}

 protected:
  Task<> play() override;

 private:
  Task<> send_all();
  Time due(std::uint64_t number) const;

  Offer offer_;
  Histogram* latencies_;
  std::atomic<unsigned>* busy_;
};

// The workers of the two agents of a pair.
struct Pair {
  unsigned pinger = 0;
  unsigned ponger = 0;
};

// Runs `pairs` at `options.rate` round trips per second altogether; returns the metrics `rtt` (with
// p99.9 and maximum) and `rate`.
std::vector<Metric> run_open_loop(const Options& options, const Params& params,
                                  const std::vector<Pair>& pairs);

}  // namespace coracle::bench
