// What a node says of messages that came from another one.
#pragma once

#include "coracle/directory.hpp"
#include "coracle/outcome.hpp"

#include <compare>
#include <cstdint>

namespace coracle::detail {

class Party;

// What a node says of a message that came from another one.
enum class Mark : std::uint8_t {
  delivered,  // in the mailbox; said of those whose sender tracks them
  taken,      // handed out: it takes no place any more
  consumed,
  expired,
  refused,
  undeliverable,
  unread,    // given back: nobody is there to read it
  read,      // given back, and it was handed out before
  moved_on,  // its mailbox was full, and redirects: it waits under another name there
  dropped,   // and the reasons behind it, in the order of DropReason
};
// Refused by the society's policy, on the way.
inline constexpr std::uint8_t forbidden_mark = static_cast<std::uint8_t>(Mark::dropped) + 5;
// The custodian has what was entrusted to it; or has no room, and takes no more until it is asked
// in another round.
inline constexpr std::uint8_t kept_mark = forbidden_mark + 1;
inline constexpr std::uint8_t later_mark = kept_mark + 1;
// The same, but the message may be stored all the same: its disk has failed.
inline constexpr std::uint8_t doubtful_mark = later_mark + 1;
// Its content is more than the node takes.
inline constexpr std::uint8_t too_large_mark = doubtful_mark + 1;
// It was read, and nobody has answered it: it is a question.
inline constexpr std::uint8_t unanswered_mark = too_large_mark + 1;
inline constexpr std::uint64_t last_mark = unanswered_mark;

// One of them, until it is sent at the end of a turn; of so many messages, one behind the other.
struct MarkOf {
  LeaseId origin;
  Party* target;
  std::uint64_t serial;
  std::uint8_t mark;
  std::uint32_t count = 1;

  bool is_before(const MarkOf& next) const noexcept {
    return origin == next.origin && target == next.target && mark == next.mark &&
           serial + count == next.serial;
  }

  auto operator<=>(const MarkOf&) const = default;
};

// What becomes of a message at its end.
Mark mark_of(Outcome outcome) noexcept;

}  // namespace coracle::detail
