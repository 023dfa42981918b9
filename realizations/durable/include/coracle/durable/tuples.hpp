// Keepers of tuple spaces on a disk: what was put out is there after the program, or the power, has
// ended. They write a journal (docs/journal.md) in a folder of their own.
#pragma once

#include "coracle/disk.hpp"
#include "coracle/tuple_keeper.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace coracle::durable {

// Settings of a keeper.
struct TupleOptions {
  // A file that is longer gets a successor; old ones go when little of them is needed.
  std::uint64_t segment_bytes = 4u << 20;
  // Kept free, so that tuples can be taken when the disk is full.
  std::uint64_t reserve_bytes = 1u << 20;
  // The longest tuple, encoded.
  std::uint32_t tuple_bytes = 1u << 20;
};

// A keeper on `disk`, which nobody else uses and which, like `random`, outlives it.
std::shared_ptr<TupleKeeper> tuple_keeper(Disk& disk, TupleOptions options = {},
                                          Random& random = machine_random());
// A keeper in a folder of the machine. Fails as posix_disk() does.
std::shared_ptr<TupleKeeper> tuple_keeper(const std::string& folder, TupleOptions options = {});

}  // namespace coracle::durable
