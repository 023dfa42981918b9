// The interface for bytes: connections between nodes, as the link session uses them.
// Realizations: asio/network.hpp (TCP, TLS, Unix sockets), sim/network.hpp (the simulated one).
// Contract: realizations/net/tests/bytes/byte_contract.hpp
//
// The interface works by completions: a call begins an operation and an event ends it. Everything
// of one Network happens on one thread, the one that runs its loop. No event comes from inside a
// call, so a caller need not expect to be called back during its call. Inside an event every
// function may be called, and every object here may be destroyed.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/result.hpp"
#include "realizations/net/src/endpoint.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coracle::net {

// Bytes to be written: parts that need not be contiguous.
using ByteSpans = std::span<const std::span<const std::byte>>;

// The peer at the other end, as far as it has proved its identity.
struct Peer {
  // The kind of proof: the peer is a process of that user on this host, has the society key (any of
  // the keys; a key names no node), is the node that a certificate names, or is part of this
  // process.
  enum class Proof : std::uint8_t { nothing, user, key, certificate, process };

  Proof proof = Proof::nothing;
  std::uint32_t user = 0;          // the user id of the peer, when that is the proof
  std::vector<std::string> names;  // the DNS and URI names in its certificate; at most 64
  std::string address;             // where the peer is, for people: "tcp://192.0.2.7:4711"
  bool is_on_this_host = false;    // known of TCP only
};

// The events of a connection.
class ConnectionEvents {
 public:
  virtual ~ConnectionEvents() = default;

  // The read is done: the first `bytes` bytes of its buffer, at least one, are filled.
  virtual void on_read(std::size_t bytes) = 0;
  // The write is done: the system has taken all of it and its memory is free. The bytes have not
  // necessarily arrived; only the peer can confirm that.
  virtual void on_written() = 0;
  // The connection has ended and no other event follows. Reads and writes in progress are over.
  // Errc::disconnected: closed by the peer, reset, or given up by the system.
  // Errc::not_permitted: the peer does not accept our certificate.
  virtual void on_closed(const Error& why) = 0;
};

// A stream of bytes in both directions: no byte is lost or reordered while the connection lives.
// Only a read or a write detects that the connection has ended; without them, a peer that vanished
// may never be noticed.
class Connection {
 public:
  // Closes. No event comes any more, and the memory of reads and writes in progress is free.
  virtual ~Connection() = default;

  // Sets the receiver of events; once, before anything is read or written. `events` outlives the
  // connection.
  virtual void bind(ConnectionEvents& events) = 0;
  // Reads the bytes that are there, at least one, into `into`, which is not empty and stays valid
  // until on_read. One read at a time.
  virtual void read(std::span<std::byte> into) = 0;
  // Writes all of `parts` in their order. The bytes stay valid until on_written; the span of spans
  // need not. One write at a time. A write without parts is done when the peer has taken all that
  // was written before, if that can be known, as it can with shared memory.
  virtual void write(ByteSpans parts) = 0;
  // Gives the system as much of `parts` as it takes at once, and returns how many bytes that was;
  // no event follows. The result is 0 while a write is in progress, and after an error. The rest,
  // if there is any, must be written next.
  virtual std::size_t try_write(ByteSpans parts) { return static_cast<void>(parts), 0; }
  // Ends the connection in order: bytes for which on_written was called reach a peer that goes on
  // reading. A write in progress may be cut. No event comes any more.
  virtual void close() noexcept = 0;
  // Ends the connection at once; bytes in flight are lost. No event comes any more.
  virtual void reset() noexcept = 0;
  // Returns the peer at the other end.
  virtual const Peer& peer() const noexcept = 0;
};

// The events of a listener.
class ListenEvents {
 public:
  virtual ~ListenEvents() = default;

  // A client has connected and, where proof is demanded, proved its identity.
  virtual void on_accept(std::unique_ptr<Connection> connection) = 0;
  // A client was refused (Errc::not_permitted, expired, disconnected), or the system has no room
  // for more connections (Errc::limit_reached). Listening goes on.
  virtual void on_refuse(const Error& why) = 0;
};

// An endpoint at which others may connect. Destroying the listener ends that; accepted connections
// stay.
class Listener {
 public:
  virtual ~Listener() = default;
  // Returns where it listens, with the true port where zero was requested.
  virtual const Endpoint& endpoint() const noexcept = 0;
};

// The event of an attempt to connect.
class ConnectEvents {
 public:
  virtual ~ConnectEvents() = default;

  // The attempt is over. Fails with Errc::unreachable (nothing answers), Errc::expired (nothing
  // answered in time), Errc::not_permitted (one of the two does not trust the other) or
  // Errc::unsupported (no endpoint of these kinds); the sentence names the last endpoint tried.
  virtual void on_connect(Result<std::unique_ptr<Connection>> outcome) = 0;
};

// An attempt in progress. Destroying it cancels it, without an event; after its event it does
// nothing.
class Attempt {
 public:
  virtual ~Attempt() = default;
};

// The result of a look at the connections of a network; `nobody`: no connection had anything
// lately.
enum class Look : std::uint8_t { nobody, nothing, something };

// Makes connections and listeners.
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

  // For the thread that runs the loop: reads what has come by connections that had something
  // lately, which costs less than to have the loop find it. Once this was called, rest() must be
  // called each time before the loop waits.
  virtual Look look() { return Look::nobody; }
  virtual void rest() {}

  // Checks now the files that prove this node's identity, which are also checked at intervals;
  // returns whether they have changed. New connections use the new files. A connection whose peer
  // would no longer be admitted is closed, and all others go on. Files that cannot be used change
  // nothing. Fails with Errc::bad_options, not_permitted.
  virtual Result<bool> read_keys_again() { return false; }
  // Returns for how many more whole days this node's certificate is good; nothing without one.
  virtual std::optional<std::uint64_t> certificate_days() const { return std::nullopt; }
};

}  // namespace coracle::net
