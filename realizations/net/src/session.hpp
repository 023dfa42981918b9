// The session between two nodes: each message arrives exactly once and in order, although the
// connections that carry it may break. Pure: bytes and the time go in, bytes and events come out.
// Format: docs/wire.md. Driver: link.hpp. Tests: realizations/net/tests/session
//
// Its user sends messages and receives events. The session keeps a sent message until the peer has
// acknowledged it. Everything belongs to one thread; inside an event every call of the user's is
// allowed, and none of the driver's.
#pragma once

#include "byte_network.hpp"
#include "coracle/content.hpp"
#include "realizations/net/src/session/connection_end.hpp"
#include "realizations/net/src/session/current_write.hpp"
#include "realizations/net/src/session/heartbeats.hpp"
#include "realizations/net/src/session/known_peer.hpp"
#include "realizations/net/src/session/receiving_half.hpp"
#include "realizations/net/src/session/sending_half.hpp"
#include "realizations/net/src/session/terms.hpp"
#include "realizations/net/src/session/wire.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace coracle::net {

// A message as it arrives. The bytes are valid during the event.
struct Arrived {
  Seq seq;
  std::span<const std::byte> header;
  std::span<const std::byte> content;
  // The part of the window that the message uses, to be given back by release().
  std::size_t bytes() const { return header.size() + content.size(); }
};

// The events of a session, for its user.
class SessionEvents {
 public:
  virtual ~SessionEvents() = default;

  // A message has come: once each, in the order of sending.
  virtual void on_arrived(const Arrived& message) = 0;
  // There is credit again after send() failed, or the way is clear after is_clear() was false.
  virtual void on_credit() = 0;
  // A connection carries the session now. Nothing sent before is lost unless on_restarted came.
  virtual void on_open(Opening how) = 0;
  // The connection has ended; sending goes on as far as the credit reaches.
  virtual void on_lost(const Closing& why) = 0;
  // The peer has been started anew, or has given us up: messages that it has not acknowledged may
  // be lost. A new incarnation begins.
  virtual void on_restarted() = 0;
  // Nothing was received from the peer for suspiciously long; on_trusted: something was again.
  virtual void on_suspected() = 0;
  virtual void on_trusted() = 0;
  // The peer was given up, or has left. As on_restarted, but without a new peer.
  virtual void on_gone(const Closing& why) = 0;
};

// One session with one other node.
class Session {
 public:
  // `epoch` is our own, `number` that of our session with this peer. `events` outlives the session.
  // Throws Errc::bad_options.
  Session(const SessionOptions& options, Epoch epoch, std::uint64_t number, SessionEvents& events,
          Time now);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // ── for its user ──────────────────────────────────────────────────────────────────────────────

  // Sends a message. Returns its number, or 0 when there is no credit: on_credit comes when the
  // user can try again. Throws Errc::too_large when the message is larger than the peer accepts,
  // and the exceptions of Content::bytes().
  Seq send(std::span<const std::byte> header, const Content& content);
  // A message whose content still grows.
  using Growing = SendingHalf::Growing;
  // Sends a message, and returns where its content of `bytes` bytes must be written at once;
  // nullptr when there is no credit, or when it is larger than the peer accepts.
  std::byte* send_growing(Growing& growing, std::span<const std::byte> header, std::size_t bytes);
  // Extends the content of such a message, as long as it is the last one, is not yet being written,
  // and does not get longer than `most`; otherwise returns nullptr.
  std::byte* grow(const Growing& growing, std::size_t bytes, std::size_t most) {
    return sending_.grow(growing, bytes, most);
  }
  // Returns whether all that was sent is on its way, and, with a peer on this host, most of it has
  // come, as far as that is known; if not, on_credit comes when it is so.
  bool is_clear() { return state_ != State::open || sending_.is_clear(write_); }
  // Gives credit back to the sender: that much of what arrived from this incarnation of the peer
  // needs no room any more.
  void release(std::size_t bytes, std::size_t messages = 1) { receiving_.release(bytes, messages); }

