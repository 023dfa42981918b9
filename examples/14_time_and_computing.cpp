// Time, tasks and long work: a cook with two timers, a cuckoo clock, and a recipe that needs sums.
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>

using namespace coracle;
using namespace std::chrono_literals;

class Cuckoo : public TimedAgent {
 public:
  Cuckoo() : TimedAgent(3ms) {}

 protected:
  Task<> tick() override {
    std::cout << "cuckoo!\n";
    if (++calls_ == 3) finish();
    co_return;
  }

 private:
  int calls_ = 0;
};

class Cook : public Agent {
 public:
  Task<> run() override {
    // Two tasks of one agent take turns; they never run at the same instant.
    eggs_.set(5ms);
    cake_.set(1h);
    spawn(watch_the_cake());
    std::cout << "cook: the eggs are " << (co_await eggs_.rung() ? "done" : "forgotten") << '\n';
    cake_.cancel();
    co_await pause(1ms);

    co_await create<Cuckoo>("cuckoo");
    Ending ending = co_await watch("cuckoo");
    std::cout << "cook: the clock has " << to_string(ending.reason) << '\n';

    // Long work goes to a pool of threads, so that no agent on this worker has to wait for it.
    const int grains = co_await compute([] {
      int sum = 0;
      for (int square = 0, grain = 1; square < 20; ++square, grain *= 2) sum += grain;
      return sum;
    });
    std::cout << "cook: we need " << grains << " grains of rice\n";
  }

 private:
  Task<> watch_the_cake() {
    const bool rang = co_await cake_.rung();
    std::cout << "cook: the cake is " << (rang ? "done" : "called off") << '\n';
  }

  Timer eggs_{*this};
  Timer cake_{*this};
};

int main() {
  Node node(open());
  node.create<Cook>("cook");
  node.wait();
}
