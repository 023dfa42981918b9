#include "road.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

namespace touring {

namespace {

// The possible actions of the car in one cycle, the preferred ones first.
constexpr int choices[][2] = {{2, 0}, {1, 0}, {2, -1}, {2, 1}, {1, -1}, {1, 1}, {0, 0}};

const Model* model_of(const Scene& scene, const std::string& what) {
  const auto found = std::find_if(scene.models.begin(), scene.models.end(),
                                  [&](const Model& each) { return each.what == what; });
  return found == scene.models.end() ? nullptr : &*found;
}

bool is_surprising(const Scene& scene, const Seen& seen) {
  const Model* known = model_of(scene, seen.what);
  return known == nullptr || known->at(scene.cycle) != seen.where;
}

bool is_near(const Scene& scene, const Seen& seen) {
  const int ahead = seen.where.along - scene.car.along;
  return ahead >= 0 && ahead <= most_speed && std::abs(seen.where.lane - scene.car.lane) <= 1;
}

// The cells that the car passes; its own cell, if it stands.
std::vector<Cell> passed(Cell car, int speed, int turn) {
  std::vector<Cell> cells;
  for (int step = speed > 0 ? 1 : 0; step <= speed; ++step) {
    cells.push_back({car.along + step, car.lane + turn});
  }
  return cells;
}

// Returns whether nothing on the map or in the beliefs is in the car's way.
bool is_free(const Scene& scene, Cell car, int cycle, int speed, int turn) {
  for (const Cell& cell : passed(car, speed, turn)) {
    if (scene.is_closed(cell)) return false;
    for (const Model& each : scene.models) {
      if (each.at(cycle) == cell || each.at(cycle + 1) == cell) return false;
    }
  }
  return true;
}

std::string does(Cell speed) {
  if (speed.lane != 0) return " crosses the road";
  return speed.along == 0 ? " stands there" : " goes along";
}

std::string to_place(const Errand& errand) { return "to the " + errand.where; }

}  // namespace

bool Scene::is_closed(Cell cell) const noexcept {
  if (cell.lane < 0 || cell.lane >= lanes) return true;
  const std::string& lane = map[static_cast<std::size_t>(cell.lane)];
  const auto along = static_cast<std::size_t>(cell.along);
  return along >= lane.size() || lane[along] == '#';
}

Layer choose(const Scene& scene) {
  bool wants_model = false;
  for (const Seen& each : scene.seen) {
    if (!is_surprising(scene, each)) continue;
    if (is_near(scene, each) && scene.speed > 0) return Layer::reactive;
    wants_model = true;
  }
  return wants_model ? Layer::modeling : Layer::planning;
}

Command react(const Scene& scene) {
  for (const Seen& each : scene.seen) {
    if (is_near(scene, each)) return {0, 0, "brakes: a " + each.what, scene.models};
  }
  return {0, 0, "stands", scene.models};
}

// The car slows down while it thinks, and does not drive past its next stop.
Command model(const Scene& scene) {
  Command command;
  for (const Seen& each : scene.seen) {
    Model known{each.what, each.where, scene.cycle, {}};
    if (!each.is_new) {
      known.speed = {each.where.along - each.before.along, each.where.lane - each.before.lane};
    }
    if (is_surprising(scene, each)) {
      command.why = "the " + each.what + does(known.speed);
    }
    command.models.push_back(known);
  }
  Scene believed = scene;
  believed.models = command.models;
  const bool is_stop = !scene.errands.empty() && scene.errands.front().stop == scene.car;
  command.speed = !is_stop && is_free(believed, scene.car, scene.cycle, 1, 0) ? 1 : 0;
  return command;
}

Focused focus(const Scene& scene) {
  if (!scene.errands.empty()) return {scene, scene.errands.front()};
  return {scene, {"bridge", {static_cast<int>(scene.map.front().size()) - 1, scene.car.lane}}};
}

// The first step of a shortest path in space and time.
Command plan(const Focused& focused) {
  const Scene& scene = focused.scene;
  struct Step {
    Cell car;
    int cycle = 0;
    Command first;
  };
  std::vector<Step> steps = {{scene.car, scene.cycle, {}}};
  std::map<std::tuple<int, int, int>, bool> known;
  const Cell stop = focused.errand.stop;
  const bool is_last = scene.errands.empty();
  for (std::size_t i = 0; i < steps.size() && steps[i].cycle < scene.cycle + 60; ++i) {
    const Step step = steps[i];
    const bool is_there = is_last ? step.car.along == stop.along : step.car == stop;
    if (is_there) {
      Command command = step.first;
      command.why = i == 0 ? "at the " + focused.errand.where : to_place(focused.errand);
      command.models = scene.models;
      return command;
    }
    for (const auto& [speed, turn] : choices) {
      if (!is_free(scene, step.car, step.cycle, speed, turn)) continue;
      const Cell next{step.car.along + speed, step.car.lane + turn};
      const int cycle = step.cycle + 1;
      if (!known.emplace(std::tuple(next.along, next.lane, cycle), true).second) continue;
      steps.push_back({next, cycle, i == 0 ? Command{speed, turn, {}, {}} : step.first});
    }
  }
  return {0, 0, "waits for a way " + to_place(focused.errand), scene.models};
}

Road::Road(std::vector<std::string> map, std::vector<Errand> errands, std::vector<Other> others)
    : others_(std::move(others)) {
  scene_.map = std::move(map);
  scene_.errands = std::move(errands);
  for (const Other& each : others_) places_.push_back(each.start);
  scene_.car.lane = 1;
  look();
}

void Road::look() {
  std::vector<Seen> seen;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const Other& other = others_[i];
    const Cell place = places_[i];
    const bool is_there = scene_.cycle >= other.legs.front().from && place.lane >= 0 &&
                          place.lane < lanes && place.along >= 0 &&
                          place.along < static_cast<int>(scene_.map.front().size());
    if (!is_there || std::abs(place.along - scene_.car.along) > other.visible) continue;
    const auto before = std::find_if(scene_.seen.begin(), scene_.seen.end(),
                                     [&](const Seen& each) { return each.what == other.what; });
    const bool is_new = before == scene_.seen.end();
    seen.push_back({other.what, place, is_new ? place : before->where, is_new});
  }
  scene_.seen = std::move(seen);
}

