// A contract net whose manager gives the contract to the next bidder when the best one does not
// reply in time. The test of this program finds the fault in that.
#include <coracle/coracle.hpp>
#include <coracle/testing.hpp>

#include <iostream>
#include <map>

using namespace coracle;
using namespace std::chrono_literals;
using testing::message, testing::no_message;

class Robot : public Agent {
 public:
  explicit Robot(std::string price) : price_(price) {}

  Task<> run() override {
    bool builds = false;
    for (;;) {
      const Message order = co_await receive();
      if (order.text() == "bid?") co_await send(order.source(), price_);
      if (order.text() == "build!") {
        builds = true;
        co_await send(order.source(), "I build");
      }
      if (order.text() == "leave it!" && !builds) co_await send(order.source(), "I leave it");
    }
  }

 private:
  const std::string price_;
};

class Manager : public Agent {
 public:
  explicit Manager(bool careful) : careful_(careful) {}

  Task<> run() override {
    std::map<std::string, Address> robots;  // by price
    for (const char* robot : {"ann", "bob"}) {
      const Message bid = co_await ask_for_bid(robot);
      robots[std::string(bid.text())] = bid.source();
    }
    for (const auto& [price, robot] : robots) {
      co_await send(robot, "build!");
      std::optional<Message> answer = co_await receive(from(robot), 5ms);
      if (!answer && careful_) {  // the reply may be on its way
        co_await send(robot, "leave it!");
        answer = co_await receive(from(robot));
      }
      if (answer && answer->text() == "I build") co_return;
    }
  }

 private:
  Task<Message> ask_for_bid(std::string robot) {
    co_await send(robot, "bid?");
    co_return co_await receive(from(robot));
  }

  const bool careful_;
};

// The test: one robot builds, and no other.
void one_robot_builds(sim::World& world, bool careful) {
  testing::Society society(world);
  society.create<Robot>("ann", std::string("20 crowns"));
  society.create<Robot>("bob", std::string("30 crowns"));
  society.create<Manager>("manager", careful);
  society.expect(message).to("manager").text("I build").within(1s);
  society.expect(no_message).to("manager").text("I build").within(1s);
}

// First under a thousand seeds, then in every possible order.
void try_out(bool careful) {
  const auto play = [careful](sim::World& world) { one_robot_builds(world, careful); };
  sim::Options slow;
  slow.slow = true;
  if (const auto found = testing::first_finding(play, {.count = 1000, .world = slow})) {
    std::cout << "seed " << found->seed << ": " << found->what << '\n'
              << found->choices << " choices led to it; " << found->surprises
              << " surprises suffice\n";
  } else {
    std::cout << "1000 seeds, and nothing went wrong\n";
  }
  const sim::Exploration all = sim::World::explore(play, slow, {.reduce = true});
  std::cout << (all.failure.empty() ? "nothing went wrong in " : "it went wrong in the last of ")
            << all.runs << " orders" << (all.complete ? ", and there are no others\n" : "\n");
}

int main() {
  std::cout << "a manager that trusts its deadline:\n";
  try_out(false);
  std::cout << "a careful one:\n";
  try_out(true);
}
