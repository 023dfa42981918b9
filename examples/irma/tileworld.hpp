// A Tileworld for the IRMA of the paper's section 2.2, after Bratman, Israel and Pollack: holes
// open and close, and an agent carries tiles to them. The thoughts of its modules are functions of
// the beliefs; nothing here exchanges messages.
#pragma once

#include <string>
#include <vector>

namespace irma {

struct Cell {
  int x = 0;
  int y = 0;
  bool operator==(const Cell&) const = default;
};

// A hole, worth `score` if it is filled before cycle `closes`.
struct Hole {
  std::string name;
  Cell where;
  int score = 0;
  int opens = 0;
  int closes = 0;
};

// The present intention: a hole, and, once decided, the tile for it.
struct Intention {
  std::string hole;  // empty: nothing
  Cell tile;
  bool has_tile = false;
};

// The agent's beliefs in one cycle.
struct Beliefs {
  static constexpr std::string_view content_type = "irma/beliefs/v1";
  int cycle = 0;
  std::vector<std::string> map;  // # is an obstacle
  Cell agent;
  bool carries = false;  // a tile
  std::vector<Cell> tiles;
  std::vector<Hole> holes;
  Intention intention;

  const Hole* hole(const std::string& name) const noexcept;
  // The number of steps from one cell to another (if there is no way, more than any deadline
  // allows), and the first of these steps.
  int steps(Cell from, Cell to) const;
  Cell towards(Cell from, Cell to) const;
  // The number of steps from here by the best tile to a hole; by the tile of the intention, if the
  // hole is the intended one.
  int steps(const Hole& hole) const;
};

// A possible intention.
struct Option {
  Intention intention;
  int score = 0;
  int steps = 0;
  std::string verdict;
};

// The options of one module in one cycle, and the options that the filter has removed.
struct Thoughts {
  static constexpr std::string_view content_type = "irma/thoughts/v1";
  std::string by;
  Beliefs beliefs;
  std::vector<Option> options;
  std::vector<Option> filtered_out;
};

// The decision, and its reasons: a line for each option.
struct Decision {
  static constexpr std::string_view content_type = "irma/decision/v1";
  Intention intention;
  std::vector<std::string> record;
};

// Finds means to the intended end: tiles.
Thoughts find_means(const Beliefs& beliefs);
// Finds other ends: holes that have opened just now; all holes, while nothing is intended.
Thoughts find_opportunities(const Beliefs& beliefs);
// Removes options that are not compatible with the intention, because they leave no time for it. An
// option that is worth twice as much overrides the filter.
Thoughts filter(Thoughts thoughts);
// Weighs the options that are left, and the intention, by their yield for each step.
Decision deliberate(const std::vector<Thoughts>& all);

// The world.
class Tileworld {
 public:
  Tileworld(std::vector<std::string> map, Cell agent, std::vector<Cell> tiles,
            std::vector<Hole> holes);

  // The agent's observations and its intention.
  const Beliefs& beliefs() const noexcept { return beliefs_; }
  // Does one step of the intention, and begins the next cycle. Returns a description of the result,
  // if there is one.
  std::string act(const Intention& intention);
  int score() const noexcept { return score_; }
  // Returns whether no hole is open and none will open.
  bool is_over() const noexcept;
  std::vector<std::string> picture() const;

 private:
  std::vector<Hole> to_come_;
  Beliefs beliefs_;
  int score_ = 0;
};

// The world of the example.
Tileworld yard();

}  // namespace irma
