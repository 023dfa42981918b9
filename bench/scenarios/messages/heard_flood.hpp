// A flood of texts that others overhear by their content.
#pragma once

#include "harness/run/options.hpp"

#include <cstddef>
#include <cstdint>

namespace coracle::bench {

// The texts: letters at random, or texts that almost match, again and again.
enum class Said { random, hard };

struct HeardFlood {
  // The results of the receiver.
  struct Found {
    double rate = 0;  // messages per second
    std::uint64_t n = 0;
    std::uint64_t heard = 0;
  };

  double interval = 0;
  std::size_t size = 64;
  std::uint32_t patterns = 0;  // one of them matches one of a thousand messages
  Said said = Said::random;
};

// Sends, in a process of its own, until the interval is over.
void send_flood(const Options& here, const HeardFlood& flood);
// Receives those messages, while other agents of its process overhear them.
HeardFlood::Found receive_flood(const Options& here, const HeardFlood& flood);

}  // namespace coracle::bench
