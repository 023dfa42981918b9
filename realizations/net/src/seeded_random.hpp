// Randomness that can be repeated: the same seed gives the same numbers, on every machine.
#pragma once

#include "coracle/clock.hpp"

#include <atomic>
#include <cstdint>

namespace coracle::net {

// SplitMix64 (Steele, Lea and Flood, 2014). No secret may depend on it.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() override {
    constexpr std::uint64_t step = 0x9e3779b97f4a7c15;
    std::uint64_t z = state_.fetch_add(step, std::memory_order_relaxed) + step;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

 private:
  std::atomic<std::uint64_t> state_;
};

// A number from `least` to `most`, both included. Spans of up to 2^32 are even enough for faults.
inline std::uint64_t between(Random& random, std::uint64_t least, std::uint64_t most) {
  if (most <= least) return least;
  const std::uint64_t span = most - least;
  return span == ~std::uint64_t{0} ? random.next() : least + random.next() % (span + 1);
}

// A span of time from `least` to `most`.
inline Duration between(Random& random, Duration least, Duration most) {
  if (most <= least) return least;
  return least + Duration(static_cast<Duration::rep>(
                     between(random, 0, static_cast<std::uint64_t>((most - least).count()))));
}

// Returns true with a probability of `percent`.
inline bool chance(Random& random, unsigned percent) {
  return percent > 0 && random.next() % 100 < percent;
}

}  // namespace coracle::net
