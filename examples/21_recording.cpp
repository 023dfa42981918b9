// An evening in a restaurant is recorded. It is replayed; then replayed with the soup late. At last
// the cook alone is replaced, and the program prints what that changes.
#include <coracle/coracle.hpp>
#include <coracle/recording/recorder.hpp>
#include <coracle/recording/replay_into.hpp>

#include <cstdio>
#include <iostream>

using namespace coracle;
using namespace std::chrono_literals;

class Cook : public Agent {
 public:
  explicit Cook(std::string dish) : dish_(std::move(dish)) {}
  Task<> run() override {
    for (;;) {
      const Message order = co_await receive();
      const std::string plate = dish_ + " for " + std::string(order.text());
      co_await send(order.source(), plate);
    }
  }

 private:
  const std::string dish_;
};

class Guest : public Agent {
 public:
  Task<> run() override {
    co_await send("cook", "table 4");
    const std::optional<Message> plate = co_await receive(from("cook"), 2ms);
    const std::string words = plate ? "what a " + std::string(plate->text()) : "nothing came";
    co_await send("newspaper", words);
  }
};

class Newspaper : public Agent {
 public:
  Task<> run() override {
    const Message review = co_await receive();
    std::cout << "  the newspaper prints: " << review.text() << '\n';
  }
};

void evening(sim::World& world) {
  Node node(world.realization());
  node.create<Newspaper>("newspaper");
  node.create<Cook>("cook", "soup");
  node.create<Guest>("guest");
  world.run_until([&] { return node.agents() == 1; });
}

int main() {
  const std::string file = "21_recording.db";
  std::remove(file.c_str());
  {
    recording::Recorder recorder(file);
    sim::World world = recorder.world({.seed = 3});
    std::cout << "The evening:\n";
    evening(world);
  }
  const auto recording = recording::Recording::load(file);
  for (const auto& said : recording.messages()) std::cout << "  " << to_string(said) << '\n';

  std::cout << "Once more:\n";
  const auto again = recording::Replay(recording).run(evening);
  std::cout << "  " << (again.difference ? "it differs" : "exactly the same") << '\n';

  std::cout << "If message 2 comes 5 ms later:\n";
  recording::Replay(recording).delay(2, 5ms).run(evening);

  std::cout << "If the cook makes stew:\n";
  const auto new_cook = [] { return std::make_unique<Cook>("stew"); };
  for (const auto& played : replay_into(recording, {{"cook", new_cook}})) {
    std::cout << played.difference->to_string() << '\n';
  }
}
