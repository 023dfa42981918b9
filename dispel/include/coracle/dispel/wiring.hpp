// The place of a stage in a pipeline: its suppliers and its consumers. Made by Pipeline.
#pragma once

#include "coracle/name.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coracle::dispel {

// Limits of the flow between two stages, the same for all of a pipeline.
struct Flow {
  // The limits of the items, and of their bytes, that a supplier may have given to one consumer and
  // that are not yet done with. One connection takes that much memory, whatever the speeds.
  std::uint32_t window = 4096;
  std::size_t window_bytes = std::size_t{16} << 20;
  // The largest number of items in a batch.
  std::uint32_t batch = 256;
};

// One supplier of a stage.
struct Supplier {
  // Its name, and the number of its lanes.
  Name name;
  std::uint32_t lanes = 1;
  // Its first lane, as this stage numbers them. Replicas whose order is kept share their lanes.
  std::uint32_t first_lane = 0;
  // Replicas of one filter whose order is kept have the same number; zero: order as it comes.
  std::uint32_t ordered_group = 0;
};

// Everything that a stage knows of its pipeline.
struct Wiring {
  std::vector<Supplier> suppliers;
  // Each consumer gets every item, unless they are `dealt`: then they are replicas of one filter,
  // and item n goes to consumer n modulo their number.
  std::vector<Name> consumers;
  bool dealt = false;
  // True if a later stage restores the order of items, and so must know which numbers do not come.
  bool marks = false;
  // The number of lanes of this stage.
  std::uint32_t lanes = 1;
  Flow flow;
  // The group of the keepers, which receive the news of this stage's end; may be empty.
  Name keepers;
};

}  // namespace coracle::dispel
