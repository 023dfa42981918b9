// The place where wires of a subsumption network meet. It decides which signal passes, as a
// function of the wires and the time.
// Tests: dispel/tests/subsumption/junction_test.cpp.
#pragma once

#include "coracle/clock.hpp"

#include <cstdint>
#include <vector>

namespace coracle::dispel::detail {

// One input with its wire (rank 0) and the outputs that suppress it, or one output (rank 0) with
// the outputs that inhibit it. A higher rank beats a lower one: a signal of a higher rank holds
// down the lower ranks from that moment until its time constant has passed; at exactly that time it
// no longer does.
class Junction {
 public:
  Junction() = default;
  // The time constants of ranks 1, 2, ….
  explicit Junction(std::vector<Duration> constants) : constants_(std::move(constants)) {
    until_.assign(constants_.size(), Time::min());
  }

  // A signal comes over the wire of that rank, which exists. Returns whether the signal passes: it
  // does unless a higher rank holds it down. Its own effect on lower ranks begins anew either way.
  bool arrive(std::uint32_t rank, Time now) noexcept {
    if (rank > 0) {
      const Duration constant = constants_[rank - 1];
      until_[rank - 1] = constant > Time::max() - now ? Time::max() : now + constant;
    }
    for (std::size_t above = rank; above < until_.size(); ++above) {
      if (now < until_[above]) return false;
    }
    return true;
  }
  // The rank that holds the wire itself down now; zero: none.
  std::uint32_t holder(Time now) const noexcept {
    for (std::size_t rank = until_.size(); rank > 0; --rank) {
      if (now < until_[rank - 1]) return static_cast<std::uint32_t>(rank);
    }
    return 0;
  }
  // The number of ranks beside the wire.
  std::size_t ranks() const noexcept { return constants_.size(); }

 private:
  std::vector<Duration> constants_;
  std::vector<Time> until_;
};

}  // namespace coracle::dispel::detail
