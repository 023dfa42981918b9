// The reports of societies of several nodes, their servers, the simulator and networks.
#include "coracle/coracle.hpp"
#include "coracle/realizations/central.hpp"
#include "coracle/realizations/distributed.hpp"
#include "coracle/realizations/sim.hpp"
#include "realizations/net/tests/support/pair.hpp"
#include "realizations/net/tests/support/sim_bench.hpp"
#include "support/temporary_folder.hpp"
#include "table.hpp"

#include <fstream>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

std::function<std::optional<Error>()> serving_with(void (*set)(central::ServerOptions&)) {
  return [set] {
    return error_from([set] {
      const TemporaryFolder folder;
      central::ServerOptions options;
      options.listen = {"unix://" + (folder / "server")};
      set(options);
      const central::Server server(options);
    });
  };
}

std::function<std::optional<Error>()> directing_with(void (*set)(distributed::DirectoryOptions&)) {
  return [set] {
    return error_from([set] {
      const TemporaryFolder folder;
      distributed::DirectoryOptions options;
      options.listen = {"unix://" + (folder / "directory")};
      set(options);
      const distributed::DirectoryServer server(options);
    });
  };
}

std::optional<Error> listening_where_a_file_is() {
  const TemporaryFolder folder;
  const std::string file = folder / "server";
  std::ofstream(file) << "precious";
  central::ServerOptions options;
  options.listen = {"unix://" + file};
  return error_from([&options] { const central::Server server(options); });
}

std::optional<Error> storing_at_a_server_without_a_folder() {
  const TemporaryFolder folder;
  central::ServerOptions options;
  options.listen = {"unix://" + (folder / "server")};
  options.log = [](const std::string&) {};
  const central::Server server(options);
  central::Options joining;
  joining.server = options.listen.front();
  joining.durable = true;
  return error_from([&joining] { Node node(central::realization(joining)); });
}

// The processes are nodes of this process.
std::optional<Error> taking_a_name_of_another_process() {
  const TemporaryFolder folder;
  distributed::Options options;
  options.folder = folder.path();
  Proceedings proceedings;
  const Body waiting = [](Agent& me) -> Task<> { (void)co_await me.receive(); };
  Node one(distributed::realization(options)), other(distributed::realization(options));
  one.adopt("ann", std::make_unique<Actor>(waiting, proceedings));
  return error_from([&] {
    other.adopt(AgentSpec("ann").take_over(), std::make_unique<Actor>(waiting, proceedings));
  });
}

std::optional<Error> claiming_what_a_certificate_proves() {
  const TemporaryFolder folder;
  distributed::Options options;
  options.folder = folder.path();
  NodeOptions claiming;
  claiming.identity = "certificate:lab";
  return error_from([&] { const Node node(distributed::realization(options), claiming); });
}

// The error of an agent whose node has such a directory.
std::optional<Error> with_directory(const DirectoryLimits& limits, Body body) {
  const TemporaryFolder folder;
  distributed::DirectoryOptions options;
  options.listen = {"unix://" + (folder / "directory")};
  options.limits = limits;
  options.log = [](const std::string&) {};
  const distributed::DirectoryServer server(options);
  distributed::Options joining;
  joining.directories = options.listen;
  joining.folder = folder.path();
  std::optional<Error> error;
  Society society(distributed::realization(joining));
  society.run([&error, &body](Agent& me) -> Task<> {
    Task<> task = body(me);
    error = co_await error_of(std::move(task));
  });
  society.stop(5s);
  return error;
}

std::optional<Error> joining_more_than_a_lease_may() {
  DirectoryLimits limits;
  limits.memberships_of_lease = 1;
  return with_directory(limits, [](Agent& me) -> Task<> {
    co_await me.join(Group("one"));
    co_await me.join(Group("two"));
  });
}

std::optional<Error> describing_much_and_often() {
  return with_directory({}, [](Agent& me) -> Task<> {
    for (int time = 0; time < 1000; ++time) {
      Properties much;
      much.set("text", std::string(1'000'000, 'x'));
      co_await me.describe(much);
    }
  });
}

