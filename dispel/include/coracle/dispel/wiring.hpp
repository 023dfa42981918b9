// Where a stage of a pipeline stands: who supplies it and whom it supplies. Made by Pipeline.
#pragma once

#include "coracle/name.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coracle::dispel {

// Limits of the flow between two stages, the same for all of a pipeline.
struct Flow {
  // How many items a supplier may have given to one consumer that are not yet done with, and how
  // many bytes: that is what one connection takes in memory, whatever the speeds.
  std::uint32_t window = 4096;
  std::size_t window_bytes = std::size_t{16} << 20;
  // How many items travel together at most.
  std::uint32_t batch = 256;
};

// One supplier of a stage.
struct Supplier {
  // Who it is, and how many lanes it has.
  Name name;
  std::uint32_t lanes = 1;
  // Its first lane, as this stage numbers them. Replicas whose order is kept share their lanes.
  std::uint32_t first_lane = 0;
  // Replicas of one filter whose order is kept have the same number; zero: order as it comes.
  std::uint32_t ordered_group = 0;
};

// All that a stage knows of its pipeline.
struct Wiring {
  std::vector<Supplier> suppliers;
  // Each gets every item, unless they are `dealt`: then they are replicas of one filter, and item n
  // goes to consumer n modulo their number.
  std::vector<Name> consumers;
  bool dealt = false;
  // Whether somebody after this stage brings items into their order again, and so must know which
  // numbers do not come.
  bool marks = false;
  // How many lanes this stage has.
  std::uint32_t lanes = 1;
  Flow flow;
  // The group of those who want to know when it has ended; may be empty.
  Name keepers;
};

}  // namespace coracle::dispel
