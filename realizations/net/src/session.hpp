// The session between two nodes: what is sent arrives exactly once and in order per lane, whatever
// becomes of the connections that carry it. Pure: bytes and the time go in, bytes and events come
// out. Format: docs/wire.md. Driver: link.hpp. Tests: realizations/net/tests/session_*_test.cpp
//
// Its user sends, and is told by events. A message that has been sent is kept here until the peer
// has said that it was received, and by the user until it is settled: the receiver's user says of
// each message of the normal and large lanes first what stage it has reached, if it likes, and at
// last how it ended. Everything belongs to one thread; inside an event every call of the user's is
// allowed, and none of the driver's.
#pragma once

#include "coracle/content.hpp"
#include "realizations/net/src/network.hpp"
#include "realizations/net/src/session/inbox.hpp"
#include "realizations/net/src/session/large_out.hpp"
#include "realizations/net/src/session/outbox.hpp"
#include "realizations/net/src/session/pulse.hpp"
#include "realizations/net/src/session/seq_set.hpp"
#include "realizations/net/src/session/settle_book.hpp"
#include "realizations/net/src/session/terms.hpp"
#include "realizations/net/src/session/wire.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace coracle::net {

// A message as it arrives. The bytes are valid during the event.
struct Arrived {
  Lane lane;
  Seq seq;
  std::span<const std::byte> header;
  std::span<const std::byte> content;
  // What it has taken of the window, to be given back by release().
  std::size_t bytes() const { return header.size() + content.size(); }
};

// What is to be known of a settlement.
struct Settled {
  Lane lane;
  Seq first, last;
  Settlement settlement;
  std::string_view detail;  // valid during the event
};

// How a connection of the two nodes came to carry the session.
enum class Opening : std::uint8_t {
  first,      // nothing was known of the peer
  resumed,    // it is as it was: nothing is lost
  restarted,  // it has begun anew, see SessionEvents::on_restarted
};

// What a session tells its user.
class SessionEvents {
 public:
  virtual ~SessionEvents() = default;

  // A message has come: once each, in the order of its lane.
  virtual void on_arrived(const Arrived& message) = 0;
  // What became of messages that were sent: each stage and each end once.
  virtual void on_settled(const Settled& settled) = 0;
  // There is room again on a lane where send() or can_send() said no.
  virtual void on_credit(Lane lane) = 0;
  // A connection carries the session now. Before: nothing was lost unless on_restarted said so.
  virtual void on_open(Opening how) = 0;
  // The connection is no more; sending goes on as far as the credit reaches.
  virtual void on_lost(const Closing& why) = 0;
  // The peer is another one than it was: it has been started anew, or has given us up. `unsettled`
  // will not be settled any more. A new life begins.
  virtual void on_restarted(const Unsettled& unsettled) = 0;
  // Nothing was heard of the peer for suspiciously long; or, again, it was.
  virtual void on_suspected() = 0;
  virtual void on_trusted() = 0;
  // The peer was given up, or has left. As on_restarted, but nobody is there.
  virtual void on_gone(const Closing& why, const Unsettled& unsettled) = 0;
};

// Who the peer is, as its greeting says and its proof bears out.
struct Greeting {
  std::string society, node;
  Epoch epoch;
  std::uint64_t number = 0;          // of its session with us: the next one when it has given us up
  std::uint8_t version = 1;          // the one that both speak
  PerLane<std::uint64_t> largest{};  // the largest message that it takes
  std::string certified{};           // the name that its certificate proves; empty: it showed none
  bool is_inside = false;            // it is of this process
};

// One session with one other node.
class Session {
 public:
  // The longest detail of a settlement; a longer one is cut.
  static constexpr std::size_t max_detail = 256;

  // `epoch` is our own, `number` that of our session with this peer. `events` outlives it. Throws
  // Errc::bad_options.
  Session(const SessionOptions& options, Epoch epoch, std::uint64_t number, SessionEvents& events,
          Time now);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // ── for its user ──────────────────────────────────────────────────────────────────────────────

