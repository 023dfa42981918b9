// The simulator finds a bug: a manager takes a late bid for a bid of the next round.
#include <coracle/coracle.hpp>
#include <coracle/realizations/sim.hpp>

#include <iostream>

using namespace coracle;
using namespace std::chrono_literals;

class Bidder : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      const Message call = co_await receive();
      const std::string task(call.text());
      const auto estimate = [task] { return task + ": 20 crowns"; };
      const std::string bid = co_await compute(estimate);
      co_await send(call.source(), bid, call.conversation());
    }
  }
};

class Manager : public Agent {
 public:
  Manager(bool careful, std::string* mistake) : careful_(careful), mistake_(mistake) {}

  Task<> run() override {
    Conversation round = 0;
    for (const char* task : {"paint the door", "mend the roof", "sweep the yard"}) {
      co_await send("bidder", task, ++round);
      const Match bids = careful_ ? in_conversation(round) : Match();
      const std::optional<Message> bid = co_await receive(bids, 700us);
      if (bid && !bid->text().starts_with(task)) {
        *mistake_ = std::string(task) + " went to \"" + std::string(bid->text()) + '"';
      }
    }
  }

 private:
  const bool careful_;
  std::string* const mistake_;
};

void build_a_house(sim::World& world, bool careful) {
  std::string mistake;
  Node node(world.realization());
  node.create<Bidder>("bidder");
  node.create<Manager>("manager", careful, &mistake);
  world.run_until([&] { return node.agents() == 1; });
  if (!mistake.empty()) throw std::runtime_error(mistake);
}

// Plays seeds until one fails; prints its number.
void search(bool careful) {
  for (std::uint64_t seed = sim::seed_from_environment(1); seed <= 1000; ++seed) {
    sim::World world({.seed = seed, .record = true});
    try {
      build_a_house(world, careful);
    } catch (const std::runtime_error& error) {
      const auto play = [careful](sim::World& again) { build_a_house(again, careful); };
      const auto fewer = sim::World::shrink(play, world.choices());
      std::cout << "seed " << seed << ": " << error.what() << '\n'
                << world.choices().size() << " choices led to it; " << fewer.size() << " do\n";
      return;
    }
  }
  std::cout << "1000 seeds, and nothing went wrong\n";
}

int main() {
  search(false);
  search(true);
}
