#include "robot.hpp"

#include <algorithm>

namespace huey {

using namespace coracle;

Task<std::vector<Echo>> Skill::listen() {
  const Echoes echoes = co_await call<Echoes>("huey/sonar", Ping{});
  co_return echoes.all;
}

Task<int> Skill::drive(int direction, int cells) {
  return call<int>("huey/motor", Move{direction, cells});
}

// In the middle of a place, each side is either all wall or all open.
Task<Report> FeatureRecognizer::consider(const Course& course) {
  const std::vector<Echo> echoes = co_await listen();
  Report report;
  report.is_place = true;
  for (int direction = 0; direction < directions; ++direction) {
    const Echo& echo = echoes[static_cast<std::size_t>(direction)];
    if (echo.is_open()) report.openings.push_back(direction);
    else if (!echo.is_wall()) report.is_place = false;
    if (direction == course.direction) report.is_blocked = echo.middle == 0;
  }
  const auto& openings = report.openings;
  if (openings.size() == 2 && openings[1] == opposite(openings[0])) report.is_place = false;
  co_return report;
}

Task<Report> CorridorFollower::consider(const Course& course) {
  const auto ahead = static_cast<std::size_t>(course.direction);
  Report report;
  bool goes_on = true;
  while (goes_on) {
    report.moved += co_await drive(course.direction, 1);
    const std::vector<Echo> echoes = co_await listen();
    goes_on = echoes[(ahead + 1) % 4].is_wall() && echoes[(ahead + 3) % 4].is_wall() &&
              echoes[ahead].middle > 1;
  }
  co_return report;
}

Task<Report> ObstacleAvoidance::consider(const Course& course) {
  const std::vector<Echo> echoes = co_await listen();
  const Echo& ahead = echoes[static_cast<std::size_t>(course.direction)];
  const int side = (course.direction + (ahead.right > ahead.left ? 1 : 3)) % directions;
  Report report;
  co_await drive(side, 1);
  report.moved = co_await drive(course.direction, 2);
  co_await drive(opposite(side), 1);
  co_return report;
}

LDPclassifier::LDPclassifier()
    : Slave(dispel::Orphan::leaves),
      Master({"huey/feature-recognizer", "huey/corridor-follower", "huey/obstacle-avoidance"}) {}

Task<Place> LDPclassifier::consider(const Course& course) {
  Place place;
  bool is_looking = course.direction < 0;  // not at the side from which it comes
  for (;;) {
    const Report seen = co_await command("huey/feature-recognizer", course);
    if (seen.is_place && is_looking) {
      place.openings = seen.openings;
      co_return place;
    }
    is_looking = true;
    if (seen.is_blocked) place.boxes.push_back(place.length + 1);
    const Name who = seen.is_blocked ? "huey/obstacle-avoidance" : "huey/corridor-follower";
    const Report done = co_await command(who, course);
    if (done.moved == 0) throw std::runtime_error("the robot is stuck");
    place.length += done.moved;
  }
}

Geographer::Geographer(Survey* survey) : Master({"huey/ldp-classifier"}), survey_(survey) {}

Task<> Geographer::run() {
  Map& map = survey_->map;
  Cell here;
  const Place first = co_await command("huey/ldp-classifier", Course{});
  map.begin(here, first);
  for (auto way = map.way_to_unknown(here); !way.empty(); way = map.way_to_unknown(here)) {
    for (const int direction : way) {
      const Place place = co_await command("huey/ldp-classifier", Course{direction});
      map.add(here, direction, place);
      here = map.beyond(here, direction);
      survey_->driven += place.length;
    }
  }
  const dispel::Architecture drawing = co_await dispel::describe(*this, "huey");
  survey_->drawing = drawing.to_text();
  for (const char* controller : {"huey/sonar", "huey/motor"}) co_await send(controller, "done");
}

void assemble(Node& node, Building& building, Survey& survey) {
  node.create<Sonar>("huey/sonar", &building);
  node.create<Motor>("huey/motor", &building);
  node.create<FeatureRecognizer>("huey/feature-recognizer");
  node.create<CorridorFollower>("huey/corridor-follower");
  node.create<ObstacleAvoidance>("huey/obstacle-avoidance");
  node.create<LDPclassifier>("huey/ldp-classifier");
  node.create<Geographer>("huey/geographer", &survey);
}

}  // namespace huey
