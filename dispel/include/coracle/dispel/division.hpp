// How a master divides its work.
#pragma once

#include <cstdint>

namespace coracle::dispel {

// Who gets how much, and when.
enum class Shares : std::uint8_t {
  fixed,    // each slave has an equal part of all tasks from the beginning
  dynamic,  // whoever has little to do gets the next chunk
  guided,   // the same, with chunks that are large at first and small at the end
};

// Settings of one division.
struct Division {
  Shares shares = Shares::guided;
  // How many tasks travel together: of dynamic shares always, of guided ones at least; and at most.
  std::uint32_t chunk = 1;
  std::uint32_t most = 1024;
  // Whether on_result() is told of results in the order of their tasks, or as they come.
  bool ordered = false;
  // How far those that are given out may be ahead of the first whose result is missing.
  std::uint64_t ahead = 1'000'000;
  // A task that so many slaves died of while they had nothing else ends the division.
  std::uint8_t attempts = 5;
};

}  // namespace coracle::dispel
