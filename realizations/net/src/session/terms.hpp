// The types of the link session that its surroundings use, too: reasons and limits.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/errors.hpp"

#include <cstdint>
#include <string>

namespace coracle::net {

// The number of a message: 1, 2, 3 … as long as both nodes live. 0 is none.
using Seq = std::uint64_t;

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
  credit_overrun = 14,       // more than was granted
  gap = 15,                  // messages are missing
  bad_acknowledgement = 17,  // for a message that was not sent
  silent = 18,               // suspected of being dead
  stalled = 19,              // the peer accepts no bytes any more
  busy = 20,                 // too many connections
  broken = 255,              // never sent: the connection ended without a reason
};

// "leaving", "idle", …; "unknown" for a number that this version does not know.
const char* to_string(Reason reason) noexcept;

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

// Settings of sessions. The two sides may differ.
struct SessionOptions {
  // The largest message that is accepted, header and content together; at most 1 MiB.
  std::uint64_t largest = 256u << 10;
  // The amount that the peer may have sent and that was not released; the last message may exceed
  // it.
  Amount window{8u << 20, 1u << 16};
  // The bytes that are kept until the peer has acknowledged them, regardless of its credit.
  std::uint64_t kept = 16u << 20;

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
