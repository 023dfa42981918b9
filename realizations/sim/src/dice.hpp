// The simulator's randomness: the same numbers from the same seed on every machine.
// xoshiro256++ (Blackman and Vigna), its state filled by splitmix64, as they advise.
#pragma once

#include "coracle/clock.hpp"

#include <array>
#include <bit>

namespace coracle::sim::detail {

class Dice final : public Random {
 public:
  explicit Dice(std::uint64_t seed) noexcept {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15;
      std::uint64_t mixed = seed;
      mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
      mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
      word = mixed ^ mixed >> 31;
    }
  }

  std::uint64_t next() override { return roll(); }

  // A number below `count`, which fits into 32 bits.
  std::size_t below(std::size_t count) noexcept {
    return static_cast<std::size_t>((roll() >> 32) * count >> 32);
  }

 private:
  std::uint64_t roll() noexcept {
    auto& [a, b, c, d] = state_;
    const std::uint64_t result = std::rotl(a + d, 23) + a;
    const std::uint64_t shifted = b << 17;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = std::rotl(d, 45);
    return result;
  }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace coracle::sim::detail
