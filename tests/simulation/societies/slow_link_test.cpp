// Nodes whose links carry 1 Mbit/s are slower than others, and nothing else.
#include "linked/linked_hosts.hpp"
#include "support/societies/doer.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coracle::test {

namespace {

constexpr unsigned ends = 3;                      // nodes
constexpr std::uint64_t megabit = 1'000'000 / 8;  // bytes a second
constexpr int message_count = 2000;               // of each agent to each other node's agent
constexpr std::size_t message_size = 4000;

struct Traffic {  // outlives the nodes
  std::map<std::pair<std::string, std::string>, int> read;
  std::vector<std::string> endings;
  bool in_order = true;

  bool is_complete() const {
    if (read.size() != ends * (ends - 1)) return false;
    for (const auto& [pair, count] : read)
      if (count < message_count) return false;
    return true;
  }
};

std::string reader_of(unsigned node) { return "reader" + std::to_string(node); }

Doer::What reads(Traffic& traffic) {
  return [&traffic](Agent& me) -> Task<> {
    for (;;) {
      const Message message = co_await me.receive();
      int& count = traffic.read[{message.source().name().str(), me.name().str()}];
      const std::string text(message.text());
      traffic.in_order &=
          text.size() == message_size && !message.redelivered() && std::stoi(text) == count++;
    }
  };
}

Doer::What writes_to(Name reader) {
  return [reader](Agent& me) -> Task<> {
    for (int number = 0; number < message_count; ++number) {
      std::string text = std::to_string(number) + " ";
      text.resize(message_size, 'x');
      co_await me.send(reader, text);
    }
  };
}

Doer::What watches(Name reader, Traffic& traffic) {
  return [reader, &traffic](Agent& me) -> Task<> {
    const Ending ending = co_await me.watch(reader);
    traffic.endings.emplace_back(to_string(ending.reason));
  };
}

// Every agent sends as fast as it may, so that all links are full for minutes. A full mailbox is
// still on its way: its 4 MB take longer than the 30 s that a send waits by default.
void fill_all_links(Linked kind) {
  Traffic traffic;
  sim::Options options;
  options.nodes = ends + 1;
  options.bandwidth = megabit;
  options.trace_messages = false;
  NodeOptions patient;
  patient.patience = 5min;
  sim::World world(options);
  const LinkedDirectory service(world, ends, kind);
  std::vector<std::unique_ptr<Node>> nodes;
  const auto start = [&nodes](unsigned node, const std::string& name, Doer::What what) {
    nodes[node]->adopt(AgentSpec(name), std::make_unique<Doer>(std::move(what)));
  };
  for (unsigned here = 0; here < ends; ++here) {
    nodes.push_back(std::make_unique<Node>(linked_node(world, here, {ends}, kind), patient));
    start(here, reader_of(here), reads(traffic));
  }
  world.run_for(5s);  // until all nodes know all names
  const Time began = world.now();
  for (unsigned here = 0; here < ends; ++here) {
    for (unsigned there = 0; there < ends; ++there) {
      if (here == there) continue;
      const std::string pair = std::to_string(here) + "/" + std::to_string(there);
      start(here, "writer/" + pair, writes_to(reader_of(there)));
      start(here, "watcher/" + pair, watches(reader_of(there), traffic));
    }
  }
  BOOST_TEST(world.run_until([&traffic] { return traffic.is_complete(); }, Deadline(1h)));
  BOOST_TEST((world.now() - began > 1min));
  BOOST_TEST(traffic.in_order);
  BOOST_TEST(traffic.endings.empty());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(slow_link)

BOOST_AUTO_TEST_CASE(through_a_server_at_one_megabit_nothing_is_lost_and_nobody_is_expelled) {
  fill_all_links(Linked::central);
}

BOOST_AUTO_TEST_CASE(between_nodes_at_one_megabit_nothing_is_lost_and_nobody_is_expelled) {
  fill_all_links(Linked::distributed);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
