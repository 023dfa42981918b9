// A Tileworld for the IRMA of the paper's section 2.2, after Bratman, Israel and Pollack: holes
// open and close, and an agent carries tiles to them. What its modules think is a function of what
// is believed; nothing here talks to anybody.
#pragma once

#include <string>
#include <vector>

namespace irma {

struct Cell {
  int x = 0;
  int y = 0;
  bool operator==(const Cell&) const = default;
};

// Worth `score` to whoever fills it before cycle `closes`.
struct Hole {
  std::string name;
  Cell where;
  int score = 0;
  int opens = 0;
  int closes = 0;
};

// What the agent is about: a hole, and, as soon as that is decided, by which tile.
struct Intention {
  std::string hole;  // empty: nothing
  Cell tile;
  bool has_tile = false;
};

// What is known in one cycle.
struct Beliefs {
  static constexpr std::string_view content_type = "irma/beliefs/v1";
  int cycle = 0;
  std::vector<std::string> map;  // # is in the way
  Cell agent;
  bool carries = false;  // a tile
  std::vector<Cell> tiles;
  std::vector<Hole> holes;
  Intention intention;

  const Hole* hole(const std::string& name) const noexcept;
  // How many steps it takes from one cell to another; more than anybody has time for if there is no
  // way. And the first of them.
  int steps(Cell from, Cell to) const;
  Cell towards(Cell from, Cell to) const;
  // The same from here by the best tile to a hole; by the tile of the intention, where that is it.
  int steps(const Hole& hole) const;
};

// Something that could be intended.
struct Option {
  Intention intention;
  int score = 0;
  int steps = 0;
  std::string verdict;
};

// What one module has to offer in one cycle, and what the filter has taken out of it.
struct Thoughts {
  static constexpr std::string_view content_type = "irma/thoughts/v1";
  std::string by;
  Beliefs beliefs;
  std::vector<Option> options;
  std::vector<Option> filtered_out;
};

// What was decided, and how: a line for each option.
struct Decision {
  static constexpr std::string_view content_type = "irma/decision/v1";
  Intention intention;
  std::vector<std::string> record;
};

// Means to the end that is intended: tiles.
Thoughts find_means(const Beliefs& beliefs);
// Other ends: holes that have opened just now; all, while nothing is intended.
Thoughts find_opportunities(const Beliefs& beliefs);
// Takes out what is not compatible with the intention: what leaves no time for it. But what is
// worth twice as much overrides the filter.
Thoughts filter(Thoughts thoughts);
// Weighs what is left, and what is intended, by what it yields for each step.
Decision deliberate(const std::vector<Thoughts>& all);

// The world.
class Tileworld {
 public:
  Tileworld(std::vector<std::string> map, Cell agent, std::vector<Cell> tiles,
            std::vector<Hole> holes);

  // What the agent sees, and what it is about.
  const Beliefs& beliefs() const noexcept { return beliefs_; }
  // One step of what is intended, and the next cycle. Says what has come of it, if anything has.
  std::string act(const Intention& intention);
  int score() const noexcept { return score_; }
  // Whether no hole is open, nor will be.
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
