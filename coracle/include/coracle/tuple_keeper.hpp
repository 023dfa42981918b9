// The interface by which the tuples of a space survive its node; so this layer does not depend on
// files.
// Realizations: coracle/durable/tuples.hpp. Tests: tests/tuples/durable_test.cpp.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coracle {

// Keeps tuples for one space at a time. Its calls may block; the space's worker makes them.
class TupleKeeper {
 public:
  // A tuple that was kept.
  struct Kept {
    std::uint64_t number = 0;  // never zero
    std::uint64_t key = 0;     // of the request that stored it; zero: of none
    std::vector<std::byte> bytes;
    Duration left = Duration::max();
  };

  virtual ~TupleKeeper() = default;

  // The kept tuples, in the order in which they came. Each space calls this once, before all else.
  // Fails with the error of the disk.
  virtual Result<std::vector<Kept>> open(Time now) = 0;
  // Keeps a tuple, and returns its number. The tuple is safe once sync() has returned. Fails with
  // Errc::disk_full, Errc::too_large, or the error of the disk; then nothing has changed.
  virtual Result<std::uint64_t> keep(std::uint64_t key, std::span<const std::byte> bytes,
                                     Duration left, Time now) = 0;
  // Removes these tuples. Fails with the error of the disk.
  virtual Result<void> forget(std::span<const std::uint64_t> numbers) = 0;
  // Returns when all changes so far are safe. Fails with Errc::disk_full, and may be tried again,
  // or for good with the error of the disk.
  virtual Result<void> sync(Time now) = 0;
};

}  // namespace coracle
