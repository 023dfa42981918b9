// A realization whose transport and queues are timed: what of a message's cost is spent in which of
// the paper's abstractions.
#pragma once

#include <coracle/realization.hpp>

#include <atomic>
#include <cstdint>
#include <memory>

namespace coracle::bench {

// Counted by the threads of one node.
struct SeamTimes {
  std::atomic<std::uint64_t> transport_ns{0};  // in try_carry, with what it calls
  std::atomic<std::uint64_t> queue_ns{0};      // in put and take
};

// Which calls are timed: one kind at a time, since what is inside of one would add to the other.
enum class Seam { transport, queue };

// The same realization; each call is timed, and what looking at the clock costs is taken off again.
Realization timed(Realization realization, Seam seam, std::shared_ptr<SeamTimes> times);

}  // namespace coracle::bench
