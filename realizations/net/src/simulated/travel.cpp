#include "world.hpp"

#include <algorithm>
#include <utility>

namespace coracle::net {

namespace {

using detail::node_name;

Error broken(const Peer& peer, const std::string& why) {
  return Error(Errc::disconnected,
               "the connection to " + peer.address + " broke (" + why + "); connect again");
}

}  // namespace

void Pipe::take(std::size_t count) {
  constexpr std::size_t worth_moving = 65536;
  head += count;
  arrived -= count;
  if (head != bytes.size() && head < worth_moving) return;
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(head));
  head = 0;
}

void Pipe::stop_sending() {
  bytes.resize(head + arrived);
  under_way.clear();
  used = unreported = 0;
  held = unacknowledged = false;
  lost.reset();
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
    // Whole numbers, so that every machine computes the same time. A window is at most 2^30 bytes.
    when += Duration(static_cast<Duration::rep>(bytes * std::uint64_t{1'000'000'000} /
                                                state.conditions.bytes_per_second));
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
  const auto hold = [&pipe, this] {
    pipe.held = true;
    if (!pipe.lost) pipe.lost = queue.now();
  };
  if (stream->dark || !nodes[receiver.node].powered || blocked(sender.node, receiver.node)) {
    if (sender.silent) {
      pipe.stop_sending();  // nobody is there to send it again
    } else {
      hold();
    }
    return;
  }
  const bool draining = receiver.in_order;
  if ((!receiver.alive && !draining) || receiver.over) {
    if (blocked(receiver.node, sender.node)) {
      hold();
    } else {
      pipe.stop_sending();
      answer_with_reset(stream, side, "the peer does not know it");
    }
    return;
  }
  const Segment segment = pipe.under_way.front();
  pipe.under_way.pop_front();
  pipe.lost.reset();
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
    pipe.take(pipe.arrived);
  } else {
    wake(stream, 1 - side);
  }
}

void SimWorld::retry_held(const StreamPtr& stream, int side) {
  Pipe& pipe = stream->pipes[side];
  if (!pipe.held || stream->dark) return;
  pipe.held = false;
  if (stream->ends[side].silent) pipe.stop_sending();
  if (pipe.under_way.empty()) return;
  // The pause before sending again doubles: attempts come after 0.2 s, 0.6 s, 1.4 s, 3 s …
  Duration pause = options.repeat;
  Time again = *pipe.lost + pause;
  while (again < queue.now() + pipe.delay) again += pause *= 2;
  pipe.under_way.front().when = again;
  pipe.last_arrival = std::max(pipe.last_arrival, again);
  if (!pipe.scheduled) schedule(stream, side);
}

// Resets `broken_side`, because nothing is at the other end; only if the reset can pass.
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
  stream->pipes[side].stop_sending();
  stream->pipes[1 - side].take(stream->pipes[1 - side].arrived);
  if (!end.alive) return;
  end.over = why;
  wake(stream, side);
}

// Reports to the writer that `bytes` have been read, and reports that were held up before.
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

// Returns whether the writer has sent, or must send, something that is not acknowledged.
bool SimWorld::expects_answer(const StreamPtr& stream, int side) {
  const End& end = stream->ends[side];
  const Pipe& pipe = stream->pipes[side];
  return end.alive && !end.over &&
         (!pipe.under_way.empty() || pipe.unacknowledged || end.has_rest());
}

// Gives the connection up when no acknowledgement comes for too long.
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

}  // namespace coracle::net
