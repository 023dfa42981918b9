#include "building.hpp"

#include <algorithm>
#include <random>

namespace huey {

namespace {

constexpr int spacing = 8;
// The distance from the outer wall to the middle of the first place.
constexpr int margin = 2;

Cell middle_of(Cell place) { return {margin + spacing * place.x, margin + spacing * place.y}; }

// The distance of a box from the western or northern end of its corridor, and the side to which it
// extends.
int box_along(Cell place) { return 3 + (place.x + 2 * place.y) % 3; }
int box_side(Cell place) { return (place.x + place.y) % 3 - 1; }

}  // namespace

Building::Building(const std::vector<std::string>& plan) : plan_(plan) {
  const auto rows = static_cast<int>(plan_.size());
  std::size_t longest = 0;
  for (const std::string& row : plan_) longest = std::max(longest, row.size());
  for (std::string& row : plan_) row.resize(longest, ' ');
  const auto columns = static_cast<int>(longest);
  const Cell size = middle_of({columns / 2, rows / 2});
  cells_.assign(static_cast<std::size_t>(size.y + margin + 1),
                std::string(static_cast<std::size_t>(size.x + margin + 1), '#'));
  bool has_started = false;
  for (int y = 0; y <= rows / 2; ++y) {
    for (int x = 0; x <= columns / 2; ++x) {
      const Cell place{x, y};
      if (plan_[static_cast<std::size_t>(2 * y)][static_cast<std::size_t>(2 * x)] != '+') continue;
      const Cell middle = middle_of(place);
      if (!has_started) robot_ = start_ = middle;
      has_started = true;
      carve(middle, middle);
      for (const int direction : {0, 1}) {
        if (is_corridor(place, direction)) carve(middle, middle.towards(direction, spacing));
      }
    }
  }
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < columns; ++x) {
      if (plan_[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] != 'o') continue;
      const Cell place{x / 2, y / 2};
      const int direction = x % 2 == 1 ? 0 : 1;
      const Cell box = middle_of(place).towards(direction, box_along(place));
      const Cell beside = box.towards(1 - direction, box_side(place));
      for (const Cell& each : {box, beside}) {
        cells_[static_cast<std::size_t>(each.y)][static_cast<std::size_t>(each.x)] = 'o';
      }
    }
  }
}

// A maze that grows, sometimes with a corridor between two places that exist already.
Building Building::random(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&](int limit) {
    return static_cast<int>(random() % static_cast<unsigned>(limit));
  };
  const Cell size{3 + below(5), 3 + below(4)};
  std::vector<std::string> plan(static_cast<std::size_t>(2 * size.y - 1),
                                std::string(static_cast<std::size_t>(2 * size.x - 1), ' '));
  const auto at = [&](Cell cell) -> char& {
    return plan[static_cast<std::size_t>(cell.y)][static_cast<std::size_t>(cell.x)];
  };
  std::vector<Cell> reached = {{0, 0}};
  at({0, 0}) = '+';
  for (int tries = 0; tries < 20 * size.x * size.y; ++tries) {
    const Cell from = reached[static_cast<std::size_t>(below(static_cast<int>(reached.size())))];
    const int direction = below(directions);
    const Cell to = from.towards(direction, 2);
    if (to.x < 0 || to.y < 0 || to.x >= 2 * size.x - 1 || to.y >= 2 * size.y - 1) continue;
    const bool is_known = at(to) == '+';
    if (is_known && below(20) > 0) continue;
    at(from.towards(direction, 1)) = below(4) == 0 ? 'o' : direction % 2 == 0 ? '-' : '|';
    at(to) = '+';
    if (!is_known) reached.push_back(to);
  }
  return Building(plan);
}

void Building::carve(Cell from, Cell to) {
  for (int y = from.y - 1; y <= to.y + 1; ++y) {
    for (int x = from.x - 1; x <= to.x + 1; ++x) {
      cells_[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = '.';
    }
  }
}

bool Building::is_free(Cell cell) const noexcept {
  return cells_[static_cast<std::size_t>(cell.y)][static_cast<std::size_t>(cell.x)] == '.';
}

bool Building::is_corridor(Cell place, int direction) const noexcept {
  const Cell cell = Cell{2 * place.x, 2 * place.y}.towards(direction, 1);
  if (cell.x < 0 || cell.y < 0 || cell.y >= static_cast<int>(plan_.size())) return false;
  if (cell.x >= static_cast<int>(plan_.front().size())) return false;
  return plan_[static_cast<std::size_t>(cell.y)][static_cast<std::size_t>(cell.x)] != ' ';
}

std::vector<Echo> Building::listen() const {
  std::vector<Echo> echoes;
  for (int direction = 0; direction < directions; ++direction) {
    const auto free_from = [&](int side) {
      Cell cell = robot_.towards((direction + 1) % directions, side).towards(direction, 1);
      int free = 0;
      for (; is_free(cell); cell = cell.towards(direction, 1)) ++free;
      return free;
    };
    echoes.push_back({free_from(-1), free_from(0), free_from(1)});
  }
  return echoes;
}

int Building::move(int direction, int cells) {
  int moved = 0;
  for (; moved < cells && is_free(robot_.towards(direction, 1)); ++moved) {
    robot_ = robot_.towards(direction, 1);
  }
  return moved;
}

Map Building::map() const {
  const auto openings_of = [&](Cell place) {
    std::vector<int> openings;
    for (int direction = 0; direction < directions; ++direction) {
      if (is_corridor(place, direction)) openings.push_back(direction);
    }
    return openings;
  };
  const auto is_distinctive = [&](Cell place) {
    const std::vector<int> openings = openings_of(place);
    return openings.size() != 2 || openings[1] != opposite(openings[0]);
  };
  Map map;
  for (int y = 0; y <= static_cast<int>(plan_.size()) / 2; ++y) {
    for (int x = 0; x <= static_cast<int>(plan_.front().size()) / 2; ++x) {
      const Cell from{x, y};
      const bool is_place =
          plan_[static_cast<std::size_t>(2 * y)][static_cast<std::size_t>(2 * x)] == '+';
      if (!is_place || !is_distinctive(from)) continue;
      const Cell middle = middle_of(from);
      const Cell seen{middle.x - start_.x, middle.y - start_.y};
      map.begin(seen, {openings_of(from), 0, {}});
      for (const int direction : {0, 1}) {
        if (!is_corridor(from, direction)) continue;
        Place place;
        Cell to = from;
        do {
          const Cell between = Cell{2 * to.x, 2 * to.y}.towards(direction, 1);
          const auto& row = plan_[static_cast<std::size_t>(between.y)];
          if (row[static_cast<std::size_t>(between.x)] == 'o') {
            place.boxes.push_back(place.length + box_along(to));
          }
          to = to.towards(direction, 1);
          place.length += spacing;
        } while (!is_distinctive(to));
        place.openings = openings_of(to);
        map.add(seen, direction, place);
      }
    }
  }
  return map;
}

}  // namespace huey