  // Sends a message, on the large lane in pieces. Returns its number in the lane, or 0 when there
  // is no credit: on_credit tells when to try again. Throws Errc::too_large when it is larger than
  // most(lane), and what Content::bytes() throws.
  Seq send(Lane lane, std::span<const std::byte> header, const Content& content);
  // A message of the control lane whose content still grows.
  struct Growing {
    std::uint32_t life = 0;
    Seq seq = 0;
  };
  // Sends a message on the control lane, and returns where its content of so many bytes is to be
  // put at once; nullptr when there is no credit, or when it is larger than the peer takes.
  std::byte* send_growing(Growing& growing, std::span<const std::byte> header, std::size_t bytes);
  // The same behind the content of one that was sent, as long as it is the last one, has not begun
  // to be written, and does not get longer than `most`; otherwise nullptr.
  std::byte* grow(const Growing& growing, std::size_t bytes, std::size_t most) {
    Out& out = out_[Lane::control];
    if (growing.life != life_ || out.sent.bytes >= out.granted.bytes) return nullptr;
    most = std::min<std::uint64_t>(most, out.largest);
    std::byte* const at = control_.grow(growing.seq, bytes, most);
    if (at != nullptr) out.sent.bytes += bytes;
    return at;
  }
  // Whether send() would take that many bytes of header and content together.
  bool can_send(Lane lane, std::size_t bytes);
  // The most that a message may have, header and content together; known from the first on_open.
  std::uint64_t most(Lane lane) const { return out_[lane].largest; }

  // Says what became of a message that arrived in this `life` on the normal or the large lane; an
  // end at most once, a stage at most once and before the end. What is said of another life, when
  // the peer was another, has no effect.
  void settle(std::uint32_t life, Lane lane, Seq seq, Settlement settlement,
              std::string_view detail = {});
  // Gives room back to the sender: that much of what arrived in this `life` does not burden us
  // any more. Whoever does not bound arrivals otherwise calls it when a message is settled.
  void release(std::uint32_t life, Lane lane, std::size_t bytes, std::size_t messages = 1);

  // Which of the peer's lives this is; grows with on_restarted and on_gone.
  std::uint32_t life() const { return life_; }
  bool is_open() const { return state_ == State::open; }
  bool is_suspected() const { return suspected_; }
  // When anything last came.
  Time last_heard() const { return pulse_.last_heard(); }
  // How long the last ping took; nothing before the first.
  std::optional<Duration> round_trip() const { return round_trip_; }
  // Asks for an answer at once; round_trip() will know.
  void ping();
  // Has the peer acknowledge now what it got, and not after a while, if it is to acknowledge
  // anything; flush() lets the question go.
  void hurry();
  // How many messages are sent and not settled.
  std::size_t unsettled(Lane lane) const { return out_[lane].unsettled.count(); }
  // About how many bytes it holds.
  std::size_t memory() const;

  // ── for its driver ────────────────────────────────────────────────────────────────────────────

  // Which end of the connection we are.
  enum class Side : std::uint8_t { dialled, accepted };
  // What a greeting means for this session.
  enum class Verdict : std::uint8_t { first, resumes, restarts, stale };

  Verdict judge(const Greeting& greeting) const;
  // A connection is there, whose peer has given its greeting and its proof. The last one, if there
  // was one, was detached. Not for a stale greeting.
  void attach(Side side, const Greeting& greeting, Time now);
  // The connection is no more; nothing of what take() gave is used any longer.
  void detach(const Closing& why, Time now);
  bool is_attached() const { return state_ != State::detached; }
  // Who the other node is; nullopt until it has come once, and when it was given up.
  const std::optional<Greeting>& peer() const { return peer_; }

  // Takes what has been read; returns how many bytes of it are done with. The rest is the beginning
  // of a frame and is to be given again, with more behind it.
  std::size_t received(std::span<const std::byte> bytes, Time now);
  // The largest frame that is ever waited for.
  std::size_t largest_frame() const { return largest_frame_; }

  // What is to be written next, empty when there is nothing. It stays valid until written().
  Parts take(Time now);
  bool is_writing() const { return flying_; }
  // Whether that should not wait until the user's turn is over.
  bool is_urgent() const;
  void written(Time now);

  // Set when the connection is to be ended: what take() gives is the last of it.
  const std::optional<Closing>& closing() const { return closing_; }
  // Whether take() has given that last.
  bool said_goodbye() const { return said_goodbye_; }
  // Ends the connection for that reason.
  void close(Reason reason, std::string sentence);
  // Set when the peer has said why it ends the connection.
  const std::optional<Closing>& farewell() const { return farewell_; }

  // When on_time() is to be called.
  Time next_time() const;
  void on_time(Time now);
  // When the peer is to be given up.
  Time gone_at() const;
  // Ends the life of the peer; the next session with it has another number. Not while attached.
  void give_up(const Closing& why, std::uint64_t next_number);
  // After a rest, or after it was given up: from now on something is expected of the peer.
  void wake(Time now);

