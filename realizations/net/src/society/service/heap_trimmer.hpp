// Returns memory to the system when a burst of work of a service is over; the allocator alone would
// keep it.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/detail/pool.hpp"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace coracle::society {

class HeapTrimmer {
 public:
  // The service had nothing to do for that long, until now.
  void idled(Duration spell, Time now) {
    if (spell < calm || now < next_) return;
    next_ = now + pause;
    (void)detail::pool_trim();
    const std::size_t unused = ::mallinfo2().fordblks;
    kept_back_ = std::min(kept_back_, unused);
    if (unused < kept_back_ + worth) return;
    ::malloc_trim(0);
    kept_back_ = unused;  // the allocator counts it still
  }

 private:
  static constexpr Duration calm = std::chrono::milliseconds(10);
  static constexpr Duration pause = std::chrono::milliseconds(500);
  static constexpr std::size_t worth = 1u << 20;

  Time next_{};
  std::size_t kept_back_ = 0;
};

}  // namespace coracle::society
