// The waits that inspections have seen, and when for the first time. A receive keeps no time of its
// own, so that it costs nothing when nobody looks.
#pragma once

#include "coracle/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace coracle::detail {

class SeenWaits {
 public:
  static constexpr std::size_t most = 4096;

  // The wait at that address is seen; its agent has sent and consumed so many messages. Returns the
  // time at which it was first seen with these numbers.
  Time first(const void* wait, std::uint64_t sent, std::uint64_t consumed, Time present) {
    if (seen_.size() >= most) seen_.clear();
    Seen& seen = seen_.try_emplace(wait, Seen{sent, consumed, present}).first->second;
    if (seen.sent != sent || seen.consumed != consumed) seen = {sent, consumed, present};
    return seen.first;
  }

 private:
  struct Seen {
    std::uint64_t sent, consumed;
    Time first;
  };
  std::unordered_map<const void*, Seen> seen_;
};

}  // namespace coracle::detail
