// The default limits admit an honest node with many agents and many correspondents.
#include "linked/linked_hosts.hpp"
#include "support/societies/doer.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

namespace coracle::test {

namespace {

// CORACLE_AGENTS=1000000 tries the size that the defaults have to admit; it takes some minutes.
unsigned agent_count() {
  const char* const text = std::getenv("CORACLE_AGENTS");
  return text != nullptr ? static_cast<unsigned>(std::stoul(text))
                         : static_cast<unsigned>(100'000 / fewer);
}

std::string agent(unsigned number) { return "agent/" + std::to_string(number); }
std::string peer(unsigned number) { return "peer/" + std::to_string(number); }

// Sends a message to the agent and waits for one, in the order that `begins` says.
Doer::What exchanges(std::string with, bool begins, unsigned& exchanged) {
  return [with = std::move(with), begins, &exchanged](Agent& me) -> Task<> {
    if (begins) co_await me.send(Name(with), "hello");
    const Message message = co_await me.receive();
    if (!begins) co_await me.send(message.source().name(), "hello");
    exchanged += message.source().name().view() == with ? 1 : 0;
    co_await me.pause(Deadline::never());
  };
}

// One node has the agents; another node has agents that exchange a message with a tenth of them
// each way.
void meet(Linked kind) {
  const unsigned agents = agent_count(), peers = agents / 10;
  unsigned exchanged = 0;  // outlives the nodes
  sim::Options options;
  options.nodes = 3;
  options.trace_messages = false;
  options.things_limit = ~std::uint64_t{0};
  sim::World world(options);
  const LinkedDirectory service(world, 2, kind);
  Node large(linked_node(world, 0, {2}, kind));
  for (unsigned number = 0; number < agents; ++number)
    large.adopt(AgentSpec(agent(number)),
                std::make_unique<Doer>(exchanges(peer(number), false, exchanged)));
  Node other(linked_node(world, 1, {2}, kind));
  for (unsigned number = 0; number < peers; ++number)
    other.adopt(AgentSpec(peer(number)),
                std::make_unique<Doer>(exchanges(agent(number), true, exchanged)));
  BOOST_TEST(world.run_until([&] { return exchanged == 2 * peers; }, Deadline(1h)));
  for (Node* const node : {&large, &other}) {
    const Ledger ledger = node->ledger();
    BOOST_TEST(ledger.sent == peers);
    BOOST_TEST(ledger.received == peers);
    BOOST_TEST(ledger.refused == 0U);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(crowd)

BOOST_AUTO_TEST_CASE(a_clearinghouse_refuses_nothing_of_a_node_with_many_agents) {
  meet(Linked::central);
}

BOOST_AUTO_TEST_CASE(nodes_refuse_nothing_of_a_node_with_many_agents) { meet(Linked::distributed); }

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
