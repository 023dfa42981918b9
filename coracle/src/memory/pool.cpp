#include "coracle/detail/pool.hpp"

#include "pool_depot.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CORACLE_POOL_IS_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define CORACLE_POOL_IS_HEAP 1
#endif
#endif

namespace coracle::detail {

namespace {

// A block of whole cache lines begins at the start of a line, also when it comes from the heap.
constexpr bool wants_line(std::size_t bytes) {
  return bytes != 0 && (bytes + pool_granule - 1) / pool_granule * pool_granule % line_bytes == 0;
}

void* heap_allocate(std::size_t bytes) {
  if (wants_line(bytes)) return ::operator new(bytes, std::align_val_t{line_bytes});
  return ::operator new(bytes);
}

void heap_free(void* block, std::size_t bytes) noexcept {
  if (wants_line(bytes)) return ::operator delete(block, std::align_val_t{line_bytes});
  ::operator delete(block);
}

}  // namespace

#ifdef CORACLE_POOL_IS_HEAP

void* pool_allocate(std::size_t bytes) { return heap_allocate(bytes); }

void pool_free(void* block, std::size_t bytes) noexcept { heap_free(block, bytes); }

bool pool_trim() noexcept { return false; }

#else

namespace {

// Constant-initialized and trivially destructible, so that objects of static storage duration may
// allocate and free at any time.
constinit Quarry quarry;
constinit std::array<Depot, class_count> depots;

constexpr std::size_t stack_total() {
  std::size_t total = 0;
  for (std::size_t i = 0; i < class_count; ++i) total += 2 * batch_of(i);
  return total;
}

// A thread's free blocks. Each class has a stack of at most two batches and, beside it, the last
// block that was freed. Taking that block again depends on nothing but the block itself, whereas a
// stack's top goes through memory twice per pair of calls. This halves the cost of the most common
// pattern.
class Cache {
 public:
  struct Stack {
    void* last;
    void** top;
    void** base;
    void** limit;
  };

  Cache() noexcept {
    void** at = storage_.data();
    for (std::size_t i = 0; i < class_count; ++i) {
      stacks[i] = {nullptr, at, at, at + 2 * batch_of(i)};
      at = stacks[i].limit;
    }
  }

  ~Cache() {
    for (std::size_t i = 0; i < class_count; ++i) {
      Stack& stack = stacks[i];
      if (stack.last != nullptr) depots[i].put(&stack.last, 1, batch_of(i));
      while (stack.top != stack.base) {
        const std::size_t count = std::min<std::size_t>(stack.top - stack.base, batch_of(i));
        stack.top -= count;
        depots[i].put(stack.top, count, batch_of(i));
      }
    }
  }

  std::array<Stack, class_count> stacks;

 private:
  std::array<void*, stack_total()> storage_;
};

// Initial-exec costs 8 bytes of static thread storage, also in a library that is loaded late, and
// saves a call per access there.
[[gnu::tls_model("initial-exec")]] constinit thread_local Cache* cache = nullptr;
constinit thread_local bool thread_ended = false;

struct CacheOwner {
  ~CacheOwner() {
    thread_ended = true;
    delete std::exchange(cache, nullptr);
  }
};

// Makes this thread's cache; returns nullptr when the thread is ending or there is no memory.
Cache* make_cache() noexcept {
  if (thread_ended) return nullptr;
  cache = new (std::nothrow) Cache;
  if (cache != nullptr) {
    thread_local CacheOwner owner;
    static_cast<void>(owner);
  }
  return cache;
}

// At the program's end the memory goes back to the heap, unless a block is still in use: by an
// object that lives longer than this one, or by a thread that was never joined. Then the memory
// stays reachable.
struct AtProgramEnd {
  ~AtProgramEnd() {
    std::size_t at_home = 0;
    for (Depot& depot : depots) {
      depot.lock();
      at_home += depot.count();
    }
    const bool closed = quarry.close(at_home);
    for (Depot& depot : depots) {
      if (closed) depot.clear();
      depot.unlock();
    }
  }
};
const AtProgramEnd at_program_end;

// Free memory, from `begin` to `end`.
struct Range {
  std::uintptr_t begin, end;
};

// Returns the free blocks within a chunk. `free` is in order.
std::span<Range> within(std::span<Range> free, const Chunk& chunk) noexcept {
  const auto begin = reinterpret_cast<std::uintptr_t>(&chunk);
  const auto first = std::ranges::lower_bound(free, begin, {}, &Range::begin);
  const auto last = std::ranges::lower_bound(free, begin + chunk.bytes, {}, &Range::begin);
  return {first, last};
}

// Returns the chunks to the heap of which all blocks are free, and makes the ranges of these blocks
// empty. Requires the locks of the depots.
void discard_free_chunks(std::span<Range> free) {
  std::vector<Range> chunks;
  quarry.each_full([&](Chunk& chunk) {
    if (within(free, chunk).size() != chunk.blocks) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(&chunk);
    chunks.push_back({begin, begin + chunk.bytes});
  });
  std::ranges::sort(chunks, {}, &Range::begin);
  const auto is_in_one = [&chunks](const void* at) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    const auto found = std::ranges::upper_bound(chunks, address, {}, &Range::end);
    return found != chunks.end() && found->begin <= address;
  };
  for (std::size_t i = 0; i < class_count; ++i) depots[i].forget(batch_of(i), is_in_one);
  quarry.discard_full([&](const Chunk& chunk) {
    if (!is_in_one(&chunk)) return false;
    for (Range& block : within(free, chunk)) block.end = block.begin;
    return true;
  });
}

// Returns the whole pages within ranges that are free, and are in order. Joins ranges that touch.
void give_back(std::span<const Range> free) noexcept {
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  for (std::size_t i = 0; i < free.size();) {
    const std::uintptr_t first = (free[i].begin + page - 1) / page * page;
    std::uintptr_t end = free[i].end;
    while (++i < free.size() && free[i].begin == end) end = free[i].end;
    const std::uintptr_t last = end / page * page;
    if (first < last)
      static_cast<void>(::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED));
  }
}

