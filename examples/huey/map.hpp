// The map that Huey makes: distinctive places (where a corridor ends, bends, or meets others), and
// the corridors between them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace huey {

// East, south, west, north.
inline constexpr int directions = 4;
inline constexpr int step_x[] = {1, 0, -1, 0};
inline constexpr int step_y[] = {0, 1, 0, -1};
inline int opposite(int direction) noexcept { return (direction + 2) % directions; }

struct Cell {
  int x = 0;
  int y = 0;
  auto operator<=>(const Cell&) const = default;

  Cell towards(int direction, int cells) const noexcept {
    return {x + step_x[direction] * cells, y + step_y[direction] * cells};
  }
};

// A place that was found at the end of a corridor, and the corridor.
struct Place {
  static constexpr std::string_view content_type = "huey/place/v1";
  std::vector<int> openings;  // directions
  int length = 0;             // of the corridor
  std::vector<int> boxes;     // their distances along the corridor
};

// Places by their positions, relative to the first place.
class Map {
 public:
  // Adds a place that was found from another place, in that direction.
  void add(Cell from, int direction, const Place& place);
  // Adds the first place.
  void begin(Cell where, const Place& place) { places_[where] = place.openings; }

  // The directions from a place to the nearest corridor that is not on the map, and into that
  // corridor. Empty when there is none.
  std::vector<int> way_to_unknown(Cell from) const;
  // The place at the other end of a corridor.
  Cell beyond(Cell from, int direction) const;

  // The map as a picture.
  std::vector<std::string> picture() const;
  // A summary such as "1 dead end, 2 corners, 9 corridors, 2 boxes".
  std::string summary() const;

  bool operator==(const Map&) const = default;

 private:
  struct End {
    Cell place;
    int direction = 0;
    auto operator<=>(const End&) const = default;
  };

  std::map<Cell, std::vector<int>> places_;
  std::map<End, int> corridors_;  // their lengths, from both ends
  std::set<Cell> boxes_;
};

}  // namespace huey
