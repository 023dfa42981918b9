#include "coracle/agent.hpp"
#include "coracle/detail/pool.hpp"

#include "support/watchdog.hpp"

#include <boost/test/unit_test.hpp>

#include <malloc.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <latch>
#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace {

using coracle::detail::pool_allocate;
using coracle::detail::pool_free;
using coracle::detail::pool_max_bytes;
using coracle::detail::pool_trim;

bool is_aligned(const void* block, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
}

// Blocks that are filled with a mark of their own address, so that two blocks that overlap reveal
// each other.
struct Marked {
  unsigned char* block;
  std::size_t bytes;

  explicit Marked(std::size_t size)
      : block(static_cast<unsigned char*>(pool_allocate(size))), bytes(size) {
    std::memset(block, mark(), bytes);
  }
  unsigned char mark() const {
    return static_cast<unsigned char>(reinterpret_cast<std::uintptr_t>(block) / 16);
  }
  bool free() const {
    bool intact = true;
    for (std::size_t i = 0; i < bytes; ++i) intact = intact && block[i] == mark();
    pool_free(block, bytes);
    return intact;
  }
};

// A ring of one producer and one consumer, which wait without sleeping. One thread frees the blocks
// that another one sends.
class Ring {
 public:
  void push(void* block) {
    const std::size_t at = head_.load(std::memory_order_relaxed);
    while (at - tail_.load(std::memory_order_acquire) == slots_.size()) std::this_thread::yield();
    slots_[at % slots_.size()] = block;
    head_.store(at + 1, std::memory_order_release);
  }
  void* pop() {
    const std::size_t at = tail_.load(std::memory_order_relaxed);
    while (head_.load(std::memory_order_acquire) == at) std::this_thread::yield();
    void* block = slots_[at % slots_.size()];
    tail_.store(at + 1, std::memory_order_release);
    return block;
  }

 private:
  std::array<void*, 256> slots_{};
  std::atomic<std::size_t> head_{0}, tail_{0};
};

// Allocates in its constructor and frees in its destructor. For a static or a thread-local object,
// the destructor runs when the pool's own part for the thread may be gone.
struct Late {
  void* block = pool_allocate(48);
  ~Late() {
    pool_free(block, 48);
    pool_free(pool_allocate(100), 100);
  }
};
const Late outlives_main;

