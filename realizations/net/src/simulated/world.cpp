#include "world.hpp"

#include <algorithm>
#include <utility>

namespace coracle::net {

namespace {

constexpr std::size_t max_window = 1u << 30;

void check(bool good, const char* sentence) {
  if (!good) throw Error(Errc::bad_options, sentence);
}

void check_link(const LinkConditions& link) {
  check(link.delay_least >= Duration::zero() && link.delay_most >= link.delay_least,
        "the delay of a simulated link is negative, or its most is below its least; set both so "
        "that 0 <= delay_least <= delay_most");
  check(link.jitter >= Duration::zero(),
        "the jitter of a simulated link is negative; set zero or more");
}

}  // namespace

SimWorld::SimWorld(EventQueue& events, Random& randomness, SimNetworkOptions settings)
    : queue(events), random(randomness), options(settings) {
  check(options.nodes >= 1 && options.nodes <= 1024,
        "a simulated network has from 1 to 1024 nodes; set SimNetworkOptions::nodes");
  check(options.window > 0 && options.window <= max_window && options.backlog > 0,
        "the window of a simulated network is from 1 byte to 1 GiB, and its backlog at least 1");
  check(options.user_timeout > Duration::zero() && options.repeat > Duration::zero() &&
            options.retry > Duration::zero(),
        "user_timeout, repeat and retry of a simulated network are longer than zero");
  check(options.short_reads <= 100 && options.split_writes <= 100 && options.eager_writes <= 100,
        "short_reads, split_writes and eager_writes are percentages, from 0 to 100");
  check_link(options.link);
  nodes.resize(options.nodes);
  links.resize(std::size_t{options.nodes} * options.nodes);
  for (LinkState& each : links) each.conditions = options.link;
  for (NodeId node = 0; node < options.nodes; ++node)
    nodes[node].networks.push_back(make_network(node));
}

bool SimWorld::blocked(NodeId from, NodeId to) {
  const LinkState& state = link(from, to);
  return state.cut || state.clogs > 0;
}

void SimWorld::set_cut(NodeId from, NodeId to, bool cut) {
  if (from == to || link(from, to).cut == cut) return;
  link(from, to).cut = cut;
  say(cut ? "cut" : "mend", from, to);
  if (!cut) release(from, to);
}

void SimWorld::clog(NodeId from, NodeId to, Duration span) {
  if (from == to) return;
  say("clog", from, to);
  ++link(from, to).clogs;
  queue.after(span, [this, from, to] {
    say("unclog", from, to);
    --link(from, to).clogs;
    release(from, to);
  });
}

// Everything that waited for the link goes on: pieces of streams, and reports of their readers.
void SimWorld::release(NodeId from, NodeId to) {
  if (blocked(from, to)) return;
  const auto all = streams;
  for (const auto& [id, stream] : all) {
    for (const int side : {0, 1}) {
      if (stream->ends[side].node == from && stream->ends[1 - side].node == to) {
        retry_held(stream, side);
        report(stream, 1 - side, 0);
      }
      // The reply to held bytes may have been what could not pass.
      if (stream->ends[side].node == to && stream->ends[1 - side].node == from)
        retry_held(stream, side);
    }
  }
}

void SimWorld::on_node(NodeId node, std::function<void()> action) {
  const std::uint64_t incarnation = nodes[node].incarnation;
  queue.after(Duration::zero(), [this, node, incarnation, action = std::move(action)]() mutable {
    NodeState& state = nodes[node];
    if (state.incarnation != incarnation) return;
    if (state.paused) {
      state.held.push_back(std::move(action));
    } else if (state.perform) {
      state.perform(std::move(action));
    } else {
      action();
    }
  });
}

void SimWorld::resume(NodeId node) {
  if (!nodes[node].paused) return;
  say("resume", node);
  nodes[node].paused = false;
  for (auto& action : std::exchange(nodes[node].held, {})) on_node(node, std::move(action));
}

void SimWorld::crash(NodeId node, Crash kind) {
  NodeState& state = nodes[node];
  if (!state.up) return;
  say("crash", node, kind == Crash::power ? "power" : "process");
  state.up = state.paused = false;
  state.powered = kind == Crash::process;
  ++state.incarnation;
  state.held.clear();
  state.perform = nullptr;
  for (auto& [port, listener] : state.ports) listener->events = nullptr;
  state.ports.clear();
  const auto all = streams;
  for (const auto& [id, stream] : all) {
    for (const int side : {0, 1}) {
      End& end = stream->ends[side];
      if (end.node != node) continue;
      if (kind == Crash::process) {
        if (end.alive) reset(stream, side, "its program ended");
        continue;
      }
      end.alive = end.in_order = end.scheduled = false;
      end.events = nullptr;
      end.silent = true;
    }
    forget_if_dead(stream);
  }
}

void SimWorld::restart(NodeId node) {
  NodeState& state = nodes[node];
  if (state.up) return;
  say("restart", node);
  state.up = state.powered = true;
  state.networks.push_back(make_network(node));
  for (NodeId other = 0; other < options.nodes; ++other) release(other, node);
}

}  // namespace coracle::net
