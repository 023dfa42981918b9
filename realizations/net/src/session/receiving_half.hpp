// The receiving half of a session: which messages have come, and the credit for more of them.
#pragma once

#include "coracle/support/mutations.hpp"
#include "realizations/net/src/session/connection_end.hpp"
#include "realizations/net/src/session/known_peer.hpp"
#include "realizations/net/src/session/terms.hpp"
#include "realizations/net/src/session/wire.hpp"

#include <cassert>
#include <optional>
#include <vector>

namespace coracle::net {

// Recognizes duplicates, acknowledges, and grants credit.
class ReceivingHalf {
 public:
  enum class Arrival : std::uint8_t { fresh, duplicate, overrun };

  // Grants a credit of `window`, and delays an acknowledgement by at most `delay`.
  ReceivingHalf(Amount window, Duration delay, Time now)
      : window_(window), delay_(delay), last_arrived_(now) {
    begin_incarnation();
  }

  // A new incarnation of the peer: no message of it has come.
  void begin_incarnation();
  // The connection has ended.
  void detach();

  // A message has come: `body` bytes on the wire, `bytes` bytes for the credit.
  Arrival arrive(std::size_t body, std::uint64_t bytes, Time now);
  // The number of the last message that has arrived.
  Seq watermark() const { return watermark_; }
  // The time when a new message last came.
  Time last_arrived() const { return last_arrived_; }
  // Gives credit back to the sender; see Session.
  void release(std::size_t bytes, std::size_t messages) {
    released_.bytes += bytes;
    released_.messages += messages;
    assert(released_.bytes <= arrived_.bytes && released_.messages <= arrived_.messages);
  }
  // The number of received frames that had come before.
  std::uint64_t duplicates() const { return duplicates_; }

  bool owes_acknowledgement() const { return watermark_ > acknowledged_; }
  // Sets the time of the acknowledgement, after bytes have come.
  void plan_acknowledgement(Time now) {
    if (owes_acknowledgement() && !acknowledge_at_) acknowledge_at_ = now + delay_;
    if (owed_ >= urgent_bytes) acknowledge_at_ = now;
  }
  const std::optional<Time>& acknowledge_at() const { return acknowledge_at_; }
  // Returns whether a write of this moment acknowledges: `is_asked` if the peer has sent a ping,
  // `has_others` if there is something else to write.
  bool must_acknowledge(Time now, bool is_asked, bool has_others) const {
    return acknowledge_at_ &&
           (is_asked || (has_others && is_worth_acknowledging(now)) || now >= *acknowledge_at_);
  }

  // The frame of the peer that begins its messages; false when the connection must be closed.
  bool take_start(ByteSpan body, ConnectionEnd& end);
  void write_resume(std::vector<std::byte>& frames, const Greeting& peer);
  void write_acknowledgement(std::vector<std::byte>& frames, Time now);
  // Grants more, if that is worth a frame.
  void write_credit(std::vector<std::byte>& frames);

 private:
  static constexpr std::uint64_t urgent_bytes = 64u << 10, worthwhile_bytes = 4u << 10;

  // An acknowledgement is worth its bytes in a write that happens anyway, but not for each message
  // of a quick exchange.
  bool is_worth_acknowledging(Time now) const {
    return owed_ >= worthwhile_bytes || !acknowledged_at_ || now - *acknowledged_at_ >= delay_ / 4;
  }
  Arrival charge(std::uint64_t bytes, Time now) {
    if (arrived_.bytes >= granted_.bytes || arrived_.messages >= granted_.messages)
      return Arrival::overrun;
    arrived_.bytes += bytes;
    ++arrived_.messages;
    last_arrived_ = now;
    return Arrival::fresh;
  }

  Amount window_;
  Duration delay_;
  Seq watermark_ = 0;
  Seq next_ = 0;            // the number of the next frame of this connection
  Seq acknowledged_ = 0;    // the last number that was acknowledged
  std::uint64_t owed_ = 0;  // bytes that arrived since
  Amount arrived_, granted_, released_;
  std::optional<Time> acknowledge_at_;
  std::optional<Time> acknowledged_at_;  // the last acknowledgement on this connection
  Time last_arrived_;
  std::uint64_t duplicates_ = 0;
};

inline ReceivingHalf::Arrival ReceivingHalf::arrive(std::size_t body, std::uint64_t bytes,
                                                     Time now) {
  const Seq seq = next_++;
  if (seq > watermark_) {
    assert(seq == watermark_ + 1);
    watermark_ = seq;
    owed_ += body + 64;
    return charge(bytes, now);
  }
  ++duplicates_;
  if (mutated(Mutation::watermark_ignored)) {
    arrived_.bytes -= bytes;
    --arrived_.messages;
    return charge(bytes, now);
  }
  if (mutated(Mutation::credit_counted_again) && charge(bytes, now) == Arrival::overrun)
    return Arrival::overrun;
  return Arrival::duplicate;
}

}  // namespace coracle::net
