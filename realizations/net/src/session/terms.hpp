// The types of the link session that its surroundings use, too: lanes, settlements, reasons,
// limits.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/errors.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::net {

// Messages of different lanes travel separately, so that one does not wait for another. `control`
// goes before the others; `large` gives way to both after each piece.
enum class Lane : std::uint8_t { control, normal, large };
inline constexpr std::size_t lane_count = 3;
inline constexpr std::array<Lane, lane_count> all_lanes = {Lane::control, Lane::normal,
                                                           Lane::large};

// A value for each lane.
template <class T>
struct PerLane {
  T& operator[](Lane lane) { return of[static_cast<std::size_t>(lane)]; }
  const T& operator[](Lane lane) const { return of[static_cast<std::size_t>(lane)]; }
  friend bool operator==(const PerLane&, const PerLane&) = default;

  std::array<T, lane_count> of{};
};

// A large message has a header of at most so many bytes: it goes in one frame.
inline constexpr std::size_t most_header = 64u << 10;

// The number of a message in its lane: 1, 2, 3 … as long as both nodes live. 0 is none.
using Seq = std::uint64_t;

// Messages from `first` to `last`, both included.
struct SeqRange {
  Seq first = 0, last = 0;
  friend bool operator==(const SeqRange&, const SeqRange&) = default;
};

// A report of the receiver about a message. The first two are stages, the others are ends.
enum class Settlement : std::uint8_t {
  stored,     // the message would survive a restart of the receiver's node
  delivered,  // the message is in its target's mailbox
  consumed,
  expired,
  refused,
  undeliverable,
  dropped,
  store_lost,
};
inline constexpr std::size_t settlement_count = 8;
constexpr bool is_end(Settlement settlement) { return settlement >= Settlement::consumed; }

// Identifies one start of a node. `counter` grows with every start of a node that has kept it; a
// node that keeps nothing uses zero, and is distinguished from its past by `random` alone.
struct Epoch {
  std::uint64_t random = 0, counter = 0;
  friend bool operator==(const Epoch&, const Epoch&) = default;
};

// The reason for the end of a connection. The numbers are part of the wire format.
enum class Reason : std::uint8_t {
  leaving = 1,               // the node stops for good
  idle = 2,                  // nothing to send for now
  crossed = 3,               // there is, or soon will be, another connection between the two
  wrong_version = 4,         // no version that both support
  wrong_society = 5,         // another society
  not_permitted = 7,         // the peer's identity is not proved, or the peer is refused
  stale = 8,                 // a start, or a session, that has been followed by a newer one
  too_slow = 9,              // no greeting within the time for it
  malformed = 10,            // a frame that cannot be understood
  unknown_frame = 11,        // a kind of frame that does not exist, or not at this point
  oversize = 12,             // a frame or a message over the limit
  corrupt_chunk = 13,        // a piece of a large message that does not fit it
  credit_overrun = 14,       // more than was granted
  gap = 15,                  // messages are missing
  bad_settlement = 16,       // for a message that was not sent, or has been settled
  bad_acknowledgement = 17,  // for a message that was not sent
  silent = 18,               // suspected of being dead
  stalled = 19,              // the peer accepts no bytes any more
  busy = 20,                 // too many connections
  broken = 255,              // never sent: the connection ended without a reason
};

// "leaving", "idle", …; "unknown" for a number that this version does not know.
const char* to_string(Reason reason) noexcept;
// "control", "normal", "large".
const char* to_string(Lane lane) noexcept;
// "stored", "delivered", …
const char* to_string(Settlement settlement) noexcept;

// An end with its reason and a sentence for people.
struct Closing {
  Reason reason = Reason::leaving;
  std::string sentence;
};

// A number of bytes and of messages.
struct Amount {
  std::uint64_t bytes = 0, messages = 0;
  friend bool operator==(const Amount&, const Amount&) = default;
};

// Messages that were sent and not settled when the peer was lost. Messages before `unsent` may have
// arrived; `unsent` and later ones have certainly not.
struct Unsettled {
  PerLane<std::vector<SeqRange>> ranges;
  PerLane<Seq> unsent{{1, 1, 1}};
};

// Settings of sessions. The two sides may differ.
struct SessionOptions {
  // The largest message that is accepted, header and content together. On the control and normal
  // lanes at most 1 MiB, on the large one at most 1 GiB and 64 KiB.
  PerLane<std::uint64_t> largest{{64u << 10, 64u << 10, (16u << 20) + (64u << 10)}};
  // The amount that the peer may have sent and that was not released; the last message may exceed
  // it.
  PerLane<Amount> window{
      {Amount{1u << 20, 4096}, Amount{4u << 20, 65536}, Amount{(16u << 20) + (64u << 10), 64}}};

  // The bytes that are kept until the peer has acknowledged them, regardless of its credit; and the
  // number of messages that may be sent and not settled.
  PerLane<std::uint64_t> kept{{1u << 20, 16u << 20, 64u << 20}};
  PerLane<std::uint64_t> unsettled{{1, 1u << 20, 1u << 16}};

  Duration acknowledge = std::chrono::milliseconds(20);  // the longest delay of it
  Duration heartbeat = std::chrono::milliseconds(500);
  double threshold = 10;  // the value of phi from which the peer is suspected
  Duration least_deviation = std::chrono::milliseconds(100);
  Duration acceptable_pause = std::chrono::seconds(3);
  Duration resume = std::chrono::seconds(2);  // the limit for the first frames after the greeting
  Duration stall = std::chrono::seconds(10);  // the limit for a write to come to an end
  // The time without the peer until it is given up; and the time without a connection to it, which
  // may be less.
  Duration give_up = std::chrono::minutes(2);
  Duration give_up_detached = Duration::max();
};

}  // namespace coracle::net
