// Metrics: a robot's own sensor, a value computed of others, and a watcher that is told of changes.
#include <coracle/coracle.hpp>
#include <coracle/metrics.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <string>

using namespace coracle;

// Uses up its battery, and measures it.
class Robot : public Agent {
 public:
  Task<> run() override {
    const Sensor battery = node().metrics().sensor(
        "Agent(robot):Battery", {.unit = "Wh", .provenance = "the robot's charge controller"});
    for (int left = 100; left >= 0; left -= 20) {
      battery.update(left);
      co_await yield();
    }
    co_await send("main", "empty");
  }
};

class Main : public Agent {
 public:
  Task<> run() override {
    Metrics& metrics = node().metrics();
    const Metric capacity{.value = 100,
                          .unit = "Wh",
                          .credibility = credibility::configured,
                          .provenance = "the data sheet"};
    metrics.update("Agent(robot):Capacity", capacity);
    metrics.define("Agent(robot):Charge", {"Agent(robot):Battery", "Agent(robot):Capacity"},
                   [](std::span<const double> of) { return of[0] / of[1]; });
    const MetricSubscription told =
        metrics.subscribe("Agent(robot):Battery", {.least_change = 40}, [](const Metric& battery) {
          std::cout << "battery: " << battery.value << ' ' << battery.unit << '\n';
        });

    co_await create<Robot>("robot");
    (void)co_await receive();
    const Metric charge = metrics.get("Agent(robot):Charge");
    std::cout << "charge: " << charge.value << ", credibility " << charge.credibility << '\n';
    // Nobody measures a weight, neither of the robot nor of its node.
    std::cout << "nobody knows: " << metrics.get("Agent(robot):Weight").credibility << '\n';
  }
};

int main() {
  Node node(open());
  node.create<Main>("main");
  node.wait();
}
