// The words of the link session that everybody around it uses: lanes, settlements, reasons, limits.
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

// What travels apart from each other, so that one does not wait for another. `control` goes before
// the others; `large` gives way to both after each piece.
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

// What the receiver's side says of a message. The first two are stages, the others are ends.
enum class Settlement : std::uint8_t {
  stored,     // it would survive a restart of the receiver's node
  delivered,  // it is in its target's mailbox
  consumed,
  expired,
  refused,
  undeliverable,
  dropped,
  custodian_lost,
};
inline constexpr std::size_t settlement_count = 8;
constexpr bool is_end(Settlement settlement) { return settlement >= Settlement::consumed; }

// Which start of a node this is. `counter` grows with every start of a node that has kept it; a
// node that keeps nothing says zero, and is told apart from its past by `random` alone.
struct Epoch {
  std::uint64_t random = 0, counter = 0;
  friend bool operator==(const Epoch&, const Epoch&) = default;
};

// Why a connection ends. The numbers are part of the wire's format.
enum class Reason : std::uint8_t {
  leaving = 1,               // the node stops for good
  idle = 2,                  // nothing to say for now
  crossed = 3,               // there is, or soon will be, another connection between the two
  wrong_version = 4,         // no version that both speak
  wrong_society = 5,         // another society
  not_permitted = 7,         // not who it says it is, or not let in
  stale = 8,                 // a start, or a session, that has been followed by a newer one
  too_slow = 9,              // no greeting within the time for it
  malformed = 10,            // a frame that cannot be understood
  unknown_frame = 11,        // a kind of frame that does not exist, or not at this point
  oversize = 12,             // a frame or a message over the limit
  corrupt_chunk = 13,        // a piece of a large message that does not fit it
  credit_overrun = 14,       // more than was granted
  gap = 15,                  // messages are missing
  bad_settlement = 16,       // of a message that was not sent, or has been settled
  bad_acknowledgement = 17,  // of a message that was not sent
  silent = 18,               // suspected of being dead
  stalled = 19,              // it takes no bytes any more
  busy = 20,                 // too many connections
  broken = 255,              // never said: the connection ended without a reason
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

// How many bytes and messages.
struct Amount {
  std::uint64_t bytes = 0, messages = 0;
  friend bool operator==(const Amount&, const Amount&) = default;
};

// Messages that were sent and not settled when the peer was lost. What is before `unsent` may have
// arrived; what is from there on has certainly not.
struct Unsettled {
  PerLane<std::vector<SeqRange>> ranges;
  PerLane<Seq> unsent{{1, 1, 1}};
};

// Settings of sessions. Both sides' need not be the same.
struct SessionOptions {
  // The largest message that is taken, header and content together. Of the control and normal
  // lanes at most 1 MiB, of the large one at most 1 GiB and 64 KiB.
  PerLane<std::uint64_t> largest{{64u << 10, 64u << 10, (16u << 20) + (64u << 10)}};
  // What the peer may have sent that was not released; the last message may reach beyond it.
  PerLane<Amount> window{
      {Amount{1u << 20, 4096}, Amount{4u << 20, 65536}, Amount{(16u << 20) + (64u << 10), 64}}};

  // What is kept until the peer has acknowledged it, whatever it grants; and how many messages may
  // be sent and not settled.
  PerLane<std::uint64_t> kept{{1u << 20, 16u << 20, 64u << 20}};
  PerLane<std::uint64_t> unsettled{{1, 1u << 20, 1u << 16}};

  Duration acknowledge = std::chrono::milliseconds(20);  // the longest delay of it
  Duration heartbeat = std::chrono::milliseconds(500);
  double threshold = 10;  // of phi, from which the peer is suspected
  Duration least_deviation = std::chrono::milliseconds(100);
  Duration acceptable_pause = std::chrono::seconds(3);
  Duration resume = std::chrono::seconds(2);  // for the first frames after the greeting
  Duration stall = std::chrono::seconds(10);  // for a write to make an end
  // Without the peer, until it is gone; and without a connection to it, which may be less.
  Duration give_up = std::chrono::minutes(2);
  Duration give_up_detached = Duration::max();
};

}  // namespace coracle::net