  std::uint64_t number() const { return number_; }
  // Whether something is kept that the peer has to be told.
  bool has_to_say() const;
  // Whether nothing is to be said, and nothing that was sent awaits its settlement.
  bool is_quiet() const;
  // When a message, or word of one, last came or went.
  Time last_activity() const { return activity_; }
  // How many frames came again that had come before.
  std::uint64_t duplicates() const { return duplicates_; }

 private:
  enum class State : std::uint8_t { detached, resuming, starting, open };

  // What we send on a lane.
  struct Out {
    std::uint64_t largest = 0;
    Amount granted, sent;
    SeqSet unsettled;
    bool wanting = false;  // the user waits for credit
  };
  // What we get on a lane.
  struct In {
    Seq watermark = 0;       // the last that has arrived
    Seq next = 0;            // the number of the next frame of this connection
    Seq acknowledged = 0;    // what was last acknowledged
    std::uint64_t owed = 0;  // bytes that arrived since
    Amount arrived, granted, released;
  };

  // session.cpp
  void begin_life();
  Unsettled end_life();
  bool fits(const Out& out, Lane lane) const;
  void heard(Time now);
  bool fail(Reason reason, std::string_view what);

  // receiving.cpp; false: the connection is to be closed
  bool take_frame(FrameType type, std::span<const std::byte> body);
  bool take_message(Lane lane, std::span<const std::byte> body);
  bool take_number(Lane lane, std::size_t bytes);
  bool take_large(std::span<const std::byte> body);
  bool take_chunk(std::span<const std::byte> body);
  bool take_settle(std::span<const std::byte> body);
  bool take_ranges(WireReader& reader, Lane lane, Settlement settlement, std::string_view detail);
  bool take_resume(std::span<const std::byte> body);
  bool take_start(std::span<const std::byte> body);
  bool take_acknowledgement(Lane lane, Seq seq);
  bool take_acknowledge(std::span<const std::byte> body);
  bool take_credit(std::span<const std::byte> body);
  bool take_ping(std::span<const std::byte> body);
  bool take_pong(std::span<const std::byte> body);
  bool take_goodbye(std::span<const std::byte> body);
  bool grant_from_peer(Lane lane, Amount granted);
  bool charge(Lane lane, std::uint64_t bytes);
  void finish_large();
  bool acknowledgement_is_urgent() const;
  Seq acknowledged(Lane lane) const;
  void arrive(Lane lane, std::span<const std::byte> header, std::span<const std::byte> content);
  void tell_credits();

  // writing.cpp
  void say_resume();
  void say_start(const PerLane<Seq>& first);
  void say_acknowledgements();
  void say_credits();
  Time next_ping() const;
  void say_pulse(Time now);
  void say_goodbye();
  bool owes_acknowledgement() const;
  bool is_worth_acknowledging(Time now) const;
  void trim();

  SessionOptions options_;
  Epoch epoch_;
  std::uint64_t number_;
  SessionEvents& events_;

  State state_ = State::detached;
  Side side_ = Side::dialled;
  std::optional<Greeting> peer_;  // of this life
  bool confirmed_ = false;        // it has said what it knows of us
  bool opened_ = false;           // on_open was told in this life
  bool restarted_ = false;        // and on_restarted since the last time
  std::vector<Epoch> past_;       // of the peer, at most 8
  std::uint32_t life_ = 1;
  std::optional<Closing> closing_, farewell_;
  bool said_goodbye_ = false;
  bool resting_ = false;   // the connection was closed because nobody needs it
  bool given_up_ = false;  // and nothing is expected until wake()

  PerLane<Out> out_;
  PerLane<In> in_;
  Outbox control_, normal_;
  LargeOut large_;
  Inbox inbox_;  // of the large lane
  SettleBook settles_;
  std::size_t largest_frame_;

  std::vector<std::byte> loose_, flying_loose_;  // frames without a number
  std::vector<std::span<const std::byte>> parts_;
  bool flying_ = false;
  Time flown_{};  // since when

  Time now_;
  Pulse pulse_;
  bool suspected_ = false;
  Time ping_at_, attached_{}, detached_ = Time::max(), activity_;
  bool ping_wanted_ = false;
  std::optional<Time> pinged_;  // and not yet answered
  std::uint64_t token_ = 0;
  std::optional<std::uint64_t> pong_;  // to be answered
  std::optional<Time> acknowledge_at_;
  std::optional<Time> acknowledged_at_;  // when that was last said on this connection
  std::optional<Duration> round_trip_;
  std::uint64_t duplicates_ = 0;
};

}  // namespace coracle::net
