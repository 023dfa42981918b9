#include "tileworld.hpp"

#include <algorithm>
#include <array>

namespace irma {

namespace {

constexpr int no_way = 1'000'000;
// The factor by which an option must be better than the intention to be considered anyway.
constexpr int override_factor = 2;
constexpr std::array<Cell, 4> directions = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

// The distance of each cell from `to`.
std::vector<std::vector<int>> distances(const std::vector<std::string>& map, Cell to) {
  std::vector<std::vector<int>> far(map.size(), std::vector<int>(map.front().size(), no_way));
  const auto at = [&](Cell cell) -> int& {
    return far[static_cast<std::size_t>(cell.y)][static_cast<std::size_t>(cell.x)];
  };
  std::vector<Cell> reached = {to};
  at(to) = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const Cell cell = reached[i];
    for (const Cell& step : directions) {
      const Cell next{cell.x + step.x, cell.y + step.y};  // the map has a wall around it
      const char there = map[static_cast<std::size_t>(next.y)][static_cast<std::size_t>(next.x)];
      if (there == '#' || at(next) != no_way) continue;
      at(next) = at(cell) + 1;
      reached.push_back(next);
    }
  }
  return far;
}

std::string text_of(const Option& option) {
  std::string text = "hole " + option.intention.hole;
  if (option.intention.has_tile) {
    const Cell tile = option.intention.tile;
    text += " by the tile at " + std::to_string(tile.x) + "," + std::to_string(tile.y);
  }
  return text + " (" + std::to_string(option.score) + " points, " + std::to_string(option.steps) +
         " steps)";
}

// Returns whether one option yields more for each step than the other.
bool is_better(const Option& one, const Option& other) {
  return one.score * other.steps > other.score * one.steps;
}

}  // namespace

const Hole* Beliefs::hole(const std::string& name) const noexcept {
  const auto found =
      std::find_if(holes.begin(), holes.end(), [&](const Hole& each) { return each.name == name; });
  return found == holes.end() ? nullptr : &*found;
}

int Beliefs::steps(Cell from, Cell to) const {
  const auto far = distances(map, to);
  return far[static_cast<std::size_t>(from.y)][static_cast<std::size_t>(from.x)];
}

Cell Beliefs::towards(Cell from, Cell to) const {
  const auto far = distances(map, to);
  Cell best = from;
  for (const Cell& step : directions) {
    const Cell next{from.x + step.x, from.y + step.y};
    const auto at = [&](Cell cell) {
      return far[static_cast<std::size_t>(cell.y)][static_cast<std::size_t>(cell.x)];
    };
    if (at(next) < at(best)) best = next;
  }
  return best;
}

int Beliefs::steps(const Hole& hole) const {
  if (carries) return steps(agent, hole.where);
  if (hole.name == intention.hole && intention.has_tile) {
    return steps(agent, intention.tile) + steps(intention.tile, hole.where);
  }
  int best = no_way;
  for (const Cell& tile : tiles) {
    best = std::min(best, steps(agent, tile) + steps(tile, hole.where));
  }
  return best;
}

Thoughts find_means(const Beliefs& beliefs) {
  Thoughts thoughts{"means-end reasoner", beliefs, {}, {}};
  const Hole* hole = beliefs.hole(beliefs.intention.hole);
  if (hole == nullptr || beliefs.carries || beliefs.intention.has_tile) return thoughts;
  for (const Cell& tile : beliefs.tiles) {
    const int steps = beliefs.steps(beliefs.agent, tile) + beliefs.steps(tile, hole->where);
    thoughts.options.push_back({{hole->name, tile, true}, hole->score, steps, {}});
  }
  return thoughts;
}

Thoughts find_opportunities(const Beliefs& beliefs) {
  Thoughts thoughts{"opportunity analyser", beliefs, {}, {}};
  for (const Hole& hole : beliefs.holes) {
    const bool is_news = hole.opens == beliefs.cycle || beliefs.intention.hole.empty();
    const int steps = beliefs.steps(hole);
    if (!is_news || beliefs.cycle + steps > hole.closes) continue;
    thoughts.options.push_back({{hole.name, {}, false}, hole.score, steps, {}});
  }
  return thoughts;
}

Thoughts filter(Thoughts thoughts) {
  const Beliefs& beliefs = thoughts.beliefs;
  const Hole* intended = beliefs.hole(beliefs.intention.hole);
  std::vector<Option> left;
  for (Option& option : thoughts.options) {
    const Hole* hole = beliefs.hole(option.intention.hole);
    if (intended == nullptr || hole == nullptr || hole->name == intended->name) {
      left.push_back(std::move(option));
      continue;
    }
    // The steps from that hole back to a tile, and on to the intended hole.
    Beliefs then = beliefs;
    then.agent = hole->where;
    then.carries = false;
    const int end = beliefs.cycle + option.steps + then.steps(*intended);
    if (end <= intended->closes) {
      option.verdict = "there is time for " + intended->name + " afterwards";
    } else if (option.score >= override_factor * intended->score) {
      option.verdict = "overrides the filter";
    } else {
      option.verdict = "filtered out, for there would be no time for " + intended->name;
      thoughts.filtered_out.push_back(std::move(option));
      continue;
    }
    left.push_back(std::move(option));
  }
  thoughts.options = std::move(left);
  return thoughts;
}

