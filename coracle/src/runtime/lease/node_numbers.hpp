// The numbers that a node gives out, unlike those of other nodes.
#pragma once

#include <atomic>
#include <cstdint>

namespace coracle::detail {

class NodeCore;

// Safe to call from every thread.
class NodeNumbers {
 public:
  explicit NodeNumbers(NodeCore& node) noexcept : node_(node) {}

  // Returns a number, not 0, that no other member can predict. Under a driver, the numbers are the
  // same in each run.
  std::uint64_t token() noexcept;
  // Returns a number unlike any other of the society, as far as chance allows.
  std::uint64_t next_tap() noexcept;
  // The start of this node's own numbers, so that those of two nodes differ.
  std::uint64_t begin() const noexcept;

 private:
  NodeCore& node_;
  std::atomic<std::uint64_t> tokens_{0}, taps_{0};
};

}  // namespace coracle::detail
