// Helpers that the campaigns share: their size, the state that processes share, the memory that one
// of them takes, and the figures of the table at the end.
#pragma once

#include "support/watchdog.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <thread>

#include <sys/mman.h>

namespace coracle::test {

// The number in that environment variable; without it, the number for the short form.
std::size_t campaign_size(const char* variable, std::size_t otherwise);
// Returns whether this is a campaign, whose figures are judged; the short form judges no durations.
bool is_campaign();
// One line of the table: the subject, the value seen, the value required.
void figure(const std::string& what, const std::string& seen, const std::string& wanted);
std::string to_mebibytes(std::uint64_t bytes);
// Waits while something is measured.
void let_pass(std::chrono::nanoseconds span);

// State that this process shares with those that it forks later.
template <class T>
class Common {
 public:
  Common() {
    void* const page =
        ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) throw std::bad_alloc();
    value_ = new (page) T();
  }
  ~Common() { ::munmap(value_, sizeof(T)); }
  Common(const Common&) = delete;
  Common& operator=(const Common&) = delete;

  T* operator->() const noexcept { return value_; }
  T& operator*() const noexcept { return *value_; }

 private:
  T* value_;
};

// The memory of a process over some time: its size at the beginning, and its maximum.
struct Memory {
  std::atomic<std::uint32_t> wanted{0}, measured{0};  // beginnings: requested and noted
  std::atomic<std::uint64_t> resident{0}, most_resident{0};
  std::atomic<std::uint64_t> allocated{0}, most_allocated{0};  // by the program itself
  // The files that are open besides those at the beginning, and the memory allocated for each when
  // there were many.
  std::atomic<std::uint64_t> most_open{0}, most_for_one{0};

  // Starts a new measurement; waits until it has started.
  void begin();
  std::uint64_t grown() const { return most_resident - resident; }
};

// Sanitizers keep released memory.
inline constexpr bool is_memory_judged = slowness == 1;

// Measures the memory of its own process, again and again.
class Meter {
 public:
  explicit Meter(Memory& memory);
  ~Meter();
  Meter(const Meter&) = delete;
  Meter& operator=(const Meter&) = delete;

 private:
  void run();

  Memory& memory_;
  std::mutex mutex_;  // guards is_over_
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace coracle::test
