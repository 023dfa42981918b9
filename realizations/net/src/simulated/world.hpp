// The parts of a simulated network; private to it. streams.cpp is the connections as programs use
// them, travel.cpp the way in between, dialing.cpp makes connections, world.cpp keeps nodes and
// links, simulated_network.cpp is
// the interface.
#pragma once

#include "realizations/net/src/seeded_random.hpp"
#include "simulated_network.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coracle::net {

// A piece of a stream in flight, or its end.
struct Segment {
  std::size_t bytes = 0;
  Time when;
  bool fin = false;
};

// One direction of a connection. `bytes` begins with the bytes that have arrived and ends with
// those in flight; together with the bytes of which the writer does not yet know that they are
// read, they never exceed the window.
struct Pipe {
  // Removes bytes that have been read.
  void take(std::size_t count);
  // Drops the bytes in flight. Arrived bytes stay: the reader's system has them.
  void stop_sending();

  std::vector<std::byte> bytes;
  std::size_t head = 0;        // the count of read bytes at the front of `bytes`
  std::size_t arrived = 0;     // the count of bytes behind `head` that can be read
  std::size_t used = 0;        // used bytes of the window, as far as the writer knows
  std::size_t unreported = 0;  // read, but the report could not reach the writer
  std::deque<Segment> under_way;
  bool scheduled = false;       // an event will bring the first segment
  bool held = false;            // the first segment could not arrive
  std::optional<Time> lost;     // when the held segment should first have arrived
  bool unacknowledged = false;  // something arrived, but the report could not reach the writer
  bool fin_arrived = false;
  Duration delay{};
  Time last_arrival{};
  Time progress{};       // when the writer last learned that something arrived or was read
  bool watched = false;  // an event will check `progress`
};

// One end of a connection.
struct End {
  // has_rest(): the pipe has not yet taken all of the current write. is_written(): it has.
  bool has_rest() const { return writing && part < parts.size(); }
  bool is_written() const { return writing && part == parts.size(); }

  NodeId node = 0;
  ConnectionEvents* events = nullptr;
  Peer peer;
  bool alive = true;       // the program has it
  bool in_order = false;   // the program has closed it, and its system sends the rest
  bool silent = false;     // the system of its node has lost its power since
  bool scheduled = false;  // an event for the program is scheduled
  bool reading = false;
  bool writing = false;
  std::span<std::byte> buffer;
  std::vector<std::span<const std::byte>> parts;
  std::size_t part = 0, offset = 0;  // the position in `parts` up to which the pipe has the write
  std::optional<Error> over;         // the reason of its end, to be reported
};

// A connection. pipes[i] leads from ends[i] to ends[1 - i]; ends[0] has connected.
struct Stream {
  std::uint64_t id = 0;
  bool dark = false;  // nothing arrives any more
  End ends[2];
  Pipe pipes[2];
};
using StreamPtr = std::shared_ptr<Stream>;

struct ListenState {
  NodeId node = 0;
  Endpoint at;
  ListenEvents* events = nullptr;  // nullptr when it is over
  std::size_t waiting = 0;         // connections that were not reported to it
};

struct LinkState {
  LinkConditions conditions;
  bool cut = false;
  unsigned clogs = 0;
  bool stalled = false;  // the receiver takes nothing
  Time busy_until{};
};

struct NodeState {
  bool up = true, powered = true, paused = false;
  std::uint64_t incarnation = 0;
  std::vector<std::function<void()>> held;             // events for a paused program
  std::function<void(std::function<void()>)> perform;  // performs the program's work; else at once
  std::map<std::uint16_t, std::shared_ptr<ListenState>> ports;
  std::uint16_t next_port = 49152;
  std::vector<std::unique_ptr<Network>> networks;  // one for each incarnation; the last is alive
};

struct SimWorld {
  SimWorld(EventQueue& events, Random& randomness, SimNetworkOptions settings);

  // world.cpp: nodes and links.
  LinkState& link(NodeId from, NodeId to) { return links[from * options.nodes + to]; }
  bool blocked(NodeId from, NodeId to);
  void set_cut(NodeId from, NodeId to, bool cut);
  void clog(NodeId from, NodeId to, Duration span);
  void release(NodeId from, NodeId to);  // the link may be open again
  void on_node(NodeId node, std::function<void()> action);
  void resume(NodeId node);
  void crash(NodeId node, Crash kind);
  void restart(NodeId node);
  template <class... Pieces>
  void say(const Pieces&... parts);

  // streams.cpp: the ends of connections.
  StreamPtr make_stream(NodeId from, NodeId to, const Endpoint& at);
  std::unique_ptr<Connection> connection(StreamPtr stream, int side);
  void read(const StreamPtr& stream, int side, std::span<std::byte> into);
  void write(const StreamPtr& stream, int side, ByteSpans parts);
  std::size_t try_write(const StreamPtr& stream, int side, ByteSpans parts);
  void close(const StreamPtr& stream, int side);
  void reset(const StreamPtr& stream, int side, const char* why);
  void pump(const StreamPtr& stream, int side);
  void wake(const StreamPtr& stream, int side);
  void deliver(const StreamPtr& stream, int side);
  void deliver_read(const StreamPtr& stream, int side);
  void deliver_end(const StreamPtr& stream, int side, const Error& why);
  void forget_if_dead(const StreamPtr& stream);

  // travel.cpp: the bytes in between.
  void send_pieces(const StreamPtr& stream, int side, std::size_t bytes);
  void send(const StreamPtr& stream, int side, std::size_t bytes, bool fin);
  void schedule(const StreamPtr& stream, int side);
  void arrive(const StreamPtr& stream, int side);
  void answer_with_reset(const StreamPtr& stream, int broken_side, const char* why);
  void break_end(const StreamPtr& stream, int side, const Error& why);
  void report(const StreamPtr& stream, int writer, std::size_t bytes);
  void retry_held(const StreamPtr& stream, int side);
  bool expects_answer(const StreamPtr& stream, int side);
  void watch(const StreamPtr& stream, int side);

  // dialing.cpp: making connections.
  std::unique_ptr<Network> make_network(NodeId node);
  void admit(const std::shared_ptr<ListenState>& listener, const StreamPtr& stream);
  Duration delay_of(NodeId from, NodeId to);

  EventQueue& queue;
  Random& random;
  SimNetworkOptions options;
  std::vector<NodeState> nodes;
  std::vector<LinkState> links;
  std::map<std::uint64_t, StreamPtr> streams;
  std::uint64_t next_stream = 1;
  std::function<void(std::string_view)> sink;
};

namespace detail {
inline std::string traced(const std::string& part) { return part; }
inline std::string traced(const char* part) { return part; }
inline std::string traced(std::uint64_t part) { return std::to_string(part); }
inline std::string node_name(NodeId node) { return "node" + std::to_string(node); }
}  // namespace detail

// Gives a line of the trace to the sink; costs nothing without one.
template <class... Pieces>
void SimWorld::say(const Pieces&... parts) {
  if (!sink) return;
  std::string line = std::to_string(queue.now().time_since_epoch().count());
  ((line += ' ', line += detail::traced(parts)), ...);
  sink(line);
}

}  // namespace coracle::net
