// A robot in three layers. Avoiding keeps the robot from the walls; wandering drives it about;
// exploring takes over and leads it east. Then the explorer dies, and the robot wanders again.
#include <coracle/coracle.hpp>
#include <coracle/dispel/architecture.hpp>
#include <coracle/dispel/subsumption.hpp>
#include <coracle/realizations/open.hpp>
#include <coracle/realizations/sim.hpp>

#include <cstdlib>
#include <iostream>
#include <latch>

using namespace coracle;
using namespace std::chrono_literals;

const int step_x[] = {1, 0, -1, 0};  // east, south, west, north
const int step_y[] = {0, 1, 0, -1};

struct Heading {
  static constexpr std::string_view content_type = "heading/v1";
  int direction = 0;
  char by = ' ';
};
struct Scan {
  static constexpr std::string_view content_type = "scan/v1";
  std::vector<bool> free;  // in each direction
};
struct House {
  std::vector<std::string> plan = {"############################", "#      #                   #",
                                   "#      #        ###        #", "#      #        ###        #",
                                   "#           #              #", "#           #              #",
                                   "#           #              #", "############################"};
  int x = 2;
  int y = 2;
  bool is_free(int direction) const {
    const char there = plan[y + step_y[direction]][x + step_x[direction]];
    return there != '#';
  }
};

// Layer 0: wheels and sonar. One step in 100 ms.
struct Body : dispel::Behaviour {
  explicit Body(House* house) : house_(house) {}
  dispel::In<Heading> drive{*this, "drive"};
  dispel::Out<Scan> sonar{*this, "sonar"};

 protected:
  void react() override {
    if (alarm_rang() && drive && house_->is_free(drive->direction)) {
      house_->x += step_x[drive->direction];
      house_->y += step_y[drive->direction];
      house_->plan[house_->y][house_->x] = drive->by;
    }
    if (drive && !alarm_rang()) return;
    Scan scan;
    for (int direction = 0; direction < 4; ++direction) {
      scan.free.push_back(house_->is_free(direction));
    }
    sonar.send(scan);
    alarm(100ms);
  }

 private:
  House* house_;
};

// Layer 0: goes in the wished direction, unless there is a wall; then along the wall.
struct Avoid : dispel::Behaviour {
  dispel::In<Scan> sonar{*this, "sonar"};
  dispel::In<Heading> wish{*this, "wish"};
  dispel::Out<Heading> drive{*this, "drive"};

 protected:
  void react() override {
    if (!sonar || !wish) return;
    Heading heading = *wish;
    for (int turns = 0; turns < 4 && !sonar->free[heading.direction]; ++turns) {
      heading.direction = (heading.direction + side_) % 4;
      if (turns == 1) side_ = 4 - side_;  // next time, try the other side
    }
    drive.send(heading);
  }

 private:
  int side_ = 1;
};

// Layer 1: chooses another direction every now and then.
struct Wander : dispel::Behaviour {
  dispel::Out<Heading> wish{*this, "wish"};

 protected:
  void react() override {
    number_ = number_ * 1103515245 + 12345;
    wish.send(Heading{static_cast<int>(number_ >> 16 & 3), '.'});
    alarm(600ms);
  }

 private:
  unsigned number_ = 4;
};

// Layer 2: east, until it dies.
struct Explore : dispel::Behaviour {
  dispel::Out<Heading> wish{*this, "wish"};

 protected:
  void react() override {
    if (++times_ > 15) throw std::runtime_error("its battery is empty");
    if (times_ > 8) wish.send(Heading{0, '+'});
    alarm(200ms);
  }

 private:
  int times_ = 0;
};

// Draws the layers while they are all there, and counts down the latch in the evening.
struct Draughtsman : Agent {
  explicit Draughtsman(std::latch* evening) : evening_(evening) {}
  Task<> run() override {
    co_await pause(1s);
    const dispel::Architecture layers = co_await dispel::describe(*this, "robot");
    std::cout << layers.to_text();
    co_await pause(7s);
    evening_->count_down();
  }

 private:
  std::latch* evening_;
};

int main() {
  House house;
  dispel::Subsumption robot("robot");
  robot.add<Body>(0, "body", &house).add<Avoid>(0, "avoid");
  robot.add<Wander>(1, "wander").add<Explore>(2, "explore");
  robot.wire("body.sonar", "avoid.sonar").wire("avoid.drive", "body.drive");
  robot.wire("wander.wish", "avoid.wish");
  robot.suppress("explore.wish", "avoid.wish", 500ms);

  // In a simulated world time is virtual, so this takes a moment; elsewhere, eight seconds.
  const bool is_simulated = std::getenv("CORACLE_REALIZATION") == nullptr;
  sim::World world;
  Node node(is_simulated ? world.realization() : open());
  for (const auto& each : robot.plan()) node.adopt(each.name, robot.make(each));
  std::latch evening(1);
  node.create<Draughtsman>("draughtsman", &evening);
  if (is_simulated) world.run_for(8s);
  else evening.wait();
  node.stop();
  house.plan[house.y][house.x] = '@';
  for (const std::string& row : house.plan) std::cout << row << '\n';
}
