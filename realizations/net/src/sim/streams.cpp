#include "realizations/net/src/sim/world.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace coracle::net {

namespace {

class SimConnection final : public Connection {
 public:
  SimConnection(SimWorld& world, StreamPtr stream, int side)
      : world_(world), stream_(std::move(stream)), side_(side) {}
  ~SimConnection() override { close(); }

  void bind(ConnectionEvents& events) override {
    if (end().alive) end().events = &events;
  }
  void read(std::span<std::byte> into) override { world_.read(stream_, side_, into); }
  void write(Parts parts) override { world_.write(stream_, side_, parts); }
  void close() noexcept override {
    if (end().alive) world_.close(stream_, side_);
  }
  void reset() noexcept override {
    if (end().alive) world_.reset(stream_, side_, "the peer reset it");
  }
  const Peer& peer() const noexcept override { return stream_->ends[side_].peer; }

 private:
  End& end() { return stream_->ends[side_]; }

  SimWorld& world_;
  StreamPtr stream_;
  int side_;
};

Error broken(const Peer& peer, const std::string& why) {
  return Error(Errc::disconnected,
               "the connection to " + peer.address + " broke (" + why + "); connect again");
}

std::string node_name(NodeId node) { return "node" + std::to_string(node); }

// What has not yet been taken from the write under way.
bool has_rest(const End& end) { return end.writing && end.part < end.parts.size(); }
bool is_written(const End& end) { return end.writing && end.part == end.parts.size(); }

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const std::byte each : bytes)
    hash = (hash ^ static_cast<std::uint64_t>(each)) * 0x100000001b3;
  return hash;
}

// Removes bytes that have been read.
void take(Pipe& pipe, std::size_t count) {
  constexpr std::size_t worth_moving = 65536;
  pipe.head += count;
  pipe.arrived -= count;
  if (pipe.head != pipe.bytes.size() && pipe.head < worth_moving) return;
  pipe.bytes.erase(pipe.bytes.begin(), pipe.bytes.begin() + static_cast<std::ptrdiff_t>(pipe.head));
  pipe.head = 0;
}

// Forgets what is under way. What has arrived stays: its reader's system has it.
void stop_sending(Pipe& pipe) {
  pipe.bytes.resize(pipe.head + pipe.arrived);
  pipe.under_way.clear();
  pipe.used = pipe.unreported = 0;
  pipe.held = pipe.unacknowledged = false;
}

}  // namespace

StreamPtr SimWorld::make_stream(NodeId from, NodeId to, const Endpoint& at) {
  auto stream = std::make_shared<Stream>();
  stream->id = next_stream++;
  const NodeId both[] = {from, to};
  for (const int side : {0, 1}) {
    const LinkConditions& conditions = link(both[side], both[1 - side]).conditions;
    stream->ends[side].node = both[side];
    // The simulator vouches for its nodes.
    stream->ends[side].peer.proof = Peer::Proof::certificate;
    stream->ends[side].peer.names = {node_name(both[1 - side])};
    stream->pipes[side].delay = between(random, conditions.delay_least, conditions.delay_most);
  }
  stream->ends[0].peer.address = at.text();
  stream->ends[1].peer.address = "sim://" + node_name(from) + ":0";
  streams.emplace(stream->id, stream);
  return stream;
}

std::unique_ptr<Connection> SimWorld::connection(StreamPtr stream, int side) {
  return std::make_unique<SimConnection>(*this, std::move(stream), side);
}

void SimWorld::read(const StreamPtr& stream, int side, std::span<std::byte> into) {
  End& end = stream->ends[side];
  if (!end.alive) return;  // it crashed with its node
  assert(end.events != nullptr && !end.reading && !into.empty());
  end.reading = true;
  end.buffer = into;
  wake(stream, side);
}

void SimWorld::write(const StreamPtr& stream, int side, Parts parts) {
  End& end = stream->ends[side];
  if (!end.alive) return;
  assert(end.events != nullptr && !end.writing);
  if (!expects_answer(stream, side)) stream->pipes[side].progress = queue.now();
  end.writing = true;
  end.parts.assign(parts.begin(), parts.end());
  std::erase_if(end.parts, [](const auto& part) { return part.empty(); });
  end.part = end.offset = 0;
  pump(stream, side);
}

void SimWorld::close(const StreamPtr& stream, int side) {
  End& end = stream->ends[side];
  say("close", node_name(end.node), stream->id);
  end.alive = end.reading = end.writing = false;
  end.events = nullptr;
  if (!end.over) {
    end.in_order = true;
    send(stream, side, 0, true);
  }
  forget_if_dead(stream);
}

void SimWorld::reset(const StreamPtr& stream, int side, const char* why) {
  End& end = stream->ends[side];
  say("reset", node_name(end.node), stream->id);
  end.alive = end.reading = end.writing = false;
  end.events = nullptr;
  stop_sending(stream->pipes[side]);
  if (!end.over) answer_with_reset(stream, 1 - side, why);
  forget_if_dead(stream);
}

