#include "rpc_ground.hpp"

#include "coracle/realizations/distributed.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"
#include "support/suites.hpp"
#include "support/temporary_folder.hpp"

namespace coracle::rpc::test {

namespace {

Setting simulated(unsigned nodes) {
  sim::Options options;
  options.seed = sim::seed_from_environment(1);
  options.nodes = nodes;
  sim::World world(options);
  Setting setting;
  for (unsigned number = 0; number < nodes; ++number) {
    setting.nodes.push_back(nodes == 1 ? world.realization() : world.realization(number));
  }
  return setting;
}

Setting local() {
  Setting setting;
  setting.nodes.push_back(local::realization());
  return setting;
}

// Nodes of one process that speak over sockets.
Setting distributed(unsigned nodes) {
  struct Around {
    coracle::test::TemporaryFolder folder;
    std::optional<distributed::DirectoryServer> directory;
  };
  const auto around = std::make_shared<Around>();
  distributed::DirectoryOptions directory;
  directory.society = "calls";
  directory.listen = {"unix://" + (around->folder / "directory")};
  around->directory.emplace(directory);
  Setting setting;
  for (unsigned number = 0; number < nodes; ++number) {
    distributed::Options options;
    options.society = "calls";
    options.folder = around->folder.path();
    options.directories = around->directory->endpoints();
    setting.nodes.push_back(distributed::realization(options));
  }
  setting.around = around;
  return setting;
}

}  // namespace

const std::vector<Ground>& grounds() {
  static const std::vector<Ground> all = {
      {"local_with_one_worker", local, 1},
      {"local_with_two_workers", local, 2},
      {"simulated_with_two_workers", [] { return simulated(1); }, 2},
      {"simulated_on_three_nodes", [] { return simulated(3); }, 1},
      {"distributed_over_two_nodes", [] { return distributed(2); }, 1},
  };
  return all;
}

bool on_every_ground(const std::string& suite, std::vector<Case> cases) {
  for (const Ground& ground : grounds()) {
    std::vector<coracle::test::Proof> proofs;
    for (const Case& each : cases) {
      proofs.push_back({each.sentence, [ground, each] {
                          Place place(ground);
                          each.prove(place);
                        }});
    }
    coracle::test::register_suite(suite, ground.name, std::move(proofs));
  }
  return true;
}

void Clerk::fail(const std::string& why) {
  if (why == "strange") throw 7;
  throw std::runtime_error(why);
}

Task<std::string> Clerk::wait(const Incoming& call, std::string text) {
  const Message said = co_await me_.receive(says(text));
  if (call.expired()) co_return "too late";
  co_return std::string(said.text());
}

Stream<std::int64_t> Clerk::count(std::int64_t first, std::int64_t count) {
  for (std::int64_t number = first; number != first + std::abs(count); ++number) {
    if (number % 3 == 0) co_await me_.yield();
    co_yield std::int64_t{number};
  }
  if (count < 0) throw std::runtime_error("no more numbers");
}

Task<std::string> Clerk::pass(const Incoming& call, std::string whom) {
  Stub<Desk> other(me_, whom);
  co_return co_await other.name.by(call.deadline())();
}

Desk<AtServer<Clerk>> all_functions() {
  return {.add = &Clerk::add,
          .plan = &Clerk::plan,
          .fail = &Clerk::fail,
          .name = &Clerk::name,
          .wait = &Clerk::wait,
          .find = &Clerk::find,
          .count = &Clerk::count,
          .pass = &Clerk::pass};
}

Body serving(ServiceOptions options) {
  return [options](Agent& me) -> Task<> {
    Clerk clerk(me);
    Service<Desk, Clerk> service(me, clerk, all_functions(), options);
    co_await service.run();
  };
}

Match says(std::string text) {
  return that([text = std::move(text)](const MessageView& message) {
    return message.content().type() == "text/plain" && message.text() == text;
  });
}

}  // namespace coracle::rpc::test
