// Load at a fixed rate, whatever the answers do: each ping has an intended time, and its latency
// counts from that time, also when it could only be sent later. So a stall is felt by all the
// pings that it delayed, and not by one alone (no coordinated omission).
#pragma once

#include "harness/histogram.hpp"
#include "harness/metric.hpp"
#include "harness/players.hpp"
#include "harness/society.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace coracle::bench {

// What one pair does in an open loop.
struct Offer {
  Address ponger;
  Content content;
  Time start;              // the intended time of the first ping
  double interval_ns = 0;  // between two intended times
  std::uint64_t pings = 0;
  std::uint64_t warm_up = 0;  // how many of these are not measured
};

// Sends the pings of an offer, and measures what comes back.
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

// Where the two agents of a pair live.
struct Pair {
  unsigned pinger = 0;
  unsigned ponger = 0;
};

// Runs `pairs` at `options.rate` round trips per second altogether; gives the metrics `rtt` (with
// p99.9 and maximum) and `rate`.
std::vector<Metric> run_open_loop(const Options& options, const Params& params,
                                  const std::vector<Pair>& pairs);

}  // namespace coracle::bench