// Moves as much of the write under way into the pipe as the window allows.
void SimWorld::pump(const StreamPtr& stream, int side) {
  End& end = stream->ends[side];
  Pipe& pipe = stream->pipes[side];
  std::size_t moved = 0;
  while (!end.over && has_rest(end) && pipe.used < options.window) {
    const auto rest = end.parts[end.part].subspan(end.offset);
    const auto now = rest.first(std::min(rest.size(), options.window - pipe.used));
    pipe.bytes.insert(pipe.bytes.end(), now.begin(), now.end());
    pipe.used += now.size();
    moved += now.size();
    end.offset += now.size();
    if (now.size() < rest.size()) break;
    ++end.part;
    end.offset = 0;
  }
  if (moved > 0) send_pieces(stream, side, moved);
  watch(stream, side);
  wake(stream, side);
}

void SimWorld::send_pieces(const StreamPtr& stream, int side, std::size_t bytes) {
  constexpr int most = 4;
  for (int piece = 1; piece < most && bytes > 1 && chance(random, options.split_writes); ++piece) {
    const std::size_t first = between(random, 1, bytes - 1);
    send(stream, side, first, false);
    bytes -= first;
  }
  send(stream, side, bytes, false);
}

void SimWorld::send(const StreamPtr& stream, int side, std::size_t bytes, bool fin) {
  Pipe& pipe = stream->pipes[side];
  LinkState& state = link(stream->ends[side].node, stream->ends[1 - side].node);
  Time when = std::max(queue.now(), state.busy_until);
  if (state.conditions.bytes_per_second > 0) {
    const auto nanoseconds =
        static_cast<double>(bytes) * 1e9 / static_cast<double>(state.conditions.bytes_per_second);
    when += Duration(static_cast<Duration::rep>(nanoseconds));
    state.busy_until = when;
  }
  when += pipe.delay + between(random, Duration::zero(), state.conditions.jitter);
  pipe.last_arrival = std::max(pipe.last_arrival, when);
  pipe.under_way.push_back({bytes, pipe.last_arrival, fin});
  if (!pipe.scheduled && !pipe.held) schedule(stream, side);
}

void SimWorld::schedule(const StreamPtr& stream, int side) {
  Pipe& pipe = stream->pipes[side];
  pipe.scheduled = true;
  queue.at(std::max(queue.now(), pipe.under_way.front().when), [this, stream, side] {
    const auto& under_way = stream->pipes[side].under_way;
    stream->pipes[side].scheduled = false;
    if (under_way.empty()) return;
    if (under_way.front().when > queue.now()) return schedule(stream, side);
    arrive(stream, side);
  });
}

void SimWorld::arrive(const StreamPtr& stream, int side) {
  Pipe& pipe = stream->pipes[side];
  End &sender = stream->ends[side], &receiver = stream->ends[1 - side];
  if (stream->dark || !nodes[receiver.node].powered || blocked(sender.node, receiver.node)) {
    if (sender.silent) {
      stop_sending(pipe);  // nobody is there to send it again
    } else {
      pipe.held = true;
    }
    return;
  }
  const bool draining = receiver.in_order && !stream->pipes[1 - side].fin_arrived;
  if ((!receiver.alive && !draining) || receiver.over) {
    if (blocked(receiver.node, sender.node)) {
      pipe.held = true;
    } else {
      stop_sending(pipe);
      answer_with_reset(stream, side, "the peer does not know it");
    }
    return;
  }
  const Segment segment = pipe.under_way.front();
  pipe.under_way.pop_front();
  if (blocked(receiver.node, sender.node)) {
    pipe.unacknowledged = true;
  } else {
    pipe.progress = queue.now();
  }
  pipe.arrived += segment.bytes;
  pipe.fin_arrived |= segment.fin;
  say("arrive", node_name(receiver.node), stream->id, segment.bytes, segment.fin ? "fin" : "");
  if (!pipe.under_way.empty()) schedule(stream, side);
  if (draining) {
    report(stream, side, pipe.arrived);
    take(pipe, pipe.arrived);
  } else {
    wake(stream, 1 - side);
  }
}

void SimWorld::retry_held(const StreamPtr& stream, int side) {
  Pipe& pipe = stream->pipes[side];
  if (!pipe.held || stream->dark) return;
  pipe.held = false;
  if (stream->ends[side].silent) stop_sending(pipe);
  if (pipe.under_way.empty()) return;
  // Whoever sends again has begun to do so more and more rarely.
  const Duration patience = between(random, Duration::zero(), options.retry);
  pipe.under_way.front().when = queue.now() + pipe.delay + patience;
  pipe.last_arrival = std::max(pipe.last_arrival, pipe.under_way.front().when);
  if (!pipe.scheduled) schedule(stream, side);
}

// Tells `broken_side` that there is nothing at the other end; if that can pass.
void SimWorld::answer_with_reset(const StreamPtr& stream, int broken_side, const char* why) {
  queue.after(stream->pipes[1 - broken_side].delay, [this, stream, broken_side, why] {
    const End &to = stream->ends[broken_side], &from = stream->ends[1 - broken_side];
    if (stream->dark || !nodes[to.node].powered || blocked(from.node, to.node)) return;
    break_end(stream, broken_side, broken(to.peer, why));
  });
}

