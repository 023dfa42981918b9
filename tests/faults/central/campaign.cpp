#include "campaign.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace coracle::test {

namespace {

constexpr std::uint64_t many_open = 64;
constexpr auto between_looks = std::chrono::milliseconds(5);

std::uint64_t resident_now() {
  std::uint64_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t open_now() {
  const auto all = std::filesystem::directory_iterator("/proc/self/fd");
  return static_cast<std::uint64_t>(std::distance(begin(all), end(all)));
}

std::uint64_t allocated_now() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

void raise_to(std::atomic<std::uint64_t>& most, std::uint64_t value) {
  if (value > most) most = value;
}

}  // namespace

std::size_t campaign_size(const char* variable, std::size_t otherwise) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

bool is_campaign() { return std::getenv("CORACLE_CAMPAIGN") != nullptr; }

void figure(const std::string& what, const std::string& seen, const std::string& wanted) {
  std::cout << "figure: " << what << " | " << seen << " | " << wanted << std::endl;
}

std::string to_mebibytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

void let_pass(std::chrono::nanoseconds span) {
  std::mutex mutex;
  std::condition_variable nothing;
  std::unique_lock lock(mutex);
  (void)nothing.wait_for(lock, span, [] { return false; });
}

void Memory::begin() {
  const std::uint32_t number = ++wanted;
  while (measured != number) std::this_thread::yield();
}

Meter::Meter(Memory& memory) : memory_(memory), thread_([this] { run(); }) {}

Meter::~Meter() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  over_.notify_one();
  thread_.join();
}

void Meter::run() {
  std::uint64_t open = 0;
  for (;;) {
    const std::uint64_t resident = resident_now(), allocated = allocated_now(), now = open_now();
    if (const std::uint32_t wanted = memory_.wanted; memory_.measured != wanted) {
      memory_.resident = memory_.most_resident = resident;
      memory_.allocated = memory_.most_allocated = allocated;
      memory_.most_open = memory_.most_for_one = 0;
      open = now;
      memory_.measured = wanted;
    }
    raise_to(memory_.most_resident, resident);
    raise_to(memory_.most_allocated, allocated);
    const std::uint64_t more = now - std::min(now, open);
    raise_to(memory_.most_open, more);
    if (more >= many_open && allocated > memory_.allocated)
      raise_to(memory_.most_for_one, (allocated - memory_.allocated) / more);
    std::unique_lock lock(mutex_);
    if (over_.wait_for(lock, between_looks, [this] { return is_over_; })) return;
  }
}

}  // namespace coracle::test
