// A flood of texts that others overhear by what they say.
#pragma once

#include "harness/options.hpp"

#include <cstddef>
#include <cstdint>

namespace coracle::bench {

// What the texts say: letters at random, or what almost matches, again and again.
enum class Said { random, hard };

struct HeardFlood {
  // What the receiver found.
  struct Found {
    double rate = 0;  // messages per second
    std::uint64_t n = 0;
    std::uint64_t heard = 0;
  };

  double interval = 0;
  std::size_t size = 64;
  std::uint32_t patterns = 0;  // of which one matches one of a thousand messages
  Said said = Said::random;
};

// Sends, in a process of its own, until the interval is over.
void send_flood(const Options& here, const HeardFlood& flood);
// Receives what that sends, and has others of its process overhear it.
HeardFlood::Found receive_flood(const Options& here, const HeardFlood& flood);

}  // namespace coracle::bench
