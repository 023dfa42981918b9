// A building for Huey, the robot of the paper's Figure 5: corridors three cells wide, some with
// boxes in them, and a robot that measures distances and moves. Also the map that it should make.
#pragma once

#include "map.hpp"

#include <string>
#include <vector>

namespace huey {

// The measurement of sonar in one direction: the number of free cells, from the robot's left,
// middle and right, as seen in that direction.
struct Echo {
  int left = 0;
  int middle = 0;
  int right = 0;

  // A wall across the whole corridor; or no obstacle, as far as the robot may drive.
  bool is_wall() const noexcept { return left <= 1 && middle <= 1 && right <= 1; }
  bool is_open() const noexcept { return left > 1 && middle > 1 && right > 1; }
};

// The building, and the robot in it.
class Building {
 public:
  // Makes a building from a plan such as
  //   +-+o+
  //   | o |
  //   +-+ +
  // where o is a corridor with a box. Places are `spacing` cells apart. The robot begins at the
  // first place.
  explicit Building(const std::vector<std::string>& plan);
  // Makes a random building.
  static Building random(unsigned seed);

  // The measurements of sonar, by direction.
  std::vector<Echo> listen() const;
  // Moves the robot until something is in its way; returns how far it moved.
  int move(int direction, int cells);

  // The complete map of the building; it begins where the robot began.
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
