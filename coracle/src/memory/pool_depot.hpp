// The source of the pool's blocks, and the depots where threads exchange surplus blocks.
#pragma once

#include "coracle/detail/pool.hpp"

#include "large_pages.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <new>
#include <utility>

namespace coracle::detail {

inline constexpr std::size_t pool_granule = 16;
inline constexpr std::size_t line_bytes = 64;
inline constexpr std::size_t class_count = pool_max_bytes / pool_granule + 1;
inline constexpr std::size_t chunk_bytes = 64 * 1024;
inline constexpr std::size_t small_chunks = 64;  // later ones are large
inline constexpr std::size_t batch_max = 64;

constexpr std::size_t class_of(std::size_t bytes) {
  return (bytes + pool_granule - 1) / pool_granule;
}
constexpr std::size_t bytes_of(std::size_t size_class) {
  return size_class == 0 ? pool_granule : size_class * pool_granule;
}

// The number of blocks that threads exchange at once: 64, or fewer where 64 would be much memory.
constexpr std::size_t batch_of(std::size_t size_class) {
  return std::clamp<std::size_t>(16 * 1024 / bytes_of(size_class), 16, batch_max);
}

// Blocks that move from one thread to another. The blocks themselves are not touched: a list
// threaded through them would cost the next owner one cache miss for each block.
struct Batch {
  Batch* next = nullptr;
  std::size_t count = 0;
  std::array<void*, batch_max> blocks;
};

// Memory that came from the heap, kept in a list so that it stays reachable.
struct Chunk {
  Chunk* next;
  std::size_t bytes;
  std::size_t blocks;  // that were cut out of it
};

// Cuts blocks out of chunks, for all classes.
class Quarry {
 public:
  // Fills `blocks` with `count` new blocks; the first is the last to be used.
  void cut(std::size_t size_class, void** blocks, std::size_t count) {
    const std::size_t bytes = bytes_of(size_class);
    const std::scoped_lock lock(mutex_);
    if (bytes % line_bytes == 0) at_ = (at_ + line_bytes - 1) / line_bytes * line_bytes;
    for (std::size_t i = count; i-- > 0;) {
      if (at_ + bytes > end_) open_chunk();
      blocks[i] = reinterpret_cast<std::byte*>(chunks_) + at_;
      at_ += bytes;
      ++chunks_->blocks;
      ++cut_;
    }
  }

  // Returns the memory to the heap if `at_home` is the number of all blocks that were ever cut.
  bool close(std::size_t at_home) noexcept {
    const std::scoped_lock lock(mutex_);
    if (cut_ != at_home) return false;
    while (chunks_ != nullptr) discard(std::exchange(chunks_, chunks_->next));
    cut_ = opened_ = at_ = end_ = 0;
    return true;
  }

  // Calls `use` for each chunk that will not be cut any more.
  template <class Use>
  void each_full(Use use) {
    const std::scoped_lock lock(mutex_);
    if (chunks_ == nullptr) return;
    for (Chunk* chunk = chunks_->next; chunk != nullptr; chunk = chunk->next) use(*chunk);
  }

  // Returns the full chunks to the heap for which `is_free` is true: nobody uses a block of them.
  template <class IsFree>
  void discard_full(IsFree is_free) noexcept {
    const std::scoped_lock lock(mutex_);
    if (chunks_ == nullptr) return;
    for (Chunk** link = &chunks_->next; *link != nullptr;) {
      Chunk* const chunk = *link;
      if (!is_free(*chunk)) {
        link = &chunk->next;
        continue;
      }
      *link = chunk->next;
      cut_ -= chunk->blocks;
      --opened_;
      discard(chunk);
    }
  }

 private:
  static void discard(Chunk* chunk) noexcept {
    const bool is_large = chunk->bytes == large_page;
    if (is_large) end_large_pages(chunk, large_page);
    ::operator delete(chunk, std::align_val_t{is_large ? large_page : line_bytes});
  }

  // When there is no memory, the blocks that the caller has cut so far are lost in their chunk.
  void open_chunk() {
    const bool is_large = opened_ >= small_chunks;
    const std::size_t bytes = is_large ? large_page : chunk_bytes;
    void* memory = ::operator new (bytes, std::align_val_t{is_large ? large_page : line_bytes});
    if (is_large) want_large_pages(memory, bytes);
    chunks_ = new (memory) Chunk{chunks_, bytes, 0};
    ++opened_;
    at_ = line_bytes;
    end_ = bytes;
  }

