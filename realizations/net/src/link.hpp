// The links of a node: one for each other node. A link is made by dialling or by being dialled, and
// is kept alive and renewed. Each drives a Session over the connections of a Network. Links work
// the same over sockets (asio/) and in the simulator (sim/). Everything is on one thread.
#pragma once

#include "byte_network.hpp"
#include "realizations/net/src/handshake.hpp"
#include "realizations/net/src/session.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace coracle::net {

// An event that is to happen once, at a set time. Destroying the alarm cancels it.
class Alarm {
 public:
  virtual ~Alarm() = default;
  // Sets the alarm to another time, or for the first time; Time::max() cancels it.
  virtual void set(Time when) = 0;
};

// The source of alarms: asio/alarms.hpp, sim/alarms.hpp. Alarms ring on the network's thread, never
// inside a call.
class Alarms {
 public:
  virtual ~Alarms() = default;
  virtual std::unique_ptr<Alarm> make(std::function<void()> ring) = 0;
};

// The settings that the links of a node have in common.
struct LinkOptions {
  SessionOptions session;
  Versions versions;
  Duration connect = std::chrono::seconds(5);   // the limit until a connection is there
  Duration greeting = std::chrono::seconds(2);  // the limit until the greeting is done
  // The number of connections that may be in their greeting at once; any further one is refused.
  std::size_t greetings = 256;
  // Pauses between attempts: drawn between zero and a bound that doubles from the least to the
  // most, but never shorter than a tenth of the least.
  Duration least_pause = std::chrono::milliseconds(100);
  Duration most_pause = std::chrono::seconds(10);
  // A peer must accept messages of this size; else it is refused.
  std::uint64_t least_largest = 0;
  // The silence, while nothing is expected, after which a connection that we dialled is closed.
  Duration idle = Duration::max();
};

class Link;

// The events of a node's links.
class LinksEvents {
 public:
  virtual ~LinksEvents() = default;

  // Called when a peer has proved its identity and is to have a link. Returns the receiver of the
  // session's events, or nullptr when the peer is refused. The returned object outlives the link.
  virtual SessionEvents* on_peer(const Greeting& peer) = 0;
  // Called when a link was made for the peer that on_peer admitted.
  virtual void on_link(Link& link) = 0;
  // Called when a connection was not made, or was ended, because of `why`: one line for the log.
  // The connection belonged to `link`, or, when that is nullptr, to a peer that has dialled and did
  // not get a link.
  virtual void on_fault(const std::string& peer, const Closing& why, const Link* link) = 0;
};

// One other node.
class Link {
 public:
  virtual ~Link() = default;

  // The name of the node that the link leads to; empty as long as that is not known.
  virtual const std::string& node() const = 0;
  // The session, for the link's user.
  virtual Session& session() = 0;
  // Sends in one write what has been queued; dials if there is no connection. The caller must call
  // this at the end of each turn in which something was sent, released or requested.
  virtual void flush() = 0;
  // Sets where the other node can be reached. With no endpoint, the link can only wait to be
  // dialled.
  virtual void set_endpoints(std::span<const Endpoint> endpoints) = 0;
  // Makes a connection if there is none, without waiting for something to send.
  virtual void dial() = 0;
  // As dial(), and immediately: the other node is known to be reachable, so earlier failed attempts
  // are ignored.
  virtual void dial_anew() = 0;
  // Keeps the connection open, however long nobody needs it.
  virtual void keep() = 0;
  // Sends a farewell and gives the peer up; the link continues to exist, and may dial() again.
  virtual void leave() = 0;
  // Returns whether there is no connection, and the last attempt to make one has failed.
  virtual bool is_out_of_reach() const = 0;
};

// All links of a node, and the endpoints at which others may dial.
class Links {
 public:
  // The references outlive this object. Throws Errc::bad_options.
  Links(Network& network, Alarms& alarms, const Clock& clock, Random& random, Identity self,
        LinkOptions options, LinksEvents& events);
  ~Links();

  // Lets others dial at `at`; returns the endpoint that is used. Fails as Network::listen does.
  Result<Endpoint> listen(const Endpoint& at);
  // Adds a link to the node of that name, or, when the name is empty, to any node that answers at
  // `endpoints`. `events` outlives the link. Does not dial yet.
  Link& add(std::string node, std::span<const Endpoint> endpoints, SessionEvents& events);
  // Returns the link to that node, or nullptr.
  Link* find(std::string_view node);
  // Ends a link; without a farewell, its peer will wait for us.
  void remove(Link& link);

  struct Home;

 private:
  std::unique_ptr<Home> home_;
};

}  // namespace coracle::net
