// Memory for objects that come and go with every message: coroutine frames, content, envelopes.
// Size classes of 16 bytes with a free list per thread; threads exchange surplus in batches through
// a depot. Under a sanitizer every block comes from the heap, so that the sanitizer's checks stay
// exact.
#pragma once

#include <cstddef>

namespace coracle::detail {

// The largest block that is pooled; larger ones come from the heap.
inline constexpr std::size_t pool_max_bytes = 1024;

// A block of at least `bytes`, aligned to 16. Throws std::bad_alloc.
void* pool_allocate(std::size_t bytes);

// Gives back a block that pool_allocate(bytes) returned, on any thread.
void pool_free(void* block, std::size_t bytes) noexcept;

// Returns the memory of free blocks, if there is a megabyte (of much memory, a 32nd) more of it
// than the last time: to the heap where all blocks of a chunk are free, otherwise their pages to
// the system. Returns whether it did.
bool pool_trim() noexcept;

}  // namespace coracle::detail
