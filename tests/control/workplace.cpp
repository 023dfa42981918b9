#include "workplace.hpp"

#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"

#include <boost/test/unit_test.hpp>

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
  namespace unit = boost::unit_test;
  auto* all = BOOST_TEST_SUITE(suite);
  for (const Ground& ground : grounds()) {
    auto* part = BOOST_TEST_SUITE(ground.name);
    for (const Case& each : cases) {
      part->add(unit::make_test_case(
          [ground, each] {
            Workplace workplace(ground.open(), ground.workers);
            each.prove(workplace);
          },
          each.sentence, __FILE__, __LINE__));
    }
    all->add(part);
  }
  unit::framework::master_test_suite().add(all);
  return true;
}

}  // namespace coracle::dispel::test
