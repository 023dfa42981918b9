// A society of two hosts in the simulator, opened by name: it can be recorded, and replayed with a
// message lost.
#include <coracle/coracle.hpp>
#include <coracle/realizations/play.hpp>

#include <iostream>

using namespace coracle;
using namespace std::chrono_literals;

class Harbour : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      const Message call = co_await receive();
      co_await reply(call, "berth " + std::to_string(++berths_));
    }
  }

 private:
  int berths_ = 0;
};

class Captain : public Agent {
 public:
  Task<> run() override {
    for (const char* ship : {"Heron", "Ibis", "Kite"}) {
      std::string berth = "no berth: the harbour does not answer";
      try {
        const Message answer = co_await ask("harbour", ship, 50ms);
        berth = answer.text();
      } catch (const Error& error) {
        if (error.errc() == Errc::stopped) throw;
      }
      std::cout << ship << ": " << berth << '\n';
    }
  }
};

void sail(sim::World& world) {
  Node sea(world.realization()), land(world.realization());
  land.create<Harbour>("harbour");
  sea.create<Captain>("captain");
  sea.wait();
}

int main(int argc, char** argv) { play(sail, argc > 1 ? argv[1] : ""); }