[[gnu::noinline]] void* allocate_slowly(std::size_t bytes) {
  if (bytes > pool_max_bytes) return heap_allocate(bytes);
  const std::size_t size_class = class_of(bytes);
  if (cache == nullptr && make_cache() == nullptr) {
    void* block = depots[size_class].take_one();
    if (block == nullptr) quarry.cut(size_class, &block, 1);
    return block;
  }
  Cache::Stack& stack = cache->stacks[size_class];
  if (stack.top == stack.base) {
    std::size_t count = depots[size_class].take(stack.base);
    if (count == 0) quarry.cut(size_class, stack.base, count = batch_of(size_class));
    stack.top = stack.base + count;
  }
  return *--stack.top;
}

[[gnu::noinline]] void free_slowly(void* block, std::size_t bytes) noexcept {
  if (bytes > pool_max_bytes) return heap_free(block, bytes);
  const std::size_t size_class = class_of(bytes);
  if (cache == nullptr && make_cache() == nullptr) {
    return depots[size_class].put(&block, 1, batch_of(size_class));
  }
  Cache::Stack& stack = cache->stacks[size_class];
  if (stack.top == stack.limit) {
    // The older half goes to the depot; the blocks that were used last are still in the CPU cache.
    const std::size_t count = batch_of(size_class);
    depots[size_class].put(stack.base, count, count);
    stack.top = std::copy(stack.base + count, stack.limit, stack.base);
  }
  *stack.top++ = block;
}

}  // namespace

void* pool_allocate(std::size_t bytes) {
  if (cache != nullptr && bytes <= pool_max_bytes) [[likely]] {
    Cache::Stack& stack = cache->stacks[class_of(bytes)];
    if (stack.last != nullptr) return std::exchange(stack.last, nullptr);
    if (stack.top != stack.base) [[likely]] return *--stack.top;
  }
  return allocate_slowly(bytes);
}

void pool_free(void* block, std::size_t bytes) noexcept {
  if (cache != nullptr && bytes <= pool_max_bytes) [[likely]] {
    Cache::Stack& stack = cache->stacks[class_of(bytes)];
    if (stack.last == nullptr) {
      stack.last = block;
      return;
    }
    if (stack.top != stack.limit) [[likely]] {
      *stack.top++ = block;
      return;
    }
  }
  free_slowly(block, bytes);
}

bool pool_trim() noexcept {
  constexpr std::size_t worth = std::size_t{1} << 20;
  std::size_t count = 0, bytes = 0, fresh = 0;
  for (std::size_t i = 0; i < class_count; ++i) {
    depots[i].lock();
    count += depots[i].count();
    bytes += depots[i].count() * bytes_of(i);
    fresh += depots[i].fresh() * bytes_of(i);
  }
  const bool is_worth_it = fresh >= std::max(worth, bytes / 32);
  const std::unique_ptr<Range[]> free(is_worth_it ? new (std::nothrow) Range[count] : nullptr);
  if (free) {
    Range* last = free.get();
    for (std::size_t i = 0; i < class_count; ++i) {
      depots[i].each([&last, i](void* block) {
        const auto begin = reinterpret_cast<std::uintptr_t>(block);
        *last++ = {begin, begin + bytes_of(i)};
      });
    }
    std::sort(free.get(), last, [](Range a, Range b) { return a.begin < b.begin; });
    try {
      discard_free_chunks({free.get(), last});
    } catch (const std::bad_alloc&) {
      // Then their pages are returned instead.
    }
    give_back({free.get(), last});
    for (Depot& depot : depots) depot.returned();
  }
  for (Depot& depot : depots) depot.unlock();
  return free != nullptr;
}

#endif

}  // namespace coracle::detail
