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
#include "realizations/net/src/session/outbox.hpp"
#include "realizations/net/src/session/pulse.hpp"
#include "realizations/net/src/session/terms.hpp"
#include "realizations/net/src/session/wire.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace coracle::net {

// A message as it arrives. The bytes are valid during the event.
struct Arrived {
  Seq seq;
  std::span<const std::byte> header;
  std::span<const std::byte> content;
  // The part of the window that the message uses, to be given back by release().
  std::size_t bytes() const { return header.size() + content.size(); }
};

// The state in which a new connection of the two nodes finds the session.
enum class Opening : std::uint8_t {
  first,      // nothing was known of the peer
  resumed,    // the peer is as it was: nothing is lost
  restarted,  // the peer has begun anew, see SessionEvents::on_restarted
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

// The identity of the peer, by its greeting and as far as its proof confirms it.
struct Greeting {
  std::string society, node;
  Epoch epoch;
  std::uint64_t number = 0;   // its session with us: the next one when it has given us up
  std::uint8_t version = 1;   // the one that both support
  std::uint64_t largest = 0;  // the largest message that it accepts
  std::string certified{};    // the name that its certificate proves; empty: it showed none
  bool is_inside = false;     // the peer is part of this process
  bool is_on_this_host = false;
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
  struct Growing {
    std::uint32_t life = 0;
    Seq seq = 0;
  };
  // Sends a message, and returns where its content of `bytes` bytes must be written at once;
  // nullptr when there is no credit, or when it is larger than the peer accepts.
  std::byte* send_growing(Growing& growing, std::span<const std::byte> header, std::size_t bytes);
  // Extends the content of such a message, as long as it is the last one, is not yet being written,
  // and does not get longer than `most`; otherwise returns nullptr.
  std::byte* grow(const Growing& growing, std::size_t bytes, std::size_t most) {
    if (growing.life != life_ || out_.sent.bytes >= out_.granted.bytes) return nullptr;
    most = std::min<std::uint64_t>(most, out_.largest);
    std::byte* const at = outbox_.grow(growing.seq, bytes, most);
    if (at != nullptr) out_.sent.bytes += bytes;
    return at;
  }
  // Returns whether all that was sent is on its way, and, with a peer on this host, most of it has
  // come, as far as that is known; if not, on_credit comes when it is so.
  bool is_clear();
  // Gives credit back to the sender: that much of what arrived from this incarnation of the peer
  // needs no room any more.
  void release(std::size_t bytes, std::size_t messages = 1);

  bool is_open() const { return state_ == State::open; }
  bool is_suspected() const { return suspected_; }
  // The time when anything last came.
  Time last_heard() const { return pulse_.last_heard(); }
  // The duration of the last ping; nothing before the first.
  std::optional<Duration> round_trip() const { return round_trip_; }
  // Sends a ping at once; round_trip() will give its duration.
  void ping();
  // Has the peer acknowledge at once, if it has anything to acknowledge, instead of after its usual
  // delay; flush() sends the request.
  void hurry();
  // The approximate number of bytes that the session holds.
  std::size_t memory() const;

  // ── for its driver ────────────────────────────────────────────────────────────────────────────

  // The end of the connection that this session is at.
  enum class Side : std::uint8_t { dialled, accepted };
  // The meaning of a greeting for this session.
  enum class Verdict : std::uint8_t { first, resumes, restarts, stale };

  Verdict judge(const Greeting& greeting) const;
  // A connection is there, whose peer has sent its greeting and its proof. An earlier connection
  // must have been detached. Not for a stale greeting.
  void attach(Side side, const Greeting& greeting, Time now);
  // The connection has ended; none of the bytes that take() gave is used any longer.
  void detach(const Closing& why, Time now);
  bool is_attached() const { return state_ != State::detached; }
  // The other node; nullopt until its first greeting, and after it was given up.
  const std::optional<Greeting>& peer() const { return peer_; }

  // Takes bytes that have been read; returns how many of them it has used. The rest is the
  // beginning of a frame and must be given again, with more behind it.
  std::size_t received(std::span<const std::byte> bytes, Time now);
  // The largest frame that can ever be incomplete.
  std::size_t largest_frame() const;

  // Returns the bytes to be written next, empty when there are none. They stay valid until
  // written(). If is_writing() after that, a write without parts is to be done for is_clear().
  ByteSpans take(Time now);
  bool is_writing() const { return flying_; }
  // Returns whether that should not wait until the user's turn is over.
  bool is_urgent() const;
  void written(Time now);

