// The bytes that letters take while they come, for all connections together.
// Tests: gateways/iiop/tests/letter_stream_test.cpp
#pragma once

#include <atomic>
#include <cstddef>

namespace coracle::fipa {

class Budget {
 public:
  explicit Budget(std::size_t bytes) noexcept : left_(bytes) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  bool take(std::size_t bytes) noexcept {
    std::size_t left = left_.load(std::memory_order_relaxed);
    while (left >= bytes) {
      if (left_.compare_exchange_weak(left, left - bytes, std::memory_order_relaxed)) return true;
    }
    return false;
  }
  void give_back(std::size_t bytes) noexcept { left_.fetch_add(bytes, std::memory_order_relaxed); }

 private:
  std::atomic<std::size_t> left_;
};

// The bytes that one letter has taken; given back at its end.
class Share {
 public:
  explicit Share(Budget& budget) noexcept : budget_(budget) {}
  ~Share() { budget_.give_back(bytes_); }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;

  bool take(std::size_t bytes) noexcept {
    if (!budget_.take(bytes)) return false;
    bytes_ += bytes;
    return true;
  }

 private:
  Budget& budget_;
  std::size_t bytes_ = 0;
};

}  // namespace coracle::fipa
