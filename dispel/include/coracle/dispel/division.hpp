// The ways in which a master divides its work.
#pragma once

#include <cstdint>

namespace coracle::dispel {

// The distribution of tasks among slaves.
enum class Shares : std::uint8_t {
  fixed,    // each slave has an equal part of all tasks from the beginning
  dynamic,  // a slave that has little to do gets the next chunk
  guided,   // the same, with chunks that are large at first and small at the end
};

// Settings of one division.
struct Division {
  Shares shares = Shares::guided;
  // The number of tasks in a chunk: `chunk` with dynamic shares, from `chunk` to `most` with guided
  // ones, at most `most` with fixed ones.
  std::uint32_t chunk = 1;
  std::uint32_t most = 1024;
  // If true, on_result() is called in the order of the tasks; if false, as the results come.
  bool ordered = false;
  // The limit of how far the tasks that are given out may be ahead of the first one whose result is
  // missing.
  std::uint64_t ahead = 1'000'000;
  // A task over which so many slaves died while they had nothing else ends the division.
  std::uint8_t attempts = 5;
};

}  // namespace coracle::dispel
