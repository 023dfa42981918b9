// The sending half of a session: the messages to the peer, and the credit that the peer grants.
#pragma once

#include "coracle/content.hpp"
#include "realizations/net/src/session/connection_end.hpp"
#include "realizations/net/src/session/current_write.hpp"
#include "realizations/net/src/session/known_peer.hpp"
#include "realizations/net/src/session/outbox.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace coracle::net {

// Keeps the messages until the peer has acknowledged them.
class SendingHalf {
 public:
  // A message whose content still grows.
  struct Growing {
    std::uint32_t incarnation = 0;
    Seq seq = 0;
  };

  // Keeps at most about `kept` bytes. `peer` outlives this object.
  SendingHalf(std::uint64_t kept, const KnownPeer& peer, Time now)
      : most_kept_(kept), peer_(peer), last_sent_(now) {}

  // A new incarnation of the peer: nothing was sent to it, and it has granted nothing.
  void begin_incarnation();
  // A connection has begun, to a peer that accepts messages of that size.
  void attach(std::uint64_t largest) { largest_ = largest; }

  // For the user; see Session.
  Seq send(ByteSpan header, const Content& content, Time now);
  std::byte* send_growing(Growing& growing, ByteSpan header, std::size_t bytes, Time now);
  std::byte* grow(const Growing& growing, std::size_t bytes, std::size_t most) {
    if (growing.incarnation != incarnation_ || sent_.bytes >= granted_.bytes) return nullptr;
    most = std::min<std::uint64_t>(most, largest_);
    std::byte* const at = outbox_.grow(growing.seq, bytes, most);
    if (at != nullptr) sent_.bytes += bytes;
    return at;
  }
  bool is_clear(const CurrentWrite& write) {
    if (is_way_clear(write)) return true;
    wants_clear_ = true;
    return false;
  }
  // Returns whether the user waits for is_clear().
  bool wants_clear() const { return wants_clear_; }
  // Returns whether the user waits for something that is so now; true only once for each wait.
  bool end_wait(const CurrentWrite& write) {
    const bool has_come = wants_credit_ && has_credit();
    const bool is_cleared = wants_clear_ && is_way_clear(write);
    if (has_come) wants_credit_ = false;
    if (is_cleared) wants_clear_ = false;
    return has_come || is_cleared;
  }

  // Frames of the peer, and its RESUME: they return false when the connection must be closed.
  bool take_acknowledge(ByteSpan body, ConnectionEnd& end);
  bool take_credit(ByteSpan body, ConnectionEnd& end);
  bool resume(Seq arrived, Amount granted, ConnectionEnd& end);
  // Writes the START of a connection; all that the peer has not acknowledged follows.
  void write_start(std::vector<std::byte>& frames);
  // Adds the messages of one write to its parts.
  void gather(std::vector<std::span<const std::byte>>& parts);
  // Frees what is acknowledged; not during a write.
  void trim() { outbox_.trim(); }
  void shed() { outbox_.shed(); }

  // The time of the last message.
  Time last_sent() const { return last_sent_; }
  bool has_unacknowledged() const { return outbox_.last() > outbox_.acknowledged(); }
  // Returns whether there are messages for the next write.
  bool has_pending() const { return outbox_.pending() > 0; }
  // Returns whether the peer acknowledges so slowly that it must not send more.
  bool is_congested() const { return outbox_.kept() > most_backlog; }
  std::size_t memory() const { return outbox_.memory(); }

 private:
  static constexpr std::size_t most_backlog = 1u << 20;           // bytes
  static constexpr std::size_t most_waiting_there = 128u << 10;  // bytes

  bool has_credit() const {
    return sent_.bytes < granted_.bytes && sent_.messages < granted_.messages &&
           outbox_.kept() < most_kept_;
  }
  // No byte is long on its way to a peer on this host: what it has not acknowledged waits there.
  bool is_way_clear(const CurrentWrite& write) const {
    return write.is_clear() && !has_pending() &&
           (!peer_.greeting()->is_on_this_host || outbox_.kept() <= most_waiting_there);
  }
  // Uses the credit for a message of that size.
  void charge(std::uint64_t bytes, Time now) {
    sent_.bytes += bytes;
    ++sent_.messages;
    last_sent_ = now;
  }
  bool acknowledge(Seq seq, ConnectionEnd& end);
  bool grant(Amount granted, ConnectionEnd& end);

  std::uint64_t most_kept_;
  const KnownPeer& peer_;
  std::uint32_t incarnation_ = 1;
  std::uint64_t largest_ = 0;
  Amount granted_, sent_;
  bool wants_credit_ = false;  // the user waits for credit
  bool wants_clear_ = false;   // the user waits for is_clear()
  Time last_sent_;
  Outbox outbox_;
};

inline Seq SendingHalf::send(ByteSpan header, const Content& content, Time now) {
  if (!has_credit()) [[unlikely]] {
    wants_credit_ = true;
    return 0;
  }
  const auto bytes = content.bytes();
  const std::uint64_t size = header.size() + bytes.size();
  if (size > largest_) [[unlikely]]
    peer_.refuse(size, largest_);
  charge(size, now);
  return outbox_.append(header, bytes);
}

inline std::byte* SendingHalf::send_growing(Growing& growing, ByteSpan header, std::size_t bytes,
                                            Time now) {
  if (!has_credit() || header.size() + bytes > largest_) return nullptr;
  std::byte* const at = outbox_.append_room(header, bytes);
  growing = {incarnation_, outbox_.last()};
  charge(header.size() + bytes, now);
  return at;
}

}  // namespace coracle::net
