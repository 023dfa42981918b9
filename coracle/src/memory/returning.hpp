// Memory that goes back to the system, so that not only this process can use it.
#pragma once

#include "coracle/detail/pool.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace coracle::detail {

// Returns what the heap has free.
inline void trim_heap() noexcept {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

// Returns what the pool and the heap have free; for large amounts only.
inline void give_memory_back() {
  (void)pool_trim();
  trim_heap();
}

}  // namespace coracle::detail
