#include "simulated_network.hpp"

#include "world.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace coracle::net {

namespace {

bool contains(std::span<const NodeId> island, NodeId node) {
  return std::find(island.begin(), island.end(), node) != island.end();
}

// Returns some of the nodes, at least one, in a random order.
std::vector<NodeId> some_nodes(Random& random, unsigned count) {
  std::vector<NodeId> all(count);
  std::iota(all.begin(), all.end(), 0u);
  for (std::size_t i = all.size(); i > 1; --i)
    std::swap(all[i - 1], all[between(random, 0, i - 1)]);
  all.resize(between(random, 1, count));
  return all;
}

// Calls `function` with every stream between two nodes.
template <class Function>
void for_streams(SimWorld& world, NodeId one, NodeId other, Function function) {
  const auto all = world.streams;
  for (const auto& [id, stream] : all) {
    const NodeId from = stream->ends[0].node, to = stream->ends[1].node;
    if ((from == one && to == other) || (from == other && to == one)) function(stream);
  }
}

}  // namespace

SimNetwork::SimNetwork(EventQueue& queue, Random& random, SimNetworkOptions options)
    : world_(std::make_unique<SimWorld>(queue, random, options)) {}

SimNetwork::~SimNetwork() = default;

Network& SimNetwork::at(NodeId node) { return *world_->nodes.at(node).networks.back(); }

unsigned SimNetwork::nodes() const { return world_->options.nodes; }

void SimNetwork::set_link(NodeId from, NodeId to, const LinkConditions& conditions) {
  assert(from < nodes() && to < nodes());
  world_->link(from, to).conditions = conditions;
}

void SimNetwork::cut(NodeId from, NodeId to) { world_->set_cut(from, to, true); }
void SimNetwork::mend(NodeId from, NodeId to) { world_->set_cut(from, to, false); }

void SimNetwork::partition(std::span<const NodeId> island) {
  partition_one_way(island);
  for (const NodeId inside : island)
    for (NodeId outside = 0; outside < nodes(); ++outside)
      if (!contains(island, outside)) cut(outside, inside);
}

void SimNetwork::partition_one_way(std::span<const NodeId> island) {
  for (const NodeId inside : island)
    for (NodeId outside = 0; outside < nodes(); ++outside)
      if (!contains(island, outside)) cut(inside, outside);
}

void SimNetwork::heal() {
  for (NodeId from = 0; from < nodes(); ++from)
    for (NodeId to = 0; to < nodes(); ++to) mend(from, to);
}

void SimNetwork::clog(NodeId from, NodeId to, Duration span) { world_->clog(from, to, span); }

void SimNetwork::swizzle_clog(Duration span) {
  Random& random = world_->random;
  const auto chosen = some_nodes(random, nodes());
  for (const NodeId node : chosen) {
    const Duration begin = between(random, Duration::zero(), span / 2);
    const Duration end = between(random, span / 2, span);
    world_->queue.after(begin, [this, node, length = end - begin] {
      for (NodeId other = 0; other < nodes(); ++other) {
        clog(node, other, length);
        clog(other, node, length);
      }
    });
  }
}

void SimNetwork::reset_connections(NodeId one, NodeId other) {
  for_streams(*world_, one, other, [this](const StreamPtr& stream) {
    for (const int side : {0, 1}) {
      const End& end = stream->ends[side];
      world_->break_end(stream, side,
                        Error(Errc::disconnected, "the connection to " + end.peer.address +
                                                      " broke (reset); connect again"));
    }
  });
}

void SimNetwork::half_open(NodeId one, NodeId other) {
  world_->say("half-open", one, other);
  for_streams(*world_, one, other, [](const StreamPtr& stream) { stream->dark = true; });
}

void SimNetwork::stall(NodeId reader, NodeId writer) {
  world_->say("stall", reader, writer);
  world_->link(writer, reader).stalled = true;
}

void SimNetwork::unstall(NodeId reader, NodeId writer) {
  world_->say("unstall", reader, writer);
  world_->link(writer, reader).stalled = false;
  for_streams(*world_, reader, writer, [this](const StreamPtr& stream) {
    for (const int side : {0, 1}) world_->wake(stream, side);
  });
}

void SimNetwork::pause(NodeId node) {
  NodeState& state = world_->nodes.at(node);
  if (!state.up || state.paused) return;
  world_->say("pause", node);
  state.paused = true;
}

void SimNetwork::resume(NodeId node) { world_->resume(node); }
void SimNetwork::crash(NodeId node, Crash kind) { world_->crash(node, kind); }
void SimNetwork::restart(NodeId node) { world_->restart(node); }
bool SimNetwork::is_up(NodeId node) const { return world_->nodes.at(node).up; }

void SimNetwork::perform_by(NodeId node, std::function<void(std::function<void()>)> perform) {
  world_->nodes.at(node).perform = std::move(perform);
}

std::uint64_t SimNetwork::lives_ended(NodeId node) const {
  return world_->nodes.at(node).incarnation;
}

void SimNetwork::tell(NodeId node, std::function<void()> action) {
  if (is_up(node)) world_->on_node(node, std::move(action));
}

void SimNetwork::trace(std::function<void(std::string_view)> sink) {
  world_->sink = std::move(sink);
}

std::size_t SimNetwork::live_connections() const { return world_->streams.size(); }

}  // namespace coracle::net