std::string Road::drive(const Command& command) {
  way_.push_back(scene_.car);
  scene_.models = command.models;
  const std::vector<Cell> cells = passed(scene_.car, command.speed, command.turn);
  std::string hit;
  for (const Cell& each : cells) {
    if (scene_.is_closed(each)) hit = "roadworks";
  }
  const auto check = [&](const std::string& what, Cell where) {
    if (std::find(cells.begin(), cells.end(), where) != cells.end()) hit = what;
  };
  const int next = scene_.cycle + 1;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const Other& other = others_[i];
    if (scene_.cycle < other.legs.front().from) continue;
    check(other.what, places_[i]);
    Cell speed;
    for (const Road::Leg& leg : other.legs) speed = next > leg.from ? leg.speed : speed;
    places_[i] = {places_[i].along + speed.along, places_[i].lane + speed.lane};
    check(other.what, places_[i]);
  }
  scene_.car = cells.back();
  scene_.speed = command.speed;
  auto& errands = scene_.errands;
  if (command.speed == 0 && !errands.empty() && errands.front().stop == scene_.car) {
    errands.erase(errands.begin());
  }
  scene_.cycle = next;
  look();
  return hit;
}

bool Road::is_done() const noexcept {
  const auto end = static_cast<int>(scene_.map.front().size()) - 1;
  return scene_.errands.empty() && scene_.car.along >= end;
}

std::vector<std::string> Road::picture(std::string_view marks) const {
  std::vector<std::string> all = scene_.map;
  for (std::size_t i = 0; i < way_.size() && i < marks.size(); ++i) {
    const Cell cell = way_[i];
    all[static_cast<std::size_t>(cell.lane)][static_cast<std::size_t>(cell.along)] = marks[i];
  }
  return all;
}

Road town() {
  return Road({"......###................#####................",
               "..............##..............................",
               ".....................###...............###...."},
              {{"baker", {18, 0}}, {"school", {34, 2}}},
              {{"cart", {7, 1}, {{0, {1, 0}}, {5, {0, 0}}}}, {"dog", {24, 0}, {{15, {0, 1}}}, 2}});
}

}  // namespace touring
