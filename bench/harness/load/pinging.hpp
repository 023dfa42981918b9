// A pinger and its ponger, in one process or in two.
#pragma once

#include "harness/figures/stats.hpp"
#include "harness/run/options.hpp"

#include <cstdint>

namespace coracle::bench {

// The differences from a plain ping-pong; for one process only.
struct PingSettings {
  std::uint32_t waiting = 0;  // messages of others that wait in the pinger's mailbox
  bool is_directed = false;   // the pinger reads from the ponger alone
};

// Plays once, for options.interval(0.2, 1); returns ns for each round trip. With two processes the
// ponger is in the other one.
Run run_one_pingpong(const Options& options, const PingSettings& settings = {});

}  // namespace coracle::bench
