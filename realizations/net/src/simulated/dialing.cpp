#include "world.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace coracle::net {

namespace {

using detail::node_name;

// Returns the number in "node12", if there is such a node.
std::optional<NodeId> node_of(const std::string& host, NodeId nodes) {
  constexpr std::string_view prefix = "node";
  NodeId node = 0;
  const char* end = host.data() + host.size();
  if (!host.starts_with(prefix)) return std::nullopt;
  const auto [stop, error] = std::from_chars(host.data() + prefix.size(), end, node);
  if (error != std::errc() || stop != end || node >= nodes) return std::nullopt;
  return node;
}

class SimListener final : public Listener {
 public:
  SimListener(SimWorld& world, std::shared_ptr<ListenState> state)
      : world_(world), state_(std::move(state)) {}
  ~SimListener() override {
    if (state_->events == nullptr) return;  // the attempt crashed with its node
    state_->events = nullptr;
    world_.nodes[state_->node].ports.erase(state_->at.port);
  }
  const Endpoint& endpoint() const noexcept override { return state_->at; }

 private:
  SimWorld& world_;
  std::shared_ptr<ListenState> state_;
};

class SimAttempt final : public Attempt {
 public:
  explicit SimAttempt(DialPtr dial) : dial_(std::move(dial)) {}
  ~SimAttempt() override { dial_->events = nullptr; }

 private:
  DialPtr dial_;
};

// The network as one incarnation of a node sees it.
class NodeNetwork final : public Network {
 public:
  NodeNetwork(SimWorld& world, NodeId node)
      : world_(world), node_(node), incarnation_(world.nodes[node].incarnation) {}

  Result<std::unique_ptr<Listener>> listen(const Endpoint& at, ListenEvents& events) override {
    NodeState& state = world_.nodes[node_];
    if (state.incarnation != incarnation_)
      return Error(Errc::stopped, node_name(node_) + " has crashed; restart it first");
    if (at.scheme != Endpoint::Scheme::sim) {
      return Error(Errc::unsupported, "cannot listen at " + at.text() +
                                          ": a simulated network has "
                                          "no sockets; use sim://" +
                                          node_name(node_) + ":0");
    }
    if (node_of(at.host, world_.options.nodes) != node_)
      return cannot_listen(at, "this is " + node_name(node_));
    auto listener = std::make_shared<ListenState>();
    listener->node = node_;
    listener->at = at;
    listener->events = &events;
    if (at.port == 0 && !choose_port(listener->at.port))
      return cannot_listen(at, "all ports are in use");
    if (!state.ports.emplace(listener->at.port, listener).second)
      return cannot_listen(at, "another process listens there already");
    world_.say("listen", listener->at.text());
    return std::unique_ptr<Listener>(std::make_unique<SimListener>(world_, std::move(listener)));
  }

  std::unique_ptr<Attempt> connect(std::span<const Endpoint> endpoints, Deadline deadline,
                                   ConnectEvents& events) override {
    auto dial = std::make_shared<Dial>();
    dial->from = node_;
    dial->incarnation = incarnation_;
    const std::size_t count = std::min(endpoints.size(), max_endpoints);
    dial->endpoints.assign(endpoints.begin(), endpoints.begin() + count);
    dial->until = deadline.at(world_.queue.now());
    dial->events = &events;
    world_.queue.after(Duration::zero(), [&world = world_, dial] { world.dial_next(dial); });
    return std::make_unique<SimAttempt>(std::move(dial));
  }

 private:
  static Error cannot_listen(const Endpoint& at, const std::string& why) {
    return Error(Errc::cannot_listen,
                 "cannot listen at " + at.text() + " (" + why + "); choose another endpoint");
  }

  bool choose_port(std::uint16_t& port) {
    constexpr std::uint16_t first = 49152;
    NodeState& state = world_.nodes[node_];
    for (int tries = 65536 - first; tries > 0; --tries) {
      port = state.next_port++;
      if (state.next_port == 0) state.next_port = first;
      if (!state.ports.contains(port)) return true;
    }
    return false;
  }

  SimWorld& world_;
  NodeId node_;
  std::uint64_t incarnation_;
};

}  // namespace

std::unique_ptr<Network> SimWorld::make_network(NodeId node) {
  return std::make_unique<NodeNetwork>(*this, node);
}

Duration SimWorld::delay_of(NodeId from, NodeId to) {
  const LinkConditions& conditions = link(from, to).conditions;
  const Duration delay = between(random, conditions.delay_least, conditions.delay_most);
  return delay + between(random, Duration::zero(), conditions.jitter);
}

bool SimWorld::is_current(const DialPtr& dial, std::uint64_t turn) {
  return dial->events != nullptr && dial->turn == turn &&
         nodes[dial->from].incarnation == dial->incarnation;
}

