// Keepers of tuple spaces on a disk: the tuples in the space are there again after the program, or
// the power, has ended. A keeper writes a journal (docs/journal.md) in a folder of its own.
#pragma once

#include "coracle/disk.hpp"
#include "coracle/tuple_keeper.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace coracle::durable {

// Settings of a keeper.
struct TupleOptions {
  // A file that is longer gets a successor; an old file is removed when little of it is needed.
  std::uint64_t segment_bytes = 4u << 20;
  // The bytes that are kept free, so that tuples can be taken when the disk is full.
  std::uint64_t reserve_bytes = 1u << 20;
  // The largest size of an encoded tuple.
  std::uint32_t tuple_bytes = 1u << 20;
};

// Makes a keeper on `disk`, which nobody else uses. `disk` and `random` outlive the keeper.
std::shared_ptr<TupleKeeper> tuple_keeper(Disk& disk, TupleOptions options = {},
                                          Random& random = machine_random());
// Makes a keeper in a folder of the machine. Fails as posix_disk() does.
std::shared_ptr<TupleKeeper> tuple_keeper(const std::string& folder, TupleOptions options = {});

}  // namespace coracle::durable
