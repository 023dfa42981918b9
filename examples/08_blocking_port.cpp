// A Port: the main thread, which is no agent, exchanges messages with a robot by calls that block.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <string>

using namespace coracle;
using namespace std::chrono_literals;

class Robot : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      Message order = co_await receive();
      if (order.text() == "stop") co_return;
      if (order.is_request()) co_await reply(order, "at the door, facing " + facing_);
      else co_await turn(order);
    }
  }

 private:
  Task<> turn(const Message& order) {
    facing_ = order.text();
    // reply() sends to the address that the sender has chosen for replies.
    co_await reply(order, "I turned " + facing_);
  }

  std::string facing_ = "north";
};

int main() {
  Node node(open());
  node.create<Robot>("robot");

  Port port(node, "operator");
  std::cout << "operator: Where are you?\n";
  std::cout << "robot: " << port.ask("robot", "Where are you?", 10s).text() << '\n';

  port.send("robot", "west");
  if (std::optional<Message> news = port.receive(from("robot"), 10s)) {
    std::cout << "robot: " << news->text() << '\n';
  }
  std::cout << "robot: " << port.ask("robot", "Where are you now?", 10s).text() << '\n';

  // A whole conversation can run as the port's agent; the thread waits for its result.
  int turns = port.act<int>([](Agent& self) -> Task<int> {
    int count = 0;
    for (const char* side : {"south", "east", "north"}) {
      co_await self.send("robot", side);
      Message done = co_await self.receive(from("robot"));
      count += done.text().starts_with("I turned") ? 1 : 0;
    }
    co_return count;
  });
  std::cout << "operator: " << turns << " turns. A full circle.\n";

  port.send_until(Stage::consumed, Post("robot", "stop"), 10s);
  std::cout << "operator: the robot has read that it may stop\n";
}