void SimWorld::break_end(const StreamPtr& stream, int side, const Error& why) {
  End& end = stream->ends[side];
  if (end.over) return;
  end.in_order = false;
  stop_sending(stream->pipes[side]);
  take(stream->pipes[1 - side], stream->pipes[1 - side].arrived);
  if (!end.alive) return;
  end.over = why;
  wake(stream, side);
}

// Tells the writer that `bytes` have been read, and what it could not be told before.
void SimWorld::report(const StreamPtr& stream, int writer, std::size_t bytes) {
  stream->pipes[writer].unreported += bytes;
  queue.after(stream->pipes[1 - writer].delay, [this, stream, writer] {
    Pipe& pipe = stream->pipes[writer];
    if (stream->dark || blocked(stream->ends[1 - writer].node, stream->ends[writer].node)) return;
    if (pipe.unreported == 0 && !pipe.unacknowledged) return;
    pipe.used -= std::min(pipe.used, std::exchange(pipe.unreported, 0));
    pipe.unacknowledged = false;
    pipe.progress = queue.now();
    if (stream->ends[writer].alive) pump(stream, writer);
  });
}

// Whether the writer has something out, or to send, that it has heard nothing of.
bool SimWorld::expects_answer(const StreamPtr& stream, int side) {
  const End& end = stream->ends[side];
  const Pipe& pipe = stream->pipes[side];
  return end.alive && !end.over &&
         (!pipe.under_way.empty() || pipe.unacknowledged || has_rest(end));
}

// Gives the connection up when no answer comes for too long.
void SimWorld::watch(const StreamPtr& stream, int side) {
  Pipe& pipe = stream->pipes[side];
  if (pipe.watched || !expects_answer(stream, side)) return;
  pipe.watched = true;
  queue.at(pipe.progress + options.user_timeout, [this, stream, side] {
    Pipe& own = stream->pipes[side];
    own.watched = false;
    if (!expects_answer(stream, side)) return;
    if (queue.now() - own.progress < options.user_timeout) return watch(stream, side);
    break_end(stream, side, broken(stream->ends[side].peer, "no answer for too long"));
  });
}

void SimWorld::wake(const StreamPtr& stream, int side) {
  End& end = stream->ends[side];
  if (end.scheduled || !end.alive || end.events == nullptr) return;
  const Pipe& in = stream->pipes[1 - side];
  const bool stalled = link(stream->ends[1 - side].node, end.node).stalled;
  const bool tells = (end.over && (end.reading || end.writing)) || is_written(end) ||
                     (end.reading && !stalled && (in.arrived > 0 || in.fin_arrived));
  if (!tells) return;
  end.scheduled = true;
  on_node(end.node, [this, stream, side] {
    stream->ends[side].scheduled = false;
    deliver(stream, side);
  });
}

void SimWorld::deliver(const StreamPtr& stream, int side) {
  End& end = stream->ends[side];
  if (!end.alive || end.events == nullptr) return;
  const Pipe& in = stream->pipes[1 - side];
  const bool takes = end.reading && !link(stream->ends[1 - side].node, end.node).stalled;
  if (end.over) {
    if (end.reading || end.writing) deliver_end(stream, side, Error(*end.over));
    return;
  }
  const bool readable = takes && in.arrived > 0;
  if (is_written(end) && (!readable || chance(random, 50))) {
    end.writing = false;
    say("written", node_name(end.node), stream->id);
    end.events->on_written();
  } else if (readable) {
    deliver_read(stream, side);
  } else if (takes && in.fin_arrived) {
    deliver_end(stream, side,
                Error(Errc::disconnected, end.peer.address + " closed the connection; connect "
                                                             "again if it is still needed"));
  }
  wake(stream, side);
}

void SimWorld::deliver_read(const StreamPtr& stream, int side) {
  End& end = stream->ends[side];
  Pipe& in = stream->pipes[1 - side];
  std::size_t count = std::min(in.arrived, end.buffer.size());
  if (count > 1 && chance(random, options.short_reads)) count = between(random, 1, count);
  std::memcpy(end.buffer.data(), in.bytes.data() + in.head, count);
  if (sink) say("read", node_name(end.node), stream->id, count, hash_of(end.buffer.first(count)));
  take(in, count);
  end.reading = false;
  report(stream, 1 - side, count);
  end.events->on_read(count);
}

void SimWorld::deliver_end(const StreamPtr& stream, int side, const Error& why) {
  End& end = stream->ends[side];
  say("closed", node_name(end.node), stream->id, why.sentence());
  ConnectionEvents& events = *std::exchange(end.events, nullptr);
  end.alive = end.reading = end.writing = false;
  stop_sending(stream->pipes[side]);
  forget_if_dead(stream);
  events.on_closed(why);
}

void SimWorld::forget_if_dead(const StreamPtr& stream) {
  if (!stream->ends[0].alive && !stream->ends[1].alive) streams.erase(stream->id);
}

}  // namespace coracle::net
