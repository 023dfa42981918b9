// What has the tuples of a space survive its node: a seam, so that this layer knows no files.
// Realizations: coracle/durable/tuples.hpp. Contract: tests/tuples/durable_test.cpp.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/result.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coracle {

// Keeps tuples for one space at a time. Its calls may block; they are made on the space's worker.
class TupleKeeper {
 public:
  // A tuple that was kept.
  struct Kept {
    std::uint64_t number = 0;  // never zero
    std::uint64_t key = 0;     // of the request that brought it; zero: of none
    std::vector<std::byte> bytes;
    Duration left = Duration::max();
  };

  virtual ~TupleKeeper() = default;

  // What is kept, in the order in which it came. Called once by each space, before all else. Fails
  // with what the disk says.
  virtual Result<std::vector<Kept>> open(Time now) = 0;
  // Keeps a tuple, and gives its number. It is safe once sync() has returned. Fails with
  // Errc::disk_full, Errc::too_large, or what the disk says; then nothing has changed.
  virtual Result<std::uint64_t> keep(std::uint64_t key, std::span<const std::byte> bytes,
                                     Duration left, Time now) = 0;
  // These are gone. Fails with what the disk says.
  virtual Result<void> forget(std::span<const std::uint64_t> numbers) = 0;
  // Returns when all that was said is safe. Fails with Errc::disk_full, and may be tried again, or
  // for good with what the disk says.
  virtual Result<void> sync(Time now) = 0;
};

}  // namespace coracle
