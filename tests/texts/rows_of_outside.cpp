// The reports to handlers of Asio, and to tests of agents on several hosts.
#include "coracle/asio.hpp"
#include "coracle/coracle.hpp"
#include "coracle/realizations/local.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/testing.hpp"
#include "table.hpp"

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

namespace coracle::test {

namespace {

namespace aio = boost::asio;

class Idle : public Agent {
 public:
  Task<> run() override { co_await pause(Deadline::never()); }
};

std::unique_ptr<Port> port_of(Node& node) { return async_port(node, "ann", aio::use_future).get(); }

std::optional<Error> asking_by_a_port_whose_node_has_stopped() {
  Node node(local::realization());
  const auto port = port_of(node);
  node.stop();
  return error_from([&] { async_ask(*port, "bob", "?", aio::use_future).get(); });
}

std::optional<Error> receiving_by_a_port_that_goes() {
  Node node(local::realization());
  auto port = port_of(node);
  auto never = async_receive(*port, aio::use_future);
  port.reset();
  return error_from([&] { never.get(); });
}

std::optional<Error> a_message_that_nobody_takes_in_time() {
  std::optional<Error> told;
  aio::io_context loop;
  Node node(local::realization());
  const auto port = port_of(node);
  const auto take = [&told](std::exception_ptr error, Message) {
    told = error_from([&error] {
      if (error) std::rethrow_exception(error);
    });
  };
  async_receive(*port, aio::bind_executor(loop.get_executor(), take));
  async_send(*port, "ann", "hello", aio::use_future).get();
  async_act(
      *port, [](Agent& me) -> Task<> { co_await me.yield(); }, aio::use_future)
      .get();
  node.stop();
  loop.run();
  return told;
}

std::optional<Error> making_an_agent_in_a_simulation_from_outside() {
  sim::World world;
  Node node(world.realization());
  return error_from(
      [&] { async_create(node, "ann", std::make_unique<Idle>(), aio::use_future).get(); });
}

template <class Action>
std::function<std::optional<Error>()> in_society(Action action) {
  return [action] {
    sim::Options two;
    two.nodes = 2;
    sim::World world(two);
    testing::Society society(world);
    return error_from([&] { action(society); });
  };
}

}  // namespace

Rows rows_of_outside() {
  using testing::Society;
  const Society::Program nothing = [](Node&) {};
  return {
      {"a port whose node has stopped is used by a loop", Errc::stopped,
       asking_by_a_port_whose_node_has_stopped,
       "this port can do nothing more: its node has stopped, or its name was taken over; open a "
       "new one"},
      {"a port goes while a handler waits", Errc::stopped, receiving_by_a_port_that_goes,
       "the operation has no result: the node was stopped, the port is gone, or another agent has "
       "taken over its name"},
      {"a node stops before a loop has called a handler", Errc::stopped,
       a_message_that_nobody_takes_in_time,
       "the message went back to its mailbox, since the node stopped before the "
       "handler was called"},
      {"something is begun in a simulation from outside", Errc::unsupported,
       making_an_agent_in_a_simulation_from_outside,
       "a simulated node runs on the thread that waits for it, so no operation can be started "
       "there from outside; do it in an agent"},
      {"a host more than the world has", Errc::bad_options, in_society([nothing](Society& society) {
         society.host(nothing);
         society.host(nothing);
       }),
       "there is no host 2: the world has 2, and host 0 is the test's own; raise Options::nodes"},
      {"the node of a host without a program", Errc::bad_options,
       in_society([](Society& society) { (void)society.node(1); }),
       "host 1 has no node now: it has no power, or runs no program; see Society::host()"},
      {"the test's own host is to crash", Errc::bad_options,
       in_society([](Society& society) { society.crash(0, std::chrono::seconds(1)); }),
       "host 0 cannot crash: the test itself is there; have another host, made by Society::host(), "
       "do so"},
      {"hosts of a society on a realization of its own", Errc::bad_options,
       [nothing] {
         Society society(local::realization());
         return error_from([&] { society.host(nothing); });
       },
       "a society on a realization of the test's own has one host; give it a sim::World with "
       "Options::nodes above 1"},
      {"faults for a world of one host", Errc::bad_options,
       [] {
         const auto play = [](sim::World&, const sim::Faults&) {};
         return error_from([&] { testing::for_each_seed(play, {}); });
       },
       "Seeds::world.nodes is 1, and faults need several hosts; give at least 2"},
  };
}

}  // namespace coracle::test
