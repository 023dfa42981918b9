// A supervisor: explorers who crash in a cave are replaced, until too many have crashed.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <stdexcept>

using namespace coracle;
using namespace std::chrono_literals;

class Explorer : public Agent {
 public:
  Task<> run() override {
    std::cout << "explorer: a new explorer enters the cave\n";
    for (;;) {
      // The next explorer receives again the step at which this one crashed, marked as redelivered.
      Message step = co_await receive();
      if (step.text() == "pit" && !step.redelivered()) throw std::runtime_error("fell into a pit");
      if (step.text() == "dragon") throw std::runtime_error("met a dragon");
      std::cout << "explorer: " << step.text();
      std::cout << (step.redelivered() ? ", but I was warned\n" : ", all is well\n");
    }
  }
};

class Expedition : public Supervisor {
 public:
  Expedition() : Supervisor(RestartLimit{2, 10s}) {
    child("cave/explorer", [] { return std::make_unique<Explorer>(); });
  }

 protected:
  void on_ending(const Ending& ending) override {
    std::cout << "expedition: " << ending.name.view() << ' ' << to_string(ending.reason) << ": "
              << ending.text << '\n';
  }
};

class Museum : public Agent {
 public:
  Task<> run() override {
    co_await create<Expedition>("expedition");
    for (const char* step : {"a dark hall", "pit", "a lake", "dragon", "treasure"}) {
      co_await send("cave/explorer", step);
    }
    Ending ending = co_await watch("expedition");
    std::cout << "museum: the expedition has " << to_string(ending.reason) << ": " << ending.text
              << '\n';
  }
};

int main() {
  Node node(open());
  node.create<Museum>("museum");
  node.wait();
}
