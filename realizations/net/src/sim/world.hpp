// What a simulated network is made of; private to it. streams.cpp is what programs do with
// connections and are told, travel.cpp what happens in between, dialing.cpp makes connections,
// world.cpp keeps nodes and links, network.cpp is the way in.
#pragma once

#include "realizations/net/src/sim/network.hpp"
#include "realizations/net/src/sim/seeded_random.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coracle::net {

// A piece of a stream under way, or its end.
struct Segment {
  std::size_t bytes = 0;
  Time when;
  bool fin = false;
};

// One direction of a connection. `bytes` begins with what has arrived and ends with what is under
// way; together with what the writer does not yet know to be read they are never over the window.
struct Pipe {
  // Removes bytes that have been read.
  void take(std::size_t count);
  // Forgets what is under way. What has arrived stays: its reader's system has it.
  void stop_sending();

  std::vector<std::byte> bytes;
  std::size_t head = 0;        // of bytes: what has been read
  std::size_t arrived = 0;     // from head on: there to be read
  std::size_t used = 0;        // of the window, as far as the writer knows
  std::size_t unreported = 0;  // read, but the writer could not be told
  std::deque<Segment> under_way;
  bool scheduled = false;       // an event will bring the first segment
  bool held = false;            // the first segment could not arrive
  std::optional<Time> lost;     // when it should have arrived, the first time
  bool unacknowledged = false;  // something arrived, but the writer could not be told
  bool fin_arrived = false;
  Duration delay{};
  Time last_arrival{};
  Time progress{};       // when the writer last learned that something arrived or was read
  bool watched = false;  // an event will look at `progress`
};

// One end of a connection.
struct End {
  // Whether some, or nothing, of the write under way has not yet been taken by the pipe.
  bool has_rest() const { return writing && part < parts.size(); }
  bool is_written() const { return writing && part == parts.size(); }

  NodeId node = 0;
  ConnectionEvents* events = nullptr;
  Peer peer;
  bool alive = true;       // the program has it
  bool in_order = false;   // the program has closed it, and its system sends the rest
  bool silent = false;     // its system has lost its power since
  bool scheduled = false;  // an event will tell it something
  bool reading = false;
  bool writing = false;
  std::span<std::byte> buffer;
  std::vector<std::span<const std::byte>> parts;
  std::size_t part = 0, offset = 0;  // of parts: what is not yet in the pipe
  std::optional<Error> over;         // why it has ended, to be told
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
  std::size_t waiting = 0;         // connections it has not been told of
};

// An attempt to connect.
struct Dial {
  NodeId from = 0;
  std::uint64_t incarnation = 0;
  std::vector<Endpoint> endpoints;
  std::size_t next = 0;
  Time until;
  std::uint64_t turn = 0;
  ConnectEvents* events = nullptr;  // nullptr when it is over
  Error failure{Errc::unreachable, "there is no endpoint to connect to; give at least one"};
};
using DialPtr = std::shared_ptr<Dial>;

struct LinkState {
  LinkConditions conditions;
  bool cut = false;
  unsigned clogs = 0;
  bool stalled = false;  // its receiver takes nothing
  Time busy_until{};
};

struct NodeState {
  bool up = true, powered = true, paused = false;
  std::uint64_t incarnation = 0;
  std::vector<std::function<void()>> held;             // what a paused program has not been told
  std::function<void(std::function<void()>)> perform;  // how its program does things; else at once
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
  template <class... Parts>
  void say(const Parts&... parts);

  // streams.cpp: the ends of connections.
  StreamPtr make_stream(NodeId from, NodeId to, const Endpoint& at);
  std::unique_ptr<Connection> connection(StreamPtr stream, int side);
  void read(const StreamPtr& stream, int side, std::span<std::byte> into);
  void write(const StreamPtr& stream, int side, Parts parts);
  std::size_t try_write(const StreamPtr& stream, int side, Parts parts);
  void close(const StreamPtr& stream, int side);
  void reset(const StreamPtr& stream, int side, const char* why);
  void pump(const StreamPtr& stream, int side);
  void wake(const StreamPtr& stream, int side);
  void deliver(const StreamPtr& stream, int side);
  void deliver_read(const StreamPtr& stream, int side);
  void deliver_end(const StreamPtr& stream, int side, const Error& why);
  void forget_if_dead(const StreamPtr& stream);

  // travel.cpp: what is between them.
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

  // dialing.cpp: how they come to be.
  std::unique_ptr<Network> make_network(NodeId node);
  bool is_current(const DialPtr& dial, std::uint64_t turn);
  void dial_next(const DialPtr& dial);
  void dial_failed(const DialPtr& dial);
  void limit_turn(const DialPtr& dial);
  void knock(const DialPtr& dial, NodeId to);
  void knocked(const DialPtr& dial, NodeId to);
  void refused(const DialPtr& dial, NodeId by);
  void admit(const std::shared_ptr<ListenState>& listener, const StreamPtr& stream);
  void answer(const DialPtr& dial, const StreamPtr& stream, std::uint64_t turn);
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

// Gives a line of the trace to whoever asked for it; costs nothing otherwise.
template <class... Parts>
void SimWorld::say(const Parts&... parts) {
  if (!sink) return;
  std::string line = std::to_string(queue.now().time_since_epoch().count());
  ((line += ' ', line += detail::traced(parts)), ...);
  sink(line);
}

}  // namespace coracle::net
