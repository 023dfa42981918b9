// Exact answers about the puzzle, by shortest paths in the graph of all states between moves.
#pragma once

#include "board.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hanoi {

// The least number of cycles that a colour needs, from any state, if the other colour does not
// matter.
class Distance {
 public:
  Distance(Setting setting, Colour colour);
  std::int64_t from(const Board& board) const;

 private:
  Setting setting_;
  Colour colour_;
  std::vector<std::int32_t> cycles_;
};

// The best results that are possible.
struct Optimum {
  // The earliest time for red alone, for green alone, and for both.
  std::int64_t red = 0;
  std::int64_t green = 0;
  std::int64_t both = 0;
  // The times at which red and green are complete, for all Pareto-optimal plans.
  std::vector<std::pair<std::int64_t, std::int64_t>> front;
  // A plan that takes `both` cycles, and is one of those plans.
  std::vector<std::string> plan;
};

Optimum optimum(const Setting& setting);

}  // namespace hanoi
