#include "support/societies/grounds.hpp"

#include "coracle/realizations/central.hpp"
#include "coracle/realizations/distributed.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"
#include "support/societies/elsewhere.hpp"
#include "support/temporary_folder.hpp"

#include <optional>

namespace coracle::test {

Setting nodes_of(sim::World& world) {
  Setting setting;
  const unsigned count = world.hosts();
  for (unsigned number = 0; number < count; ++number) {
    setting.nodes.push_back(count == 1 ? world.realization() : world.realization(number));
  }
  return setting;
}

namespace {

Setting local() {
  Setting setting;
  setting.nodes.push_back(local::realization());
  return setting;
}

// Nodes in a world of their own, whose seed is CORACLE_SEED, or 1.
Setting simulated(unsigned count) {
  sim::Options options;
  options.seed = sim::seed_from_environment(1);
  options.nodes = count;
  sim::World world(options);
  return nodes_of(world);
}

// Nodes of this process that are connected by sockets.
Setting distributed(unsigned count) {
  struct Around {
    TemporaryFolder folder;
    std::optional<distributed::DirectoryServer> directory;
  };
  const auto around = std::make_shared<Around>();
  distributed::DirectoryOptions directory;
  directory.society = "tests";
  directory.listen = {"unix://" + (around->folder / "directory")};
  around->directory.emplace(directory);
  Setting setting;
  for (unsigned number = 0; number < count; ++number) {
    distributed::Options options;
    options.society = "tests";
    options.folder = around->folder.path();
    options.directories = around->directory->endpoints();
    options.takeover = true;
    setting.nodes.push_back(distributed::realization(options));
  }
  setting.around = around;
  return setting;
}

// The same, by a server.
Setting central(unsigned count) {
  struct Around {
    TemporaryFolder folder;
    std::optional<central::Server> server;
  };
  const auto around = std::make_shared<Around>();
  central::ServerOptions server;
  server.society = "tests";
  server.listen = {"unix://" + (around->folder / "server")};
  around->server.emplace(server);
  central::Options node;
  node.society = "tests";
  node.server = around->server->endpoints().front();
  node.takeover = true;
  Setting setting;
  for (unsigned number = 0; number < count; ++number)
    setting.nodes.push_back(central::realization(node));
  setting.around = around;
  return setting;
}

}  // namespace

const std::vector<Ground>& grounds() {
  static const std::vector<Ground> all = {
      {"local_with_one_worker", local, 1},
      {"local_with_two_workers", local, 2},
      {"simulated", [] { return simulated(1); }, 1},
      {"simulated_with_two_workers", [] { return simulated(1); }, 2},
      {"simulated_on_three_nodes", [] { return simulated(3); }, 1},
      {"distributed_on_three_nodes", [] { return distributed(3); }, 1},
      {"central_on_three_nodes", [] { return central(3); }, 1},
  };
  return all;
}

Place::Place(Setting setting, unsigned workers)
    : around_(std::move(setting.around)),
      virtual_(setting.nodes.front().driver != nullptr),
      society_(std::in_place, std::move(setting.nodes), quick(workers)) {}

StopReport Place::run(Body body) {
  try {
    society_->run(std::move(body));
    return society_->stop();
  } catch (...) {
    society_.reset();  // its agents end before the data to which they refer
    throw;
  }
}

Task<Address> Place::place(Agent& me, AgentSpec spec, std::unique_ptr<Agent> agent) {
  return test::place(society_->proceedings(), me, std::move(spec), std::move(agent));
}

}  // namespace coracle::test
