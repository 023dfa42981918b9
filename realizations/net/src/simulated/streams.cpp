#include "world.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace coracle::net {

namespace {

using detail::node_name;

class SimConnection final : public Connection {
 public:
  SimConnection(SimWorld& world, StreamPtr stream, int side)
      : world_(world), stream_(std::move(stream)), side_(side) {}
  ~SimConnection() override { close(); }

  void bind(ConnectionEvents& events) override {
    if (end().alive) end().events = &events;
  }
  void read(std::span<std::byte> into) override { world_.read(stream_, side_, into); }
  void write(ByteSpans parts) override { world_.write(stream_, side_, parts); }
  std::size_t try_write(ByteSpans parts) override {
    return world_.try_write(stream_, side_, parts);
  }
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

std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const std::byte each : bytes)
    hash = (hash ^ static_cast<std::uint64_t>(each)) * 0x100000001b3;
  return hash;
}

}  // namespace

StreamPtr SimWorld::make_stream(NodeId from, NodeId to, const Endpoint& at) {
  auto stream = std::make_shared<Stream>();
  stream->id = next_stream++;
  const NodeId both[] = {from, to};
  for (const int side : {0, 1}) {
    const LinkConditions& conditions = link(both[side], both[1 - side]).conditions;
    stream->ends[side].node = both[side];
    if (options.vouches) {
      stream->ends[side].peer.proof = Peer::Proof::certificate;
      stream->ends[side].peer.names = {node_name(both[1 - side])};
    }
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
  if (!end.alive) return;  // the end crashed with its node
  assert(end.events != nullptr && !end.reading && !into.empty());
  end.reading = true;
  end.buffer = into;
  wake(stream, side);
}

void SimWorld::write(const StreamPtr& stream, int side, ByteSpans parts) {
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

std::size_t SimWorld::try_write(const StreamPtr& stream, int side, ByteSpans parts) {
  End& end = stream->ends[side];
  if (!end.alive || end.over || end.writing || !chance(random, options.eager_writes)) return 0;
  const std::size_t before = stream->pipes[side].used;
  write(stream, side, parts);
  end.writing = false;
  return stream->pipes[side].used - before;
}

void SimWorld::close(const StreamPtr& stream, int side) {
  End& end = stream->ends[side];
  say("close", node_name(end.node), stream->id);
  end.alive = end.reading = end.writing = false;
  end.events = nullptr;
  if (!end.over) {
    end.in_order = true;
    send(stream, side, 0, true);
    Pipe& in = stream->pipes[1 - side];
    report(stream, 1 - side, in.arrived);  // bytes that nobody reads are taken and discarded
    in.take(in.arrived);
  }
  forget_if_dead(stream);
}

void SimWorld::reset(const StreamPtr& stream, int side, const char* why) {
  End& end = stream->ends[side];
  say("reset", node_name(end.node), stream->id);
  end.alive = end.reading = end.writing = false;
  end.events = nullptr;
  stream->pipes[side].stop_sending();
  if (!end.over) answer_with_reset(stream, 1 - side, why);
  forget_if_dead(stream);
}

// Moves as much of the current write into the pipe as the window allows.
void SimWorld::pump(const StreamPtr& stream, int side) {
  End& end = stream->ends[side];
  Pipe& pipe = stream->pipes[side];
  std::size_t moved = 0;
  while (!end.over && end.has_rest() && pipe.used < options.window) {
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

void SimWorld::wake(const StreamPtr& stream, int side) {
  End& end = stream->ends[side];
  if (end.scheduled || !end.alive || end.events == nullptr) return;
  const Pipe& in = stream->pipes[1 - side];
  const bool stalled = link(stream->ends[1 - side].node, end.node).stalled;
  const bool tells = (end.over && (end.reading || end.writing)) || end.is_written() ||
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
  if (end.is_written() && (!readable || chance(random, 50))) {
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
  in.take(count);
  end.reading = false;
  report(stream, 1 - side, count);
  end.events->on_read(count);
}

void SimWorld::deliver_end(const StreamPtr& stream, int side, const Error& why) {
  End& end = stream->ends[side];
  say("closed", node_name(end.node), stream->id, why.sentence());
  ConnectionEvents& events = *std::exchange(end.events, nullptr);
  end.alive = end.reading = end.writing = false;
  stream->pipes[side].stop_sending();
  forget_if_dead(stream);
  events.on_closed(why);
}

void SimWorld::forget_if_dead(const StreamPtr& stream) {
  if (!stream->ends[0].alive && !stream->ends[1].alive) streams.erase(stream->id);
}

}  // namespace coracle::net