Decision deliberate(const std::vector<Thoughts>& all) {
  Decision decision;
  const Beliefs& beliefs = all.front().beliefs;
  Option best;
  if (const Hole* intended = beliefs.hole(beliefs.intention.hole)) {
    best = {beliefs.intention, intended->score, std::max(1, beliefs.steps(*intended)), {}};
  }
  for (const Thoughts& each : all) {
    for (const Option& option : each.options) {
      const bool is_means =
          option.intention.hole == best.intention.hole && !best.intention.has_tile;
      const bool is_wanted = is_means ? option.steps <= best.steps : is_better(option, best);
      if (best.intention.hole.empty() || is_wanted) best = option;
    }
  }
  decision.intention = best.intention;
  for (const Thoughts& each : all) {
    for (const Option& option : each.options) {
      const bool is_it = option.intention.hole == best.intention.hole &&
                         option.intention.tile == best.intention.tile;
      decision.record.push_back(each.by + ": " + text_of(option) + ": " + option.verdict +
                                (option.verdict.empty() ? "" : ", ") +
                                (is_it ? "intended" : "not intended"));
    }
    for (const Option& option : each.filtered_out) {
      decision.record.push_back(each.by + ": " + text_of(option) + ": " + option.verdict);
    }
  }
  return decision;
}

Tileworld::Tileworld(std::vector<std::string> map, Cell agent, std::vector<Cell> tiles,
                     std::vector<Hole> holes)
    : to_come_(std::move(holes)) {
  beliefs_.map = std::move(map);
  beliefs_.agent = agent;
  beliefs_.tiles = std::move(tiles);
  std::sort(to_come_.begin(), to_come_.end(),
            [](const Hole& a, const Hole& b) { return a.opens > b.opens; });
  for (; !to_come_.empty() && to_come_.back().opens == 0; to_come_.pop_back()) {
    beliefs_.holes.push_back(to_come_.back());
  }
}

std::string Tileworld::act(const Intention& intention) {
  std::string event;
  beliefs_.intention = intention;
  const Hole* hole = beliefs_.hole(intention.hole);
  if (hole != nullptr && (beliefs_.carries || intention.has_tile)) {
    const Cell aim = beliefs_.carries ? hole->where : intention.tile;
    beliefs_.agent = beliefs_.towards(beliefs_.agent, aim);
    if (beliefs_.agent == aim && beliefs_.carries) {
      score_ += hole->score;
      event = "hole " + hole->name + " is filled, " + std::to_string(score_) + " points";
      std::erase_if(beliefs_.holes, [&](const Hole& each) { return each.name == hole->name; });
      beliefs_.carries = false;
      beliefs_.intention = {};
    } else if (beliefs_.agent == aim) {
      std::erase(beliefs_.tiles, aim);
      beliefs_.carries = true;
    }
  }
  ++beliefs_.cycle;
  std::erase_if(beliefs_.holes, [&](const Hole& each) { return each.closes < beliefs_.cycle; });
  for (; !to_come_.empty() && to_come_.back().opens <= beliefs_.cycle; to_come_.pop_back()) {
    beliefs_.holes.push_back(to_come_.back());
  }
  if (beliefs_.hole(beliefs_.intention.hole) == nullptr) beliefs_.intention = {};
  return event;
}

bool Tileworld::is_over() const noexcept { return to_come_.empty() && beliefs_.holes.empty(); }

std::vector<std::string> Tileworld::picture() const {
  std::vector<std::string> all = beliefs_.map;
  const auto draw = [&](Cell cell, char what) {
    all[static_cast<std::size_t>(cell.y)][static_cast<std::size_t>(cell.x)] = what;
  };
  for (const Cell& each : beliefs_.tiles) draw(each, 'o');
  for (const Hole& each : beliefs_.holes) draw(each.where, each.name.front());
  draw(beliefs_.agent, '@');
  return all;
}

Tileworld yard() {
  return Tileworld({"####################",  //
                    "#        #         #",  //
                    "#        #         #",  //
                    "#   ##       ##    #",  //
                    "#   ##       ##    #",  //
                    "#        #         #",  //
                    "#        #         #",  //
                    "####################"},
                   {2, 1}, {{5, 2}, {2, 6}, {7, 6}, {16, 2}, {12, 6}},
                   {{"a", {17, 5}, 4, 0, 22},
                    {"b", {2, 4}, 3, 3, 14},
                    {"c", {11, 1}, 9, 12, 30},
                    {"d", {12, 5}, 2, 20, 44},
                    {"e", {16, 4}, 1, 24, 60},
                    {"f", {2, 1}, 4, 22, 70}});
}

}  // namespace irma
