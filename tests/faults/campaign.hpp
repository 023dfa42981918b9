// What campaigns share: how large they are, what processes know of each other, how much memory one
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

// The number that the environment gives, else the one for the short form.
std::size_t campaign_size(const char* variable, std::size_t otherwise);
// Whether this is a campaign, whose figures are judged; the short form judges no durations.
bool is_campaign();
// One line of the table: what was looked at, what was seen, what is wanted.
void figure(const std::string& what, const std::string& seen, const std::string& wanted);
std::string to_mebibytes(std::uint64_t bytes);
// Lets that time pass, in which something is measured.
void let_pass(std::chrono::nanoseconds span);

// Something that this process and those that it forks later have in common.
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

// The memory of a process over some time: what it had when that began, and the most that it had.
struct Memory {
  std::atomic<std::uint32_t> wanted{0}, measured{0};  // beginnings: asked for, and noted
  std::atomic<std::uint64_t> resident{0}, most_resident{0};
  std::atomic<std::uint64_t> allocated{0}, most_allocated{0};  // by the program itself
  // Files that are open besides those at the beginning, and what was allocated for each when there
  // were many.
  std::atomic<std::uint64_t> most_open{0}, most_for_one{0};

  // From now on; waits until that is so.
  void begin();
  std::uint64_t grown() const { return most_resident - resident; }
};

// Sanitizers keep what was given back.
inline constexpr bool is_memory_judged = slowness == 1;

// Looks at the memory of its own process, again and again.
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
