#include "node_numbers.hpp"

#include "runtime/node/node_core.hpp"

#include <algorithm>

namespace coracle::detail {

std::uint64_t NodeNumbers::token() noexcept {
  if (node_.is_driven() || node_.remote() == nullptr) return ++tokens_ * 0x9e3779b97f4a7c15;
  return std::max<std::uint64_t>(1, machine_random().next());
}

std::uint64_t NodeNumbers::next_tap() noexcept { return (taps_.fetch_add(1) + 1) ^ begin() << 24; }

}  // namespace coracle::detail
