#include "ground.hpp"

#include "coracle/realizations/distributed.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"
#include "support/suites.hpp"
#include "support/temporary_folder.hpp"

namespace coracle::tuples {

namespace {

Opened local() {
  Opened opened;
  opened.nodes.push_back(local::realization());
  return opened;
}

Opened simulated(unsigned nodes) {
  sim::Options options;
  options.seed = sim::seed_from_environment(1);
  options.nodes = nodes;
  sim::World world(options);
  Opened opened;
  for (unsigned number = 0; number < nodes; ++number) {
    opened.nodes.push_back(nodes == 1 ? world.realization() : world.realization(number));
  }
  return opened;
}

Opened distributed() {
  struct Around {
    test::TemporaryFolder folder;
    std::unique_ptr<distributed::DirectoryServer> directory;
  };
  const auto around = std::make_shared<Around>();
  distributed::DirectoryOptions directory;
  directory.society = "tuples";
  directory.listen = {"unix://" + (around->folder / "directory")};
  around->directory = std::make_unique<distributed::DirectoryServer>(directory);
  Opened opened;
  for (int number = 0; number < 3; ++number) {
    distributed::Options options;
    options.society = "tuples";
    options.folder = around->folder.path();
    options.directories = around->directory->endpoints();
    opened.nodes.push_back(distributed::realization(options));
  }
  opened.around = around;
  return opened;
}

struct Ground {
  std::string name;
  std::function<Opened()> open;
  unsigned workers = 1;
};

// All that tuple spaces are tested on. A realization is added here, in one line.
const std::vector<Ground>& grounds() {
  static const std::vector<Ground> all = {
      {"local_with_one_worker", local, 1},
      {"local_with_two_workers", local, 2},
      {"simulated_with_two_workers", [] { return simulated(1); }, 2},
      {"simulated_on_three_nodes", [] { return simulated(3); }, 1},
      {"distributed_over_three_nodes", distributed, 1},
  };
  return all;
}

}  // namespace

void Meadow::run(Body body, TupleSpaceOptions options) {
  run_alone([this, body, options](Agent& me) -> Task<> {
    auto space = std::make_unique<WatchedSpace>(options, given_back_);
    co_await place(me, "board", std::move(space));
    co_await body(me);
  });
}

void Meadow::run_alone(Body body) {
  society_.run(std::move(body));
  society_.stop();
}

Task<Address> Meadow::place(Agent& me, AgentSpec spec, std::unique_ptr<Agent> agent) {
  test::Proceedings& proceedings = society_.proceedings();
  Node* const there = test::next_place(proceedings);
  Address made;
  if (there == nullptr || there == &me.node()) {
    made = co_await me.adopt(std::move(spec), std::move(agent));
  } else {
    made = co_await test::adopt_at(*there, me, std::move(spec), std::move(agent));
  }
  co_await test::all_have_heard(proceedings, me);
  co_return made;
}

bool on_every_ground(const std::string& suite, std::vector<Case> cases) {
  for (const Ground& ground : grounds()) {
    std::vector<test::Proof> proofs;
    for (const Case& each : cases) {
      proofs.push_back({each.sentence, [ground, each] {
                          Meadow meadow(ground.open(), ground.workers);
                          each.prove(meadow);
                        }});
    }
    test::register_suite(suite, ground.name, std::move(proofs));
  }
  return true;
}

}  // namespace coracle::tuples