  std::mutex mutex_;  // guards all below
  Chunk* chunks_ = nullptr;
  std::size_t opened_ = 0;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::size_t cut_ = 0;
};

// Surplus blocks of threads; there is one depot per class.
class alignas(line_bytes) Depot {
 public:
  // Moves up to one batch into `blocks`; returns the number of blocks, 0 when there are none.
  std::size_t take(void** blocks) noexcept {
    const std::scoped_lock lock(mutex_);
    if (full_ == nullptr) return 0;
    Batch* batch = full_;
    full_ = batch->next;
    std::copy_n(batch->blocks.data(), batch->count, blocks);
    batch->next = empty_;
    empty_ = batch;
    count_ -= batch->count;
    returned_ = std::min(returned_, count_);
    return batch->count;
  }

  // Takes `count` blocks, at most one batch; `limit` is a batch of this class.
  void put(void* const* blocks, std::size_t count, std::size_t limit) noexcept {
    const std::scoped_lock lock(mutex_);
    add(blocks, count, limit);
  }

  // Returns one block, or nullptr.
  void* take_one() noexcept {
    const std::scoped_lock lock(mutex_);
    if (full_ == nullptr) return nullptr;
    Batch* batch = full_;
    void* block = batch->blocks[--batch->count];
    returned_ = std::min(returned_, --count_);
    if (batch->count == 0) {
      full_ = batch->next;
      batch->next = empty_;
      empty_ = batch;
    }
    return block;
  }

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

  // The number of blocks here. Requires the lock.
  std::size_t count() const noexcept { return count_; }
  // The number of those that came since returned(). Requires the lock.
  std::size_t fresh() const noexcept { return count_ - returned_; }
  // The memory of all blocks here was returned to the system. Requires the lock.
  void returned() noexcept { returned_ = count_; }

  // Calls `use` for each block here. Requires the lock.
  template <class Use>
  void each(Use use) const {
    for (const Batch* batch = full_; batch != nullptr; batch = batch->next) {
      for (std::size_t i = 0; i < batch->count; ++i) use(batch->blocks[i]);
    }
  }

  // Forgets the blocks for which `is_gone` is true, and frees lists that are empty then. Requires
  // the lock.
  template <class IsGone>
  void forget(std::size_t limit, IsGone is_gone) noexcept {
    Batch* old = std::exchange(full_, nullptr);
    count_ = 0;
    while (old != nullptr) {
      Batch* const batch = std::exchange(old, old->next);
      const std::array<void*, batch_max> blocks = batch->blocks;
      const std::size_t count = batch->count;
      batch->next = std::exchange(empty_, batch);
      for (std::size_t i = 0; i < count; ++i)
        if (!is_gone(blocks[i])) add(&blocks[i], 1, limit);
    }
    free_all(empty_);
  }

  // Forgets all blocks, after their memory was returned. Requires the lock.
  void clear() noexcept {
    free_all(full_);
    free_all(empty_);
    count_ = returned_ = 0;
  }

 private:
  static void free_all(Batch*& list) noexcept {
    while (list != nullptr) delete std::exchange(list, list->next);
  }

  void add(void* const* blocks, std::size_t count, std::size_t limit) noexcept {
    if (full_ != nullptr && full_->count + count <= limit) {
      // Joining batches keeps many ending threads from leaving many small batches.
      std::copy_n(blocks, count, full_->blocks.data() + full_->count);
      full_->count += count;
      count_ += count;
      return;
    }
    Batch* batch = empty_;
    if (batch != nullptr) empty_ = batch->next;
    else batch = new (std::nothrow) Batch;
    if (batch == nullptr) return;  // out of memory: these blocks stay unused in their chunk
    std::copy_n(blocks, count, batch->blocks.data());
    batch->count = count;
    batch->next = full_;
    full_ = batch;
    count_ += count;
  }

  std::mutex mutex_;  // guards all below
  Batch* full_ = nullptr;
  Batch* empty_ = nullptr;
  std::size_t count_ = 0;
  // The blocks that came first leave last, so these are the first ones.
  std::size_t returned_ = 0;
};

}  // namespace coracle::detail
