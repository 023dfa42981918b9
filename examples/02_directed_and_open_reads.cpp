// Directed and open reads: three scouts report, and the captain decides which report to read first.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <string>

using namespace coracle;
using namespace std::chrono_literals;

class Scout : public Agent {
 public:
  explicit Scout(std::string report) : report_(std::move(report)) {}
  Task<> run() override { co_await send("captain", report_); }

 private:
  std::string report_;
};

class Captain : public Agent {
 public:
  Task<> run() override {
    // A directed read: the earlier messages of the others keep their position.
    say(co_await receive(from("scout/north")));
    std::cout << "         (" << pending() << " other reports wait)\n";

    // A read with a test of the program's own.
    auto is_urgent = [](const MessageView& m) { return m.text().starts_with("Hurry"); };
    say(co_await receive(that(is_urgent)));

    // An open read: the oldest message that is left.
    say(co_await receive());

    // A read with a deadline returns nothing when no message comes in time.
    std::optional<Message> more = co_await receive(10ms);
    std::cout << "captain: " << (more ? "One more?" : "Nobody else. We go north.") << '\n';
  }

 private:
  void say(const Message& message) {
    std::cout << message.source().name().view() << ": " << message.text() << '\n';
  }
};

int main() {
  Node node(open());
  node.create<Captain>("captain");
  node.create<Scout>("scout/east", "Only sand, and more sand behind it.");
  node.create<Scout>("scout/south", "Hurry, the tide comes in!");
  node.create<Scout>("scout/north", "There is a village with a well.");
  node.wait();
}
