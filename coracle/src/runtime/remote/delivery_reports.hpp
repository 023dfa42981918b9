// The reports of a node about messages that came from another one.
#pragma once

#include "coracle/directory.hpp"
#include "coracle/outcome.hpp"

#include <compare>
#include <cstdint>

namespace coracle::detail {

class Mailbox;

// The kinds of report about a message that came from another node.
enum class ReportKind : std::uint8_t {
  delivered,  // in the mailbox; reported only if the sender tracks the message
  taken,      // handed out: it needs no slot any more
  consumed,
  expired,
  refused,
  undeliverable,
  unread,    // given back: no agent is there to read it
  read,      // given back after it was handed out
  moved_on,  // its mailbox was full, and redirects: it waits under another name there
  dropped,   // followed by its reasons, in the order of DropReason
};
// The society's policy refused the message on its way.
inline constexpr std::uint8_t forbidden_report = static_cast<std::uint8_t>(ReportKind::dropped) + 5;
// The message store has the message that was sent to it (kept_report); or it has no room, and takes
// no more until it is asked in another round (later_report).
inline constexpr std::uint8_t kept_report = forbidden_report + 1;
inline constexpr std::uint8_t later_report = kept_report + 1;
// As later_report, but the message may be stored nevertheless: the store's disk has failed, or the
// store was stopping.
inline constexpr std::uint8_t doubtful_report = later_report + 1;
// The content is larger than the node accepts.
inline constexpr std::uint8_t too_large_report = doubtful_report + 1;
// The message is a request that was read and got no reply.
inline constexpr std::uint8_t unanswered_report = too_large_report + 1;
inline constexpr std::uint64_t last_report = unanswered_report;

// One report, until it is sent at the end of a turn. It covers `count` messages with consecutive
// serials.
struct DeliveryReport {
  LeaseId origin;
  Mailbox* target;
  std::uint64_t serial;
  std::uint8_t report;
  std::uint32_t count = 1;

  bool is_before(const DeliveryReport& next) const noexcept {
    return origin == next.origin && target == next.target && report == next.report &&
           serial + count == next.serial;
  }

  auto operator<=>(const DeliveryReport&) const = default;
};

// Returns the report for an outcome.
ReportKind report_of(Outcome outcome) noexcept;

}  // namespace coracle::detail
