// A realization whose transport and queues are timed: it shows how much of a message's cost is
// spent in each of the paper's abstractions.
#pragma once

#include <coracle/realization.hpp>

#include <atomic>
#include <cstdint>
#include <memory>

namespace coracle::bench {

// The times that the threads of one node count.
struct SeamTimes {
  std::atomic<std::uint64_t> transport_ns{0};  // in try_carry, with the calls inside it
  std::atomic<std::uint64_t> queue_ns{0};      // in put and take
};

// The kind of calls that are timed: one kind at a time, because calls of one kind inside another
// would add to its time.
enum class Seam { transport, queue };

// The same realization; each call is timed, without the cost of looking at the clock.
Realization timed(Realization realization, Seam seam, std::shared_ptr<SeamTimes> times);

}  // namespace coracle::bench
