// The agents of Huey, as the paper's Figure 5 draws them. The Geographer is master of the
// LDPclassifier, which is master of three others. These three are clients of the controllers of
// sonar and motor.
#pragma once

#include "building.hpp"

#include <coracle/coracle.hpp>
#include <coracle/dispel/architecture.hpp>
#include <coracle/dispel/client.hpp>
#include <coracle/dispel/master.hpp>
#include <coracle/dispel/server.hpp>
#include <coracle/dispel/slave.hpp>

namespace huey {

using coracle::Task;
namespace dispel = coracle::dispel;

// --- the controllers ---

struct Ping {
  static constexpr std::string_view content_type = "huey/ping/v1";
  int from = 0;
};
struct Echoes {
  static constexpr std::string_view content_type = "huey/echoes/v1";
  std::vector<Echo> all;  // by direction
};
struct Move {
  static constexpr std::string_view content_type = "huey/move/v1";
  int direction = 0;
  int cells = 0;
};

// Serves until the Geographer announces that it is done.
template <class Question, class Answer>
class Controller : public dispel::Server<Question, Answer> {
 public:
  explicit Controller(Building* building) : building_(building) {}

  Task<> run() override {
    this->spawn(until_told());
    return this->work_as_server();
  }

 protected:
  Building* building_;

 private:
  Task<> until_told() {
    co_await this->receive(coracle::from("huey/geographer"));
    this->retire();
  }
};

class Sonar : public Controller<Ping, Echoes> {
 public:
  using Controller::Controller;

 protected:
  Echoes answer(const Ping&) override { return {building_->listen()}; }
};

class Motor : public Controller<Move, int> {
 public:
  using Controller::Controller;

 protected:
  int answer(const Move& move) override { return building_->move(move.direction, move.cells); }
};

// --- the robot's skills ---

// The direction of a drive; or none, to look around.
struct Course {
  static constexpr std::string_view content_type = "huey/course/v1";
  int direction = -1;
};
// The result of a skill: observations, or a drive.
struct Report {
  static constexpr std::string_view content_type = "huey/report/v1";
  bool is_place = false;
  bool is_blocked = false;
  std::vector<int> openings;
  int moved = 0;
};

// One of three skills, which share sonar and motor.
class Skill : public dispel::Slave<Course, Report>, public dispel::Client {
 public:
  Skill() : Slave(dispel::Orphan::leaves) {}
  Task<> run() override { return work_as_slave(); }

 protected:
  Task<std::vector<Echo>> listen();
  Task<int> drive(int direction, int cells);
};

// Distinguishes distinctive places from corridors, and notices boxes.
class FeatureRecognizer : public Skill {
 protected:
  Task<Report> consider(const Course& course) override;
};

// Drives as long as there is a wall on either side and nothing in front.
class CorridorFollower : public Skill {
 protected:
  Task<Report> consider(const Course& course) override;
};

// Drives around a box.
class ObstacleAvoidance : public Skill {
 protected:
  Task<Report> consider(const Course& course) override;
};

// --- the masters of the skills ---

// Goes to the next locally distinctive place, and reports its properties.
class LDPclassifier : public dispel::Slave<Course, Place>, public dispel::Master<Course, Report> {
 public:
  LDPclassifier();
  Task<> run() override { return work_as_slave(); }

 protected:
  Task<Place> consider(const Course& course) override;
};

// The result of the exploration.
struct Survey {
  Map map;
  int driven = 0;
  std::string drawing;  // of the agents
};

// Explores until every corridor is on the map.
class Geographer : public dispel::Master<Course, Place> {
 public:
  explicit Geographer(Survey* survey);
  Task<> run() override;

 private:
  Survey* survey_;
};

// Makes all these agents on a node. They end when the map is complete.
void assemble(coracle::Node& node, Building& building, Survey& survey);

}  // namespace huey
