// A guest orders ten teas from a clerk on another host. In the test that host loses its power, the
// links to it break, and other faults happen as the seed decides; the test shows what the guest
// does then.
#include <coracle/coracle.hpp>
#include <coracle/testing.hpp>

#include <iostream>

using namespace coracle;
using namespace std::chrono_literals;
using testing::message;

class Clerk : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      const Message order = co_await receive();
      co_await pause(2ms);
      co_await reply(order, "here it is");
    }
  }
};

class Guest : public Agent {
 public:
  explicit Guest(bool patient) : patient_(patient) {}

  Task<> run() override {
    int teas = 0;
    for (int order = 0; order < 10; ++order) {
      co_await pause(20ms);
      bool is_served = false;
      do {
        is_served = (co_await ask_result("clerk", "a tea", 1s)).has_value();
      } while (patient_ && !is_served);
      teas += is_served ? 1 : 0;
    }
    co_await send("diary", std::to_string(teas) + " teas");
  }

 private:
  const bool patient_;
};

void ten_teas(sim::World& world, const sim::Faults& faults, bool patient) {
  testing::Society society(world);
  society.host([](Node& node) { node.create<Clerk>(AgentSpec("clerk").take_over()); });
  society.create<Guest>("guest", patient);
  society.suffer(faults);
  society.expect(message).to("diary").text("10 teas").within(5min);
}

void try_out(bool patient) {
  const auto play = [patient](sim::World& world, const sim::Faults& faults) {
    ten_teas(world, faults, patient);
  };
  if (const auto found = testing::first_finding(play, {.count = 200, .world = {.nodes = 2}})) {
    std::cout << "seed " << found->seed << ": " << found->what << '\n';
    for (const sim::Fault& fault : found->faults) std::cout << to_string(fault) << '\n';
    std::cout << testing::story_of(found->trace, 6);
  } else {
    std::cout << "200 seeds, and nothing went wrong\n";
  }
}

int main() {
  std::cout << "a guest who asks once:\n";
  try_out(false);
  std::cout << "one who asks again:\n";
  try_out(true);
}
