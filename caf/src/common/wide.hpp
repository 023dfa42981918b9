// Whole numbers of 128 bits, for intermediate results that must not overflow.
#pragma once

#include "coracle/errors.hpp"

#include <cstdint>

namespace coracle::caf {

__extension__ typedef __int128 Wide;

// Returns `value` in 64 bits. Fails with Errc::limit_reached.
inline std::int64_t narrow(Wide value) {
  if (value > INT64_MAX || value < -INT64_MAX) {
    throw Error(Errc::limit_reached,
                "a tally needs numbers of more than 63 bits to be exact; use smaller weights and "
                "scores, or such with fewer different denominators");
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace coracle::caf