// A thousand patterns each; one agent may have no more than 1,024.
Body hearing_much(std::optional<Error>& error) {
  return [&error](Agent& me) -> Task<> {
    std::vector<Tap> taps;
    try {
      while (taps.size() < 1000) taps.push_back(co_await me.overhear(Pattern().source("nobody")));
    } catch (const Error& thrown) {
      error = thrown;
    }
    co_await me.send("main", "done");
    co_await me.pause(Deadline::never());
  };
}

std::optional<Error> overhearing_by_more_patterns_than_a_node_may() {
  std::optional<Error> error;
  const auto main = [&error](Agent& me) -> Task<> {
    for (int number = 0; !error && number < 20; ++number) {
      co_await start(me, "hearer" + std::to_string(number), hearing_much(error));
      (void)co_await me.receive();
    }
  };
  const std::optional<Error> ended = with_directory({}, main);
  return ended ? ended : error;
}

Rows of_servers() {
  return {
      {"a server where a file is already", Errc::cannot_listen, listening_where_a_file_is,
       "cannot listen at unix:///<...> (<...>); <...>"},
      {"a server that keeps no messages", Errc::bad_options,
       serving_with([](central::ServerOptions& options) { options.kept_for_name = 0; }),
       "ServerOptions::kept_for_name is 0; give at least 1"},
      {"a server that takes no content", Errc::bad_options,
       serving_with([](central::ServerOptions& options) { options.content_limit = 0; }),
       "ServerOptions::content_limit is 0; give 1 to 1073741824"},
      {"a server that takes too much content", Errc::bad_options,
       serving_with(
           [](central::ServerOptions& options) { options.content_limit = max_content_bytes + 1; }),
       "ServerOptions::content_limit is 1073741825; give 1 to 1073741824"},
      {"a server that listens nowhere", Errc::bad_options,
       serving_with([](central::ServerOptions& options) { options.listen.clear(); }),
       "a clearinghouse that listens nowhere is of no use; give its option listen a place such as "
       "127.0.0.1:4410"},
      {"a server at a place that is none", Errc::bad_endpoint,
       serving_with([](central::ServerOptions& options) { options.listen = {"nowhere"}; }),
       "\"<...>nowhere\" is not an endpoint: <...>; write tcp://host:port, tls://host:port, "
       "unix:///path or sim://node:port"},
      {"a directory that keeps no messages", Errc::bad_options,
       directing_with([](distributed::DirectoryOptions& options) { options.kept_for_name = 0; }),
       "DirectoryOptions::kept_for_name is 0; give at least 1"},
      {"a directory that takes no content", Errc::bad_options,
       directing_with([](distributed::DirectoryOptions& options) { options.content_limit = 0; }),
       "DirectoryOptions::content_limit is 0; give 1 to 1073741824"},
      {"a durable node of a server without a folder", Errc::unsupported,
       storing_at_a_server_without_a_folder,
       "this node is to send its messages through a message store with a disk, and there is none; "
       "start the server with a folder (coracle central --data DIR), or leave durable=yes out"},
      {"agents of a node in more groups than they may be", Errc::limit_reached,
       joining_more_than_a_lease_may,
       "<...>the names of a lease have as many memberships as 1, its limit; raise "
       "DirectoryLimits::memberships_of_lease or give up what is no longer needed"},
      {"an agent that changes its properties all the time", Errc::limit_reached,
       describing_much_and_often,
       "<...>this node changes properties faster than all other nodes can be expected to receive "
       "them; change them less often, or try again in some seconds"},
      {"agents of a node that overhear by too many patterns", Errc::limit_reached,
       overhearing_by_more_patterns_than_a_node_may,
       "this node's agents overhear by 16384 patterns already; drop one first"},
      {"an agent that takes over the name of another process", Errc::not_permitted,
       taking_a_name_of_another_process,
       "'ann' is held by another process, and no certificate proves that both are of one owner; "
       "wait until that process ends, or start it with takeover=yes in the text of open()"},
      {"a node that claims what a certificate proves", Errc::bad_options,
       claiming_what_a_certificate_proves,
       "an identity that begins with 'certificate:' must be proved by a certificate, and this node "
       "has shown none; give it one (tls=FOLDER), or choose another NodeOptions::identity"},
      {"a node that does not say where its server is", Errc::bad_options,
       by([] { (void)central::realization(central::Options()); }),
       "a node of a Central society needs a server; give Options::server a place such as "
       "127.0.0.1:4410"},
  };
}

