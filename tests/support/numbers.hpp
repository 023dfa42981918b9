// Random numbers that are the same in each run, on every thread.
#pragma once

#include "coracle/clock.hpp"

#include <atomic>
#include <cstdint>

namespace coracle::test {

class Numbers final : public Random {
 public:
  std::uint64_t next() override { return state_ += 0x9e3779b97f4a7c15U; }

 private:
  std::atomic<std::uint64_t> state_{1};
};

}  // namespace coracle::test