void SimWorld::dial_next(const DialPtr& dial) {
  ++dial->turn;
  if (!is_current(dial, dial->turn)) return;
  if (dial->next == dial->endpoints.size()) return dial_failed(dial);
  const Endpoint& endpoint = dial->endpoints[dial->next++];
  if (dial->until <= queue.now()) {
    dial->failure = Error(Errc::expired, "cannot connect to " + endpoint.text() +
                                             ": the deadline has passed; give it more time");
    return dial_failed(dial);
  }
  if (endpoint.scheme != Endpoint::Scheme::sim) {
    dial->failure = Error(Errc::unsupported, "cannot connect to " + endpoint.text() +
                                                 ": a simulated network has no sockets; use "
                                                 "sim://node0:PORT");
    return dial_next(dial);
  }
  const auto to = node_of(endpoint.host, options.nodes);
  if (!to) {
    dial->failure = Error(Errc::unreachable, "cannot connect to " + endpoint.text() +
                                                 ": there is no such node; check its number");
    return dial_next(dial);
  }
  limit_turn(dial);
  knock(dial, *to);
}

void SimWorld::dial_failed(const DialPtr& dial) {
  ++dial->turn;
  on_node(dial->from, [this, dial] {
    if (dial->events == nullptr) return;
    say("unconnected", node_name(dial->from), dial->failure.sentence());
    std::exchange(dial->events, nullptr)->on_connect(dial->failure);
  });
}

// Each endpoint gets its share of the time that is left, and never more than a system would take.
void SimWorld::limit_turn(const DialPtr& dial) {
  constexpr Duration patience = std::chrono::seconds(127);
  const auto turns = static_cast<Duration::rep>(1 + dial->endpoints.size() - dial->next);
  const Duration left = dial->until == Time::max() ? patience : dial->until - queue.now();
  queue.after(std::min(left / turns, patience), [this, dial, turn = dial->turn] {
    if (!is_current(dial, turn)) return;
    dial->failure =
        Error(Errc::expired, "cannot connect to " + dial->endpoints[dial->next - 1].text() +
                                 ": no answer in time; look whether it is alive");
    dial_next(dial);
  });
}

void SimWorld::knock(const DialPtr& dial, NodeId to) {
  queue.after(delay_of(dial->from, to), [this, dial, to, turn = dial->turn] {
    if (is_current(dial, turn)) knocked(dial, to);
  });
}

// A client wants to connect to node `to`; this is the work of that node's system.
void SimWorld::knocked(const DialPtr& dial, NodeId to) {
  const std::uint64_t turn = dial->turn;
  const auto again = [this, dial, to, turn] {
    if (is_current(dial, turn)) knock(dial, to);
  };
  const bool silent = blocked(dial->from, to) || !nodes[to].powered;
  if (silent) return queue.after(options.retry, again);
  const auto& ports = nodes[to].ports;
  const auto found = ports.find(dial->endpoints[dial->next - 1].port);
  if (found == ports.end()) {
    if (blocked(to, dial->from)) return queue.after(options.retry, again);
    return refused(dial, to);
  }
  if (found->second->waiting >= options.backlog) return queue.after(options.retry, again);
  const StreamPtr stream = make_stream(dial->from, to, found->second->at);
  say("connect", node_name(dial->from), node_name(to), stream->id);
  admit(found->second, stream);
  answer(dial, stream, turn);
}

void SimWorld::refused(const DialPtr& dial, NodeId by) {
  queue.after(delay_of(by, dial->from), [this, dial, turn = dial->turn] {
    if (!is_current(dial, turn)) return;
    dial->failure =
        Error(Errc::unreachable, "cannot connect to " + dial->endpoints[dial->next - 1].text() +
                                     ": nobody listens there; start who should");
    dial_next(dial);
  });
}

void SimWorld::admit(const std::shared_ptr<ListenState>& listener, const StreamPtr& stream) {
  ++listener->waiting;
  on_node(listener->node, [this, listener, stream] {
    --listener->waiting;
    if (!stream->ends[1].alive) return;
    if (listener->events == nullptr) return reset(stream, 1, "nobody listens there any more");
    say("accept", node_name(listener->node), stream->id);
    listener->events->on_accept(connection(stream, 1));
  });
}

// The system of the other node confirms the connection, once the confirmation can pass.
void SimWorld::answer(const DialPtr& dial, const StreamPtr& stream, std::uint64_t turn) {
  queue.after(stream->pipes[1].delay, [this, dial, stream, turn] {
    if (!stream->ends[0].alive) return;
    if (!is_current(dial, turn)) return reset(stream, 0, "the peer has given up");
    if (blocked(stream->ends[1].node, dial->from)) {
      queue.after(options.retry, [this, dial, stream, turn] { answer(dial, stream, turn); });
      return;
    }
    ++dial->turn;
    on_node(dial->from, [this, dial, stream] {
      if (!stream->ends[0].alive) return;
      if (dial->events == nullptr) return reset(stream, 0, "the peer has given up");
      say("connected", node_name(dial->from), stream->id);
      std::exchange(dial->events, nullptr)->on_connect(connection(stream, 0));
    });
  });
}

}  // namespace coracle::net
