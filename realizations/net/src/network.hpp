// The seam for bytes: connections between nodes, as the link session sees them.
// Realizations: asio/network.hpp (TCP, TLS, Unix sockets), sim/network.hpp (the simulated one).
// Contract: realizations/net/tests/byte_contract.hpp
//
// It works by completions: an operation is begun by a call and ends by an event. Everything of one
// Network happens on one thread, the one that runs its loop. No event comes from inside a call, so
// whoever calls need not expect to be called; inside an event everything may be called, and every
// object here may be destroyed.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/result.hpp"
#include "realizations/net/src/endpoint.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace coracle::net {

// Bytes to be written: parts that need not lie together.
using Parts = std::span<const std::span<const std::byte>>;

// Who is at the other end, as far as it has proved it.
struct Peer {
  // By what it has proved it: as a process of that user on this host, as one that has the society's
  // key (whichever of them it is: the key names nobody), as the node that a certificate names, or
  // as part of this process.
  enum class Proof : std::uint8_t { nothing, user, key, certificate, process };

  Proof proof = Proof::nothing;
  std::uint32_t user = 0;          // its user id, when that is the proof
  std::vector<std::string> names;  // the DNS and URI names in its certificate; at most 64
  std::string address;             // where it is, for people: "tcp://192.0.2.7:4711"
};

// What a connection tells to whoever uses it.
class ConnectionEvents {
 public:
  virtual ~ConnectionEvents() = default;

  // The read is done: its first `bytes` bytes, at least one, are there.
  virtual void on_read(std::size_t bytes) = 0;
  // The write is done: the system has taken all of it and its memory is free. It has not
  // necessarily arrived; only the peer can say that.
  virtual void on_written() = 0;
  // The connection has ended and no other event follows. Reads and writes under way are over.
  // Errc::disconnected: closed by the peer, reset, or given up by the system.
  // Errc::not_permitted: the peer does not accept our certificate.
  virtual void on_closed(const Error& why) = 0;
};

// A stream of bytes in both directions: nothing is lost or changes places while it lives. That it
// has ended is learned by reading or writing; a peer that vanished may never be noticed without.
class Connection {
 public:
  // Closes. No event comes any more, and the memory of reads and writes under way is free.
  virtual ~Connection() = default;

  // Sets who is told; once, before anything is read or written. `events` outlives the connection.
  virtual void bind(ConnectionEvents& events) = 0;
  // Reads what is there, at least one byte, at most `into`, which is not empty and stays valid
  // until on_read. One read at a time.
  virtual void read(std::span<std::byte> into) = 0;
  // Writes all of `parts` in their order. The bytes stay valid until on_written; the span of spans
  // need not. One write at a time.
  virtual void write(Parts parts) = 0;
  // Gives the system as much of `parts` as it takes at once, and returns how many bytes that was;
  // no event tells of it. With a write under way, and whenever something is wrong, it is none. The
  // rest, if there is any, is what is written next.
  virtual std::size_t try_write(Parts parts) { return static_cast<void>(parts), 0; }
  // Ends it in order: what on_written was told for reaches a peer that goes on reading. What is
  // being written may be cut. No event comes any more.
  virtual void close() noexcept = 0;
  // Ends it at once; what is on its way is lost. No event comes any more.
  virtual void reset() noexcept = 0;
  // Who is at the other end.
  virtual const Peer& peer() const noexcept = 0;
};

// What a listener tells.
class ListenEvents {
 public:
  virtual ~ListenEvents() = default;

  // Somebody has connected and, where proof is asked for, proved who it is.
  virtual void on_accept(std::unique_ptr<Connection> connection) = 0;
  // Somebody was not let in (Errc::not_permitted, expired, disconnected), or the system has no
  // room for more connections (Errc::limit_reached). Listening goes on.
  virtual void on_refuse(const Error& why) = 0;
};

// A place where others may connect. Destroying it ends that; what was accepted lives on.
class Listener {
 public:
  virtual ~Listener() = default;
  // Where it listens; the port is the true one where zero was asked for.
  virtual const Endpoint& endpoint() const noexcept = 0;
};

// What an attempt to connect tells.
class ConnectEvents {
 public:
  virtual ~ConnectEvents() = default;

  // The attempt is over. Fails with Errc::unreachable (nothing answers), Errc::expired (nothing
  // answered in time), Errc::not_permitted (one of the two does not trust the other) or
  // Errc::unsupported (no endpoint of these kinds); the sentence names the last endpoint tried.
  virtual void on_connect(Result<std::unique_ptr<Connection>> outcome) = 0;
};

// An attempt under way. Destroying it gives it up, without an event; after its event it is nothing.
class Attempt {
 public:
  virtual ~Attempt() = default;
};

// What a look at the connections of a network has found; `nobody` had anything lately.
enum class Look : std::uint8_t { nobody, nothing, something };

// Makes connections.
class Network {
 public:
  // The most endpoints that one attempt tries; further ones are ignored.
  static constexpr std::size_t max_endpoints = 16;

  virtual ~Network() = default;

  // Listens at `at`. Fails with Errc::cannot_listen, or Errc::unsupported for an endpoint of
  // another kind. `events` outlives the listener.
  virtual Result<std::unique_ptr<Listener>> listen(const Endpoint& at, ListenEvents& events) = 0;

  // Tries `endpoints`, and every address that their names have, one after another until one
  // answers. `events` lives until its event or as long as the attempt.
  virtual std::unique_ptr<Attempt> connect(std::span<const Endpoint> endpoints, Deadline deadline,
                                           ConnectEvents& events) = 0;

  // For whoever runs the loop: reads what has come by connections that had something lately, which
  // costs less than to have the loop find it. Once this was called, rest() is to be called each
  // time before the loop waits.
  virtual Look look() { return Look::nobody; }
  virtual void rest() {}

  // Looks now at the files that prove who this node is, which are looked at now and then anyway:
  // whether they have changed. New connections go by them; one whose peer would not be let in any
  // more is closed, and all others go on. What cannot be used changes nothing. Fails with
  // Errc::bad_options, not_permitted.
  virtual Result<bool> read_keys_again() { return false; }
};

}  // namespace coracle::net
