#include "map.hpp"

#include <algorithm>

namespace huey {

namespace {

// The cells that one column stands for, and those of two lines: a line of places and a line
// between.
constexpr int column = 2;
constexpr int lines = 8;

std::string counted(std::size_t count, const char* one, const char* several) {
  return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

}  // namespace

void Map::add(Cell from, int direction, const Place& place) {
  const Cell there = from.towards(direction, place.length);
  places_[there] = place.openings;
  corridors_[{from, direction}] = place.length;
  corridors_[{there, opposite(direction)}] = place.length;
  for (const int along : place.boxes) boxes_.insert(from.towards(direction, along));
}

Cell Map::beyond(Cell from, int direction) const {
  return from.towards(direction, corridors_.at({from, direction}));
}

std::vector<int> Map::way_to_unknown(Cell from) const {
  std::vector<std::pair<Cell, std::vector<int>>> reached = {{from, {}}};
  std::set<Cell> seen = {from};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const auto [place, way] = reached[i];
    for (const int direction : places_.at(place)) {
      std::vector<int> longer = way;
      longer.push_back(direction);
      if (corridors_.count({place, direction}) == 0) return longer;
      const Cell next = beyond(place, direction);
      if (seen.insert(next).second) reached.emplace_back(next, std::move(longer));
    }
  }
  return {};
}

std::vector<std::string> Map::picture() const {
  Cell low = places_.begin()->first;
  Cell high = low;
  for (const auto& [place, openings] : places_) {
    low = {std::min(low.x, place.x), std::min(low.y, place.y)};
    high = {std::max(high.x, place.x), std::max(high.y, place.y)};
  }
  const auto column_of = [&](int x) {
    return static_cast<std::size_t>((x - low.x + column / 2) / column);
  };
  const auto line_of = [&](int y) {
    return static_cast<std::size_t>((2 * (y - low.y) + lines / 2) / lines);
  };
  std::vector<std::string> all(line_of(high.y) + 1, std::string(column_of(high.x) + 1, ' '));
  const auto at = [&](Cell cell) -> char& { return all[line_of(cell.y)][column_of(cell.x)]; };
  for (const auto& [end, length] : corridors_) {
    const bool is_level = end.direction % 2 == 0;
    for (int along = 1; along < length; ++along) {
      at(end.place.towards(end.direction, along)) = is_level ? '-' : '|';
    }
  }
  for (const Cell& each : boxes_) at(each) = 'o';
  for (const auto& [place, openings] : places_) at(place) = '+';
  return all;
}

std::string Map::summary() const {
  static const char* const kinds[][2] = {{"lonely place", "lonely places"},
                                         {"dead end", "dead ends"},
                                         {"corner", "corners"},
                                         {"branch", "branches"},
                                         {"crossing", "crossings"}};
  std::vector<std::size_t> count(std::size(kinds), 0);
  for (const auto& [place, openings] : places_) ++count[openings.size()];
  std::string text;
  for (std::size_t kind = 0; kind < count.size(); ++kind) {
    if (count[kind] > 0) text += counted(count[kind], kinds[kind][0], kinds[kind][1]) + ", ";
  }
  return text + counted(corridors_.size() / 2, "corridor", "corridors") + ", " +
         counted(boxes_.size(), "box", "boxes");
}

}  // namespace huey
