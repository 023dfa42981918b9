// A pinger and its ponger, in one process or in two.
#pragma once

#include "harness/options.hpp"
#include "harness/stats.hpp"

#include <cstdint>

namespace coracle::bench {

// What may differ from a plain ping-pong; of one process only.
struct PingSettings {
  std::uint32_t waiting = 0;  // messages of others that wait in the pinger's mailbox meanwhile
  bool is_directed = false;   // the pinger reads from the ponger alone
};

// Plays once, for options.interval(0.2, 1); gives ns for each round trip. With two processes the
// ponger is in the other one.
Run run_one_pingpong(const Options& options, const PingSettings& settings = {});

}  // namespace coracle::bench
