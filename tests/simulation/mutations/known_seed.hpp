// The seed that finds a mutation: most of them are found by few of many seeds.
#pragma once

#include <cstdint>
#include <iostream>
#include <optional>

namespace coracle::test {

// Returns a seed of 1 to `allowed` for which `finds` is true, or nothing. It tries the seed `known`
// first, which was found before. After a change of what a seed plays, that may be another one:
// then it tries all of them and prints that the known one is out of date.
template <typename Finds>
std::optional<std::uint64_t> seed_that_finds(std::uint64_t known, std::uint64_t allowed,
                                             Finds finds) {
  if (known >= 1 && known <= allowed) {
    if (finds(known)) return known;
    std::cout << "seed " << known << " no longer finds the mutation; all are tried" << std::endl;
  }
  for (std::uint64_t seed = 1; seed <= allowed; ++seed) {
    if (seed != known && finds(seed)) return seed;
  }
  return std::nullopt;
}

}  // namespace coracle::test
