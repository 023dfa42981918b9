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

// An attempt to connect: it tries its endpoints, one after another.
class Dial final : public std::enable_shared_from_this<Dial> {
 public:
  Dial(SimWorld& world, NodeId from, std::uint64_t incarnation, std::span<const Endpoint> endpoints,
       Time until, ConnectEvents& events)
      : world_(world),
        from_(from),
        incarnation_(incarnation),
        endpoints_(endpoints.begin(), endpoints.end()),
        until_(until),
        events_(&events) {}

  // Tries the next endpoint.
  void next();
  // Nothing is reported any more.
  void cancel() noexcept { events_ = nullptr; }

 private:
  bool is_current(std::uint64_t turn);
  void fail();
  void limit_turn();
  void request(NodeId to);
  void on_request(NodeId to);
  void refuse(NodeId by);
  void answer(const StreamPtr& stream, std::uint64_t turn);

  SimWorld& world_;
  const NodeId from_;
  const std::uint64_t incarnation_;
  const std::vector<Endpoint> endpoints_;
  std::size_t next_endpoint_ = 0;
  const Time until_;
  std::uint64_t turn_ = 0;
  ConnectEvents* events_;  // nullptr when it is over
  Error failure_{Errc::unreachable, "there is no endpoint to connect to; give at least one"};
};

class SimAttempt final : public Attempt {
 public:
  explicit SimAttempt(std::shared_ptr<Dial> dial) : dial_(std::move(dial)) {}
  ~SimAttempt() override { dial_->cancel(); }

 private:
  const std::shared_ptr<Dial> dial_;
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
    const auto tried = endpoints.first(std::min(endpoints.size(), max_endpoints));
    auto dial = std::make_shared<Dial>(world_, node_, incarnation_, tried,
                                       deadline.at(world_.queue.now()), events);
    world_.queue.after(Duration::zero(), [dial] { dial->next(); });
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

bool Dial::is_current(std::uint64_t turn) {
  return events_ != nullptr && turn_ == turn && world_.nodes[from_].incarnation == incarnation_;
}

void Dial::next() {
  ++turn_;
  if (!is_current(turn_)) return;
  if (next_endpoint_ == endpoints_.size()) return fail();
  const Endpoint& endpoint = endpoints_[next_endpoint_++];
  if (until_ <= world_.queue.now()) {
    failure_ = Error(Errc::expired, "cannot connect to " + endpoint.text() +
                                        ": the deadline has passed; give it more time");
    return fail();
  }
  if (endpoint.scheme != Endpoint::Scheme::sim) {
    failure_ = Error(Errc::unsupported, "cannot connect to " + endpoint.text() +
                                            ": a simulated network has no sockets; use "
                                            "sim://node0:PORT");
    return next();
  }
  const auto to = node_of(endpoint.host, world_.options.nodes);
  if (!to) {
    failure_ = Error(Errc::unreachable, "cannot connect to " + endpoint.text() +
                                            ": there is no such node; check its number");
    return next();
  }
  limit_turn();
  request(*to);
}

void Dial::fail() {
  ++turn_;
  world_.on_node(from_, [this, self = shared_from_this()] {
    if (events_ == nullptr) return;
    world_.say("unconnected", node_name(from_), failure_.sentence());
    std::exchange(events_, nullptr)->on_connect(failure_);
  });
}

// Each endpoint gets its share of the time that is left, and never more than a system would take.
void Dial::limit_turn() {
  constexpr Duration patience = std::chrono::seconds(127);
  const auto turns = static_cast<Duration::rep>(1 + endpoints_.size() - next_endpoint_);
  const Duration left = until_ == Time::max() ? patience : until_ - world_.queue.now();
  world_.queue.after(std::min(left / turns, patience), [this, self = shared_from_this(),
                                                        turn = turn_] {
    if (!is_current(turn)) return;
    failure_ = Error(Errc::expired, "cannot connect to " + endpoints_[next_endpoint_ - 1].text() +
                                        ": no answer in time; look whether it is alive");
    next();
  });
}

void Dial::request(NodeId to) {
  world_.queue.after(world_.delay_of(from_, to),
                     [this, self = shared_from_this(), to, turn = turn_] {
                       if (is_current(turn)) on_request(to);
                     });
}

// A client wants to connect to node `to`; this is the work of that node's system.
void Dial::on_request(NodeId to) {
  const std::uint64_t turn = turn_;
  const auto again = [this, self = shared_from_this(), to, turn] {
    if (is_current(turn)) request(to);
  };
  const bool silent = world_.blocked(from_, to) || !world_.nodes[to].powered;
  if (silent) return world_.queue.after(world_.options.retry, again);
  const auto& ports = world_.nodes[to].ports;
  const auto found = ports.find(endpoints_[next_endpoint_ - 1].port);
  if (found == ports.end()) {
    if (world_.blocked(to, from_)) return world_.queue.after(world_.options.retry, again);
    return refuse(to);
  }
  if (found->second->waiting >= world_.options.backlog)
    return world_.queue.after(world_.options.retry, again);
  const StreamPtr stream = world_.make_stream(from_, to, found->second->at);
  world_.say("connect", node_name(from_), node_name(to), stream->id);
  world_.admit(found->second, stream);
  answer(stream, turn);
}

void Dial::refuse(NodeId by) {
  world_.queue.after(world_.delay_of(by, from_), [this, self = shared_from_this(), turn = turn_] {
    if (!is_current(turn)) return;
    failure_ =
        Error(Errc::unreachable, "cannot connect to " + endpoints_[next_endpoint_ - 1].text() +
                                     ": nobody listens there; start who should");
    next();
  });
}

// The system of the other node confirms the connection, once the confirmation can pass.
void Dial::answer(const StreamPtr& stream, std::uint64_t turn) {
  world_.queue.after(stream->pipes[1].delay, [this, self = shared_from_this(), stream, turn] {
    if (!stream->ends[0].alive) return;
    if (!is_current(turn)) return world_.reset(stream, 0, "the peer has given up");
    if (world_.blocked(stream->ends[1].node, from_)) {
      world_.queue.after(world_.options.retry,
                         [this, self = shared_from_this(), stream, turn] { answer(stream, turn); });
      return;
    }
    ++turn_;
    world_.on_node(from_, [this, self = shared_from_this(), stream] {
      if (!stream->ends[0].alive) return;
      if (events_ == nullptr) return world_.reset(stream, 0, "the peer has given up");
      world_.say("connected", node_name(from_), stream->id);
      std::exchange(events_, nullptr)->on_connect(world_.connection(stream, 0));
    });
  });
}

}  // namespace

std::unique_ptr<Network> SimWorld::make_network(NodeId node) {
  return std::make_unique<NodeNetwork>(*this, node);
}

Duration SimWorld::delay_of(NodeId from, NodeId to) {
  const LinkConditions& conditions = link(from, to).conditions;
  const Duration delay = between(random, conditions.delay_least, conditions.delay_most);
  return delay + between(random, Duration::zero(), conditions.jitter);
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

}  // namespace coracle::net
