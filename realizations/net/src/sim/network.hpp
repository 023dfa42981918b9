// A network of several nodes in one process and one thread, with faults: what happens is decided by
// the virtual clock, the seed and the calls, and by nothing else, so it happens again the same way.
//
// It behaves as TCP does. A connection is a stream: nothing of it is lost or changes places; what a
// fault does is to hold it up or to end it. A link that is blocked holds bytes back, and when one
// has made no progress for `user_timeout` its writer is told that the connection broke. A node that
// has lost its power answers nothing, so its peers keep half-open connections; once it is up again
// it answers them with resets.
#pragma once

#include "realizations/net/src/network.hpp"
#include "realizations/net/src/sim/event_queue.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace coracle::net {

// A node by its number; its endpoints are sim://node3:PORT.
using NodeId = unsigned;

// What a link in one direction is like.
struct LinkConditions {
  Duration delay_least = std::chrono::milliseconds(1);  // drawn once for each connection
  Duration delay_most = std::chrono::milliseconds(1);
  Duration jitter = Duration::zero();  // at most this is added for each piece
  std::uint64_t bytes_per_second = 0;  // zero: any number
};

// Settings of a simulated network.
struct SimNetworkOptions {
  unsigned nodes = 2;          // from 1 to 1024
  LinkConditions link;         // of every link, until it is set otherwise
  std::size_t window = 65536;  // bytes of one direction that are under way or not yet read
  std::size_t backlog = 128;   // connections that a listener has not yet taken
  unsigned short_reads = 20;   // percent of the reads that bring less than they could
  unsigned split_writes = 20;  // percent of the writes that travel in several pieces
  unsigned eager_writes = 30;  // percent of the writes that the system takes at once
  Duration user_timeout = std::chrono::seconds(10);  // as AsioOptions::user_timeout
  // Until what was lost is sent again, and each further time twice as long: on a LAN 200 ms and a
  // little.
  Duration repeat = std::chrono::milliseconds(205);
  Duration retry = std::chrono::seconds(1);  // between attempts nobody answers
  bool vouches = true;                       // for who is at the other end of a connection
};

struct SimWorld;  // private to the simulated network

// How a node dies.
enum class Crash : std::uint8_t {
  process,  // its system goes on and resets its connections
  power,    // everything falls silent
};

// The network and its faults.
class SimNetwork {
 public:
  // The references outlive it. Throws Errc::bad_options.
  SimNetwork(EventQueue& queue, Random& random, SimNetworkOptions options = {});
  ~SimNetwork();

  // The network as `node` sees it. A node that was crashed and restarted has a new one.
  Network& at(NodeId node);
  unsigned nodes() const;

  // Sets what the link from one node to another is like from now on.
  void set_link(NodeId from, NodeId to, const LinkConditions& conditions);

  // Lets nothing pass from one node to another, until mend().
  void cut(NodeId from, NodeId to);
  void mend(NodeId from, NodeId to);
  // Cuts every link between `island` and the other nodes, in both directions.
  void partition(std::span<const NodeId> island);
  // Cuts only the links that lead out of `island`.
  void partition_one_way(std::span<const NodeId> island);
  // Mends everything that was cut.
  void heal();
  // Lets nothing pass for `span`, whatever is cut or mended.
  void clog(NodeId from, NodeId to, Duration span);
  // Clogs some nodes one by one, and lets them go in another order; all within `span`.
  void swizzle_clog(Duration span);

  // Ends all connections between two nodes by resets on both sides.
  void reset_connections(NodeId one, NodeId other);
  // Lets the connections between two nodes, but no new ones, go silent for good.
  void half_open(NodeId one, NodeId other);
  // Makes `reader` take no more bytes from `writer`, though its system does, until unstall().
  void stall(NodeId reader, NodeId writer);
  void unstall(NodeId reader, NodeId writer);

  // Stops the program of a node, but not its system, as SIGSTOP does.
  void pause(NodeId node);
  void resume(NodeId node);
  // Kills a node. Nothing is told to it any more; what it held may be destroyed then or later.
  void crash(NodeId node, Crash kind);
  // Lets it begin anew, with nothing.
  void restart(NodeId node);
  bool is_up(NodeId node) const;
  // Has what happens in the program of a node be done by `perform`, until it is killed, instead of
  // at once. Afterwards something that was left to `perform` may still be done, without effect.
  void perform_by(NodeId node, std::function<void(std::function<void()>)> perform);
  // How often it has been killed.
  std::uint64_t lives_ended(NodeId node) const;
  // Lets `action` happen in the program of a node: soon, but not while it is paused, and never when
  // it has been killed by then.
  void tell(NodeId node, std::function<void()> action);

  // Gives `sink` a line for everything that happens.
  void trace(std::function<void(std::string_view)> sink);
  // How many connections have an end that is alive.
  std::size_t live_connections() const;

 private:
  std::unique_ptr<SimWorld> world_;
};

}  // namespace coracle::net