  // Set when the connection must be ended: the bytes of take() are its last.
  const std::optional<Closing>& closing() const { return closing_; }
  // Returns whether take() has given these last bytes.
  bool said_goodbye() const { return said_goodbye_; }
  // Ends the connection for that reason.
  void close(Reason reason, std::string sentence);
  // Set when the peer has sent the reason for which it ends the connection.
  const std::optional<Closing>& farewell() const { return farewell_; }

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
  // Returns whether the session keeps something that must be sent to the peer.
  bool has_to_say() const;
  // Returns whether everything that was sent or has come is acknowledged.
  bool is_quiet() const { return !has_to_say() && !owes_acknowledgement(); }
  // The time when a message last came or went.
  Time last_activity() const { return activity_; }
  // The number of received frames that had come before.
  std::uint64_t duplicates() const { return duplicates_; }

 private:
  enum class State : std::uint8_t { detached, resuming, starting, open };

  // The messages that are sent.
  struct Out {
    std::uint64_t largest = 0;
    Amount granted, sent;
    bool wanting = false;        // the user waits for credit
    bool wanting_clear = false;  // the user waits for is_clear()
  };
  // The messages that come.
  struct In {
    Seq watermark = 0;       // the last that has arrived
    Seq next = 0;            // the number of the next frame of this connection
    Seq acknowledged = 0;    // the last number that was acknowledged
    std::uint64_t owed = 0;  // bytes that arrived since
    Amount arrived, granted, released;
  };

  // session.cpp
  void begin_life();
  bool has_credit() const;
  bool is_way_clear() const;
  void heard(Time now);
  bool fail(Reason reason, std::string_view what);

  // receiving.cpp; false: the connection must be closed
  bool take_frame(FrameType type, std::span<const std::byte> body);
  bool take_message(std::span<const std::byte> body);
  bool take_number(std::size_t bytes);
  bool take_resume(std::span<const std::byte> body);
  bool take_start(std::span<const std::byte> body);
  bool take_acknowledgement(Seq seq);
  bool take_acknowledge(std::span<const std::byte> body);
  bool take_credit(std::span<const std::byte> body);
  bool take_ping(std::span<const std::byte> body);
  bool take_pong(std::span<const std::byte> body);
  bool take_goodbye(std::span<const std::byte> body);
  bool grant_from_peer(Amount granted);
  bool charge(std::uint64_t bytes);
  void tell_credit();

  // writing.cpp
  void say_resume();
  void say_start(Seq first);
  void say_acknowledgement();
  void say_credit();
  Time next_ping() const;
  void say_pulse(Time now);
  void say_goodbye();
  bool owes_acknowledgement() const { return in_.watermark > in_.acknowledged; }
  bool is_worth_acknowledging(Time now) const;

  SessionOptions options_;
  Epoch epoch_;
  std::uint64_t number_;
  SessionEvents& events_;

  State state_ = State::detached;
  Side side_ = Side::dialled;
  std::optional<Greeting> peer_;  // the peer in this incarnation
  bool confirmed_ = false;        // the peer has sent its RESUME
  bool opened_ = false;           // on_open was called in this incarnation
  bool restarted_ = false;        // on_restarted was called since the last on_open
  std::vector<Epoch> past_;       // earlier epochs of the peer, at most 8
  std::uint32_t life_ = 0;        // the number of the peer's incarnation
  std::optional<Closing> closing_, farewell_;
  bool said_goodbye_ = false;
  bool resting_ = false;   // the connection was closed because nobody needs it
  bool given_up_ = false;  // and nothing is expected until wake()

  Out out_;
  In in_;
  Outbox outbox_;

  std::vector<std::byte> loose_, flying_loose_;  // frames without a number
  std::vector<std::span<const std::byte>> parts_;
  bool flying_ = false;
  bool is_clear_ = false;  // a write without parts was done since the last other write
  Time flown_{};           // the time when the current write began

  Time now_;
  Pulse pulse_;
  bool suspected_ = false;
  Time ping_at_, attached_{}, detached_ = Time::max(), activity_;
  bool ping_wanted_ = false;
  std::optional<Time> pinged_;  // the time of the ping without a pong so far
  std::uint64_t token_ = 0;
  std::optional<std::uint64_t> pong_;  // the token of the pong that must be sent
  std::optional<Time> acknowledge_at_;
  std::optional<Time> acknowledged_at_;  // the last acknowledgement on this connection
  std::optional<Duration> round_trip_;
  std::uint64_t duplicates_ = 0;
};

}  // namespace coracle::net