  bool is_open() const { return state_ == State::open; }
  // Shows when the peer last sent anything, how long a ping takes, and whether it is suspected.
  const Heartbeats& heartbeats() const { return heartbeats_; }
  // Has the peer acknowledge at once, if it has anything to acknowledge, instead of after its usual
  // delay; flush() sends the request.
  void hurry() {
    if (has_unacknowledged() && !heartbeats_.awaits_pong()) heartbeats_.ping();
  }
  // The approximate number of bytes that the session holds.
  std::size_t memory() const { return sending_.memory() + write_.memory(); }

  // ── for its driver ────────────────────────────────────────────────────────────────────────────

  // The end of the connection that this session is at.
  enum class Side : std::uint8_t { dialled, accepted };

  // A connection is there, whose peer has sent its greeting and its proof. An earlier connection
  // must have been detached. Not for a stale greeting.
  void attach(Side side, const Greeting& greeting, Time now);
  // The connection has ended; none of the bytes that take() gave is used any longer.
  void detach(const Closing& why, Time now);
  bool is_attached() const { return state_ != State::detached; }
  // The other node, as far as it is known.
  const KnownPeer& peer() const { return peer_; }

  // Takes bytes that have been read; returns how many of them it has used. The rest is the
  // beginning of a frame and must be given again, with more behind it.
  std::size_t received(std::span<const std::byte> bytes, Time now);
  // The largest frame that can ever be incomplete.
  std::size_t largest_frame() const;

  // Returns the bytes to be written next, empty when there are none. They stay valid until
  // written(). If is_writing() after that, a write without parts is to be done for is_clear().
  ByteSpans take(Time now);
  bool is_writing() const { return write_.is_in_progress(); }
  // Returns whether that should not wait until the user's turn is over.
  bool is_urgent() const;
  // These bytes are written. Returns whether they were the last ones of the connection.
  bool written(Time now);

  // Set when the connection must be ended: the bytes of take() are its last.
  const std::optional<Closing>& closing() const { return end_.closing(); }
  // Ends the connection for that reason.
  void close(Reason reason, std::string sentence) {
    if (is_attached()) end_.close(reason, std::move(sentence));
  }
  // Set when the peer has sent the reason for which it ends the connection.
  const std::optional<Closing>& farewell() const { return end_.farewell(); }

  // The time when on_time() must be called.
  Time next_time() const;
  void on_time(Time now);
  // The time when the peer must be given up.
  Time gone_at() const;
  // Ends the incarnation of the peer; the next session with it has another number. Not while
  // attached.
  void give_up(const Closing& why, std::uint64_t next_number);
  // After a rest, or after it was given up: from now on something is expected of the peer.
  void wake(Time now);

  std::uint64_t number() const { return number_; }
  // Returns whether the session keeps messages that the peer has not acknowledged.
  bool has_unacknowledged() const { return sending_.has_unacknowledged(); }
  // Returns whether everything that was sent or has come is acknowledged.
  bool is_quiet() const { return !has_unacknowledged() && !receiving_.owes_acknowledgement(); }
  // The time when a message last came or went.
  Time last_activity() const {
    return std::max(sending_.last_sent(), receiving_.last_arrived());
  }
  // The number of received frames that had come before.
  std::uint64_t duplicates() const { return receiving_.duplicates(); }

 private:
  enum class State : std::uint8_t { detached, resuming, starting, open };

  // Calls on_credit if the user waits for it.
  void notify_credit() {
    if (state_ == State::open && sending_.end_wait(write_)) events_.on_credit();
  }

  // receiving.cpp; false: the connection must be closed
  bool take_frame(FrameType type, ByteSpan body);
  bool take_message(ByteSpan body);
  bool take_resume(ByteSpan body);
  bool take_start(ByteSpan body);

  SessionOptions options_;
  Epoch epoch_;
  std::uint64_t number_;
  SessionEvents& events_;

  State state_ = State::detached;
  Side side_ = Side::dialled;
  bool resting_ = false;   // the connection was closed because nobody needs it
  bool given_up_ = false;  // and nothing is expected until wake()
  Time now_;
  Time attached_{}, detached_ = Time::max();

  KnownPeer peer_;
  SendingHalf sending_;
  ReceivingHalf receiving_;
  Heartbeats heartbeats_;
  CurrentWrite write_;
  ConnectionEnd end_;
};

}  // namespace coracle::net
