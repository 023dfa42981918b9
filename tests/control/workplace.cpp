#include "workplace.hpp"

#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"
#include "support/suites.hpp"

namespace coracle::dispel::test {

namespace {

std::vector<Realization> simulated(unsigned nodes) {
  sim::Options options;
  options.seed = sim::seed_from_environment(1);
  options.nodes = nodes;
  sim::World world(options);
  std::vector<Realization> all;
  for (unsigned number = 0; number < nodes; ++number) {
    all.push_back(nodes == 1 ? world.realization() : world.realization(number));
  }
  return all;
}

std::vector<Realization> local() {
  std::vector<Realization> one;
  one.push_back(local::realization());
  return one;
}

}  // namespace

Task<> tell_main(Agent& me, Task<> task) {
  std::string said = "done";
  try {
    co_await task;
  } catch (const std::exception& error) {
    said = error.what();
  }
  co_await me.send("main", said);
}

const std::vector<Ground>& grounds() {
  static const std::vector<Ground> all = {
      {"local_with_one_worker", local, 1},
      {"local_with_two_workers", local, 2},
      {"simulated_with_two_workers", [] { return simulated(1); }, 2},
      {"simulated_on_three_nodes", [] { return simulated(3); }, 1},
  };
  return all;
}

bool on_every_ground(const std::string& suite, std::vector<Case> cases) {
  for (const Ground& ground : grounds()) {
    std::vector<coracle::test::Proof> proofs;
    for (const Case& each : cases) {
      proofs.push_back({each.sentence, [ground, each] {
                          Workplace workplace(ground.open(), ground.workers);
                          each.prove(workplace);
                        }});
    }
    coracle::test::register_suite(suite, ground.name, std::move(proofs));
  }
  return true;
}

}  // namespace coracle::dispel::test
