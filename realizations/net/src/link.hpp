// The links of a node: one for each other node, made by dialling or by being dialled, kept alive
// and made anew. Each drives a Session over the connections of a Network.
// Works the same over sockets (asio/) and in the simulator (sim/). Everything is on one thread.
#pragma once

#include "realizations/net/src/handshake.hpp"
#include "realizations/net/src/network.hpp"
#include "realizations/net/src/session.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace coracle::net {

// Something that is to happen at a time, once. Destroying it calls it off.
class Alarm {
 public:
  virtual ~Alarm() = default;
  // Sets it to another time, or for the first time; Time::max() calls it off.
  virtual void set(Time when) = 0;
};

// Where alarms come from: asio/alarms.hpp, sim/alarms.hpp. They ring on the network's thread, never
// inside a call.
class Alarms {
 public:
  virtual ~Alarms() = default;
  virtual std::unique_ptr<Alarm> make(std::function<void()> ring) = 0;
};

// What the links of a node have in common.
struct LinkOptions {
  SessionOptions session;
  Versions versions;
  Duration connect = std::chrono::seconds(5);   // until a connection is there
  Duration greeting = std::chrono::seconds(2);  // until both are known to each other
  // How many connections may be in their greeting at once; the next one is sent away.
  std::size_t greetings = 256;
  // Pauses between attempts: drawn between zero and a bound that doubles from the least to the
  // most, but never shorter than a tenth of the least.
  Duration least_pause = std::chrono::milliseconds(100);
  Duration most_pause = std::chrono::seconds(10);
  // After how much silence, nothing being expected, a connection that we dialled is closed.
  Duration idle = Duration::max();
};

class Link;

// What a node is told about its links.
class LinksEvents {
 public:
  virtual ~LinksEvents() = default;

  // Somebody has proved who it is and is to have a link: returns who is told of its session, or
  // nullptr when it is not let in. The returned one outlives the link.
  virtual SessionEvents* on_peer(const Greeting& peer) = 0;
  // A link was made for the peer that on_peer let in.
  virtual void on_link(Link& link) = 0;
  // A connection was not made, or was ended, because of that: one line for the log. It was that of
  // `link`, or, when that is nullptr, of somebody who has dialled and not come to have one.
  virtual void on_fault(const std::string& peer, const Closing& why, const Link* link) = 0;
};

// One other node.
class Link {
 public:
  virtual ~Link() = default;

  // Whom it leads to; empty as long as that is not known.
  virtual const std::string& node() const = 0;
  // Its session, for its user.
  virtual Session& session() = 0;
  // Lets go out what has been said, in one write; dials if there is no connection. To be called at
  // the end of each turn in which something was sent, settled, released or asked.
  virtual void flush() = 0;
  // Sets where the other node can be reached. With none it can only be waited for.
  virtual void set_endpoints(std::span<const Endpoint> endpoints) = 0;
  // Makes a connection if there is none, without waiting for something to say.
  virtual void dial() = 0;
  // As dial(), and now: it is known that the other node can be reached, so what was tried before in
  // vain counts for nothing.
  virtual void dial_anew() = 0;
  // Its connection stays, however long nobody needs it.
  virtual void keep() = 0;
  // Says farewell and gives the peer up; the link goes on to exist, and may dial() again.
  virtual void leave() = 0;
};

// All of them, and the places where others may dial.
class Links {
 public:
  // The references outlive it. Throws Errc::bad_options.
  Links(Network& network, Alarms& alarms, const Clock& clock, Random& random, Identity self,
        LinkOptions options, LinksEvents& events);
  ~Links();

  // Lets others dial at `at`; returns where that is. Fails as Network::listen does.
  Result<Endpoint> listen(const Endpoint& at);
  // A link to the node of that name, or, when it is empty, to whoever answers at `endpoints`.
  // `events` outlives it. Does not dial yet.
  Link& add(std::string node, std::span<const Endpoint> endpoints, SessionEvents& events);
  // The link to that node, or nullptr.
  Link* find(std::string_view node);
  // Ends a link; without a farewell its peer will wait for us.
  void remove(Link& link);

  struct Home;

 private:
  std::unique_ptr<Home> home_;
};

}  // namespace coracle::net