std::optional<Error> stuck_world() {
  sim::World world;
  Proceedings proceedings;
  const Body waiting = [](Agent& me) -> Task<> { (void)co_await me.receive(); };
  Node node(world.realization());
  node.adopt("ann", std::make_unique<Actor>(waiting, proceedings));
  return error_from([&world] { world.run_until([] { return false; }); });
}

std::optional<Error> endless_world() {
  sim::Options options;
  options.things_limit = 1000;
  sim::World world(options);
  Proceedings proceedings;
  const Body polling = [](Agent& me) -> Task<> {
    while (!me.node().options().identity.empty()) co_await me.yield();
  };
  Node node(world.realization());
  node.adopt("ann", std::make_unique<Actor>(polling, proceedings));
  return error_from([&world] { world.run_until([] { return false; }); });
}

std::optional<Error> halted_world() {
  sim::Options options;
  bool halt = false;
  options.halt = [&halt] { return std::exchange(halt, false); };
  sim::World world(options);
  world.at(world.now() + 1ms, [&halt] { halt = true; });
  return error_from([&world] { world.run_for(1s); });
}

Rows of_simulations() {
  return {
      {"a simulated world in which nothing can happen any more", Errc::deadlock, stuck_world,
       "the simulation is stuck: nothing can happen any more, and <...> has not come (seed 1; "
       "repeat it with CORACLE_SEED=1). Have somebody send, or give a wait a "
       "deadline.\\n  'ann' waits for any message"},
      {"a simulated society that polls", Errc::limit_reached, endless_world,
       "the simulated society did 1000 things without an end (seed 1; repeat it with "
       "CORACLE_SEED=1); look for a task that polls, or raise sim::Options::things_limit"},
      {"a simulated world that is halted", Errc::cancelled, halted_world,
       "the simulated world was halted, as the program requested"},
      {"a Port at a simulated node", Errc::unsupported, by([] {
         sim::World world;
         Node node(world.realization());
         const Port port(node, "ann");
       }),
       "a simulated node cannot have a Port, because a Port belongs to another thread; do the same "
       "in an agent, made by create()"},
      {"a simulated world without hosts", Errc::bad_options, by([] {
         sim::Options options;
         options.nodes = 0;
         const sim::World world(options);
       }),
       "sim::Options::nodes is 0; give 1 to 256"},
  };
}

std::optional<Error> connecting_where_nobody_listens() {
  net::test::SimBench bench(1);
  net::test::Caller caller;
  const net::Endpoint there[] = {bench.nobody()};
  caller.attempt = bench.connecting().connect(there, 60s, caller);
  bench.until([&caller] { return caller.told > 0; });
  return caller.failure;
}

std::optional<Error> reading_from_who_has_closed() {
  net::test::SimBench bench(1);
  net::test::Pair pair(bench);
  pair.guest().keep_reading();
  pair.visitor().connection->close();
  bench.until([&pair] { return pair.guest().closed.has_value(); });
  return pair.guest().closed;
}

Rows of_networks() {
  return {
      {"connecting where nobody listens", Errc::unreachable, connecting_where_nobody_listens,
       "cannot connect to sim://node0:7: nobody listens there; start who should"},
      {"reading from a side that has closed", Errc::disconnected, reading_from_who_has_closed,
       "<...> closed the connection; connect again if it is still needed"},
  };
}

}  // namespace

Rows rows_of_societies() { return joined({of_servers(), of_simulations(), of_networks()}); }

}  // namespace coracle::test
