// The heartbeats of a session: pings and pongs, the time that they take, and the suspicion when
// nothing comes.
#pragma once

#include "realizations/net/src/session/connection_end.hpp"
#include "realizations/net/src/session/pulse.hpp"
#include "realizations/net/src/session/terms.hpp"
#include "realizations/net/src/session/wire.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace coracle::net {

// The node that was dialled sends a ping at every heartbeat. Its pings are its heartbeats, and the
// pongs are those of the other node.
class Heartbeats {
 public:
  Heartbeats(const SessionOptions& options, Time now);

  // A connection has begun, or is open, or something is expected of the peer again.
  void begin(Time now);
  // The connection has ended.
  void detach();

  // Bytes have come. Returns whether the peer was suspected until now.
  bool received(Time now) {
    pulse_.received(now);
    return std::exchange(is_suspected_, false);
  }
  // Returns whether the peer is suspected from now on.
  bool suspect(Time now);
  // Ends a suspicion.
  void trust() { is_suspected_ = false; }
  // This node itself was held up for that long, and received nothing for that reason.
  void forgive(Duration span) { pulse_.forgive(span); }

  // Frames of the peer; false when the connection must be closed. `we_dialled`: this node did.
  bool take_ping(ByteSpan body, bool we_dialled, Time now, ConnectionEnd& end);
  bool take_pong(ByteSpan body, bool we_dialled, Time now, ConnectionEnd& end);
  // The next write has a ping.
  void ping() { is_wanted_ = true; }
  // Returns whether write() has anything to write.
  bool must_write(Time now) const { return owes_pong() || is_wanted_ || now >= next_; }
  // Writes what is due. Returns whether it was time for a heartbeat. `activity` is the time of the
  // last message.
  bool write(std::vector<std::byte>& frames, Time activity, Time now);

  // Returns whether the peer waits for a pong, or this node does.
  bool owes_pong() const { return pong_.has_value(); }
  bool awaits_pong() const { return pinged_.has_value(); }
  bool is_suspected() const { return is_suspected_; }
  // The time when anything last came.
  Time last_received() const { return pulse_.last_received(); }
  // The duration of the last ping; nothing before the first.
  std::optional<Duration> round_trip() const { return round_trip_; }
  // The time of the next heartbeat, and that of the suspicion.
  Time next() const { return next_; }
  Time suspicious_at() const { return is_suspected_ ? Time::max() : pulse_.suspicious_at(); }

 private:
  Time after(Time now, Time activity) const;

  Duration interval_;
  Pulse pulse_;
  bool is_suspected_ = false;
  Time next_;
  bool is_wanted_ = false;      // a ping before that time
  std::optional<Time> pinged_;  // the time of the ping without a pong so far
  std::uint64_t token_ = 0;
  std::optional<std::uint64_t> pong_;  // the token of the pong that must be sent
  std::optional<Duration> round_trip_;
};

}  // namespace coracle::net
