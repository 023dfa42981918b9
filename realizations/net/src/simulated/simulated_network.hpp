// A network of several nodes in one process and one thread, with faults. The virtual clock, the
// seed and the calls decide what happens, and nothing else does, so a run repeats in the same way.
//
// The network behaves as TCP does. A connection is a stream: no byte is lost or reordered; a fault
// delays the stream or ends it. A blocked link holds bytes back, and when a connection has made no
// progress for `user_timeout`, its writer gets the event that it broke. A node that has lost its
// power answers nothing, so its peers keep half-open connections; once the node is up again, it
// answers them with resets.
#pragma once

#include "event_queue.hpp"
#include "realizations/net/src/byte_network.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace coracle::net {

// A node by its number; its endpoints are sim://node3:PORT.
using NodeId = unsigned;

// The conditions of a link in one direction.
struct LinkConditions {
  Duration delay_least = std::chrono::milliseconds(1);  // drawn once for each connection
  Duration delay_most = std::chrono::milliseconds(1);
  Duration jitter = Duration::zero();  // at most this is added for each piece
  std::uint64_t bytes_per_second = 0;  // zero: any number
};

// Settings of a simulated network.
struct SimNetworkOptions {
  unsigned nodes = 2;          // from 1 to 1024
  LinkConditions link;         // the conditions of every link, until set otherwise
  std::size_t window = 65536;  // bytes of one direction that are in flight or not yet read
  std::size_t backlog = 128;   // connections that a listener has not yet taken
  unsigned short_reads = 20;   // percent of the reads that bring less than they could
  unsigned split_writes = 20;  // percent of the writes that travel in several pieces
  unsigned eager_writes = 30;  // percent of the writes that the system takes at once
  Duration user_timeout = std::chrono::seconds(10);  // as AsioOptions::user_timeout
  // The time until lost bytes are sent again, doubled for each further time: on a LAN a little more
  // than 200 ms.
  Duration repeat = std::chrono::milliseconds(205);
  Duration retry = std::chrono::seconds(1);  // between attempts that have no answer
  bool vouches = true;                       // the simulator proves the peer's identity
};

struct SimWorld;  // private to the simulated network

// The way in which a node dies.
enum class Crash : std::uint8_t {
  process,  // the node's system goes on and resets its connections
  power,    // everything falls silent
};

// The network and its faults.
class SimNetwork {
 public:
  // The references outlive the network. Throws Errc::bad_options.
  SimNetwork(EventQueue& queue, Random& random, SimNetworkOptions options = {});
  ~SimNetwork();

  // The network as `node` sees it. A node that was crashed and restarted has a new one.
  Network& at(NodeId node);
  unsigned nodes() const;

  // Sets the conditions of the link from one node to another from now on.
  void set_link(NodeId from, NodeId to, const LinkConditions& conditions);

  // Blocks everything from one node to another, until mend().
  void cut(NodeId from, NodeId to);
  void mend(NodeId from, NodeId to);
  // Cuts every link between `island` and the other nodes, in both directions.
  void partition(std::span<const NodeId> island);
  // Cuts only the links that lead out of `island`.
  void partition_one_way(std::span<const NodeId> island);
  // Mends everything that was cut.
  void heal();
  // Blocks everything for `span`, whatever is cut or mended.
  void clog(NodeId from, NodeId to, Duration span);
  // Clogs some nodes one by one, and releases them in another order; all within `span`.
  void swizzle_clog(Duration span);

  // Ends all connections between two nodes by resets on both sides.
  void reset_connections(NodeId one, NodeId other);
  // Silences the connections between two nodes for good, but no new ones.
  void half_open(NodeId one, NodeId other);
  // Makes `reader` take no more bytes from `writer`, though its system does, until unstall().
  void stall(NodeId reader, NodeId writer);
  void unstall(NodeId reader, NodeId writer);

  // Stops the program of a node, but not its system, as SIGSTOP does.
  void pause(NodeId node);
  void resume(NodeId node);
  // Kills a node. It gets no event any more; its objects may be destroyed then or later.
  void crash(NodeId node, Crash kind);
  // Starts the node again, with nothing.
  void restart(NodeId node);
  bool is_up(NodeId node) const;
  // Makes `perform` do the work of a node's program, until the node is killed, instead of doing it
  // at once. Afterwards, work that was left to `perform` may still be done, without effect.
  void perform_by(NodeId node, std::function<void(std::function<void()>)> perform);
  // The number of times that the node has been killed.
  std::uint64_t lives_ended(NodeId node) const;
  // Runs `action` in the program of a node: soon, but not while it is paused, and never when it has
  // been killed by then.
  void tell(NodeId node, std::function<void()> action);

  // Gives `sink` a line for every event.
  void trace(std::function<void(std::string_view)> sink);
  // The number of connections with an end that is alive.
  std::size_t live_connections() const;

 private:
  std::unique_ptr<SimWorld> world_;
};

}  // namespace coracle::net
