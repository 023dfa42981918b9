// A building for Huey, the robot of the paper's Figure 5: corridors three cells wide, some with
// boxes in them, and a robot that measures distances and moves. And the map that it should make.
#pragma once

#include "map.hpp"

#include <string>
#include <vector>

namespace huey {

// What sonar hears in one direction: how many cells are free, from the robot's left, middle and
// right, as one looks there.
struct Echo {
  int left = 0;
  int middle = 0;
  int right = 0;

  // A wall of the corridor; or nothing, as far as one may drive.
  bool is_wall() const noexcept { return left <= 1 && middle <= 1 && right <= 1; }
  bool is_open() const noexcept { return left > 1 && middle > 1 && right > 1; }
};

// The building, and the robot in it.
class Building {
 public:
  // From a plan such as
  //   +-+o+
  //   | o |
  //   +-+ +
  // where o is a corridor with a box. Places are `spacing` cells apart. The robot begins at the
  // first place.
  explicit Building(const std::vector<std::string>& plan);
  // Some building or other.
  static Building random(unsigned seed);

  // What sonar hears, by direction.
  std::vector<Echo> listen() const;
  // Moves the robot, as far as nothing is in its way; says how far that is.
  int move(int direction, int cells);

  // The map that somebody makes who misses nothing; it begins where the robot began.
  Map map() const;

 private:
  bool is_free(Cell cell) const noexcept;
  bool is_corridor(Cell place, int direction) const noexcept;
  void carve(Cell from, Cell to);

  std::vector<std::string> plan_;
  std::vector<std::string> cells_;
  Cell robot_;
  Cell start_;
};

}  // namespace huey