// Agents of unusual shapes.
struct alignas(128) Wide : coracle::Agent {
  coracle::Task<> run() override { co_return; }
};
struct Large : coracle::Agent {
  coracle::Task<> run() override { co_return; }
  std::array<char, 5000> more{};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(pool)

BOOST_AUTO_TEST_CASE(blocks_are_aligned_and_whole_lines_begin_with_a_line) {
  for (std::size_t bytes = 0; bytes <= pool_max_bytes + 64; ++bytes) {
    void* first = pool_allocate(bytes);
    void* second = pool_allocate(bytes);
    const std::size_t rounded = (bytes + 15) / 16 * 16;
    const std::size_t wanted = bytes != 0 && rounded % 64 == 0 ? 64 : 16;
    BOOST_TEST(is_aligned(first, wanted));
    BOOST_TEST(is_aligned(second, wanted));
    std::memset(first, 1, bytes);
    std::memset(second, 2, bytes);
    pool_free(first, bytes);
    pool_free(second, bytes);
  }
}

BOOST_AUTO_TEST_CASE(blocks_in_use_never_overlap) {
  std::vector<Marked> blocks;
  std::uint32_t random = 1;
  bool intact = true;
  for (int i = 0; i < 50'000; ++i) {
    random = random * 1664525 + 1013904223;
    if (blocks.size() < 2000 && random % 5 < 3) {
      blocks.emplace_back(random / 7 % (pool_max_bytes + 100));
    } else if (!blocks.empty()) {
      std::swap(blocks[random / 11 % blocks.size()], blocks.back());
      intact = blocks.back().free() && intact;
      blocks.pop_back();
    }
  }
  for (const Marked& block : blocks) intact = block.free() && intact;
  BOOST_TEST(intact);
}

BOOST_AUTO_TEST_CASE(blocks_freed_by_another_thread_come_back) {
  // A producer and a consumer need no more blocks than are under way or in their lists.
  Ring ring;
  constexpr int count = 100'000 / coracle::test::fewer;
  std::jthread consumer([&] {
    for (int i = 0; i < count; ++i) pool_free(ring.pop(), 208);
  });
  std::set<void*> different;
  for (int i = 0; i < count; ++i) {
    void* block = pool_allocate(208);
    std::memset(block, i & 255, 208);
    different.insert(block);
    ring.push(block);
  }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
  BOOST_TEST(different.size() < 2000u);
#endif
}

BOOST_AUTO_TEST_CASE(agents_of_any_size_and_alignment_come_from_it_and_go_back) {
  std::vector<std::unique_ptr<coracle::Agent>> agents;
  for (int i = 0; i < 100; ++i) {
    agents.push_back(std::make_unique<Wide>());
    BOOST_TEST(is_aligned(dynamic_cast<Wide*>(agents.back().get()), 128));
    agents.push_back(std::make_unique<Large>());
  }
}

BOOST_AUTO_TEST_CASE(a_thread_that_ends_leaves_its_blocks_to_others) {
  std::set<void*> different;
  for (int i = 0; i < 200; ++i) {
    std::jthread([&] {
      std::vector<void*> blocks;
      for (int j = 0; j < 300; ++j) different.insert(blocks.emplace_back(pool_allocate(336)));
      for (void* block : blocks) pool_free(block, 336);
    }).join();
  }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
  BOOST_TEST(different.size() < 1000u);
#endif
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
namespace {

std::size_t resident_pages() {
  std::size_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident;
}

bool trim() {
  const bool is_worth_it = pool_trim();
  ::malloc_trim(0);
  return is_worth_it;
}

constexpr std::size_t page = 4096;

}  // namespace

BOOST_AUTO_TEST_CASE(the_memory_of_free_blocks_goes_back_to_the_system_and_the_blocks_stay_usable) {
  constexpr std::size_t count = 100'000, bytes = 352;
  std::vector<Marked> blocks, kept;
  blocks.reserve(count);
  (void)trim();
  const std::size_t before = resident_pages();
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < count; ++i) (i % 1000 == 0 ? kept : blocks).emplace_back(bytes);
    BOOST_TEST(resident_pages() - before > count * bytes / page * 9 / 10);
    bool intact = true;
    for (const Marked& block : blocks) intact = block.free() && intact;
    blocks.clear();
    BOOST_TEST(trim());
    BOOST_TEST(resident_pages() - before < count * bytes / page / 5);
    BOOST_TEST(!trim());
    BOOST_TEST(intact);
  }
  bool intact = true;
  for (const Marked& block : kept) intact = block.free() && intact;
  BOOST_TEST(intact);
}

// The lists of so many free blocks would take 3.3 MB.
BOOST_AUTO_TEST_CASE(nothing_is_left_of_chunks_whose_blocks_are_all_free) {
  constexpr std::size_t count = 400'000, bytes = 64;
  std::vector<void*> blocks(count);
  (void)trim();
  const std::size_t before = resident_pages();
  for (int round = 0; round < 2; ++round) {
    for (void*& block : blocks) std::memset(block = pool_allocate(bytes), 1, bytes);
    BOOST_TEST(resident_pages() - before > count * bytes / page * 9 / 10);
    for (void* block : blocks) pool_free(block, bytes);
    BOOST_TEST(trim());
    BOOST_TEST(resident_pages() < before + (std::size_t{2} << 20) / page);
  }
}
#endif

BOOST_AUTO_TEST_CASE(thread_local_objects_may_use_the_pool_while_their_thread_ends) {
  std::jthread([] {
    thread_local Late before_the_pool;
    pool_free(pool_allocate(32), 32);
    thread_local Late after_the_pool;
    BOOST_TEST(before_the_pool.block != after_the_pool.block);
  }).join();
}

BOOST_AUTO_TEST_CASE(many_threads_trade_blocks_without_mixing_them_up) {
  std::array<Ring, 4> rings;
  std::latch start(4);
  std::atomic<int> broken{0};
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        // Many blocks at once: one by one, each would be a switch of threads on a machine with few
        // cores.
        for (int round = 0; round < 200 / coracle::test::fewer; ++round) {
          for (std::size_t n = 0; n < 100; ++n) rings[i].push(new Marked(16 + 16 * (n % 7)));
          for (std::size_t n = 0; n < 100; ++n) {
            auto* other = static_cast<Marked*>(rings[(i + 1) % 4].pop());
            if (!other->free()) ++broken;
            delete other;
          }
        }
      });
    }
  }
  BOOST_TEST(broken.load() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
