// One byte says what a copy or a gap is about: a copy with a note is a notice of what became of the
// copied message, or the note says that this message was a request or a reply; the note of a gap is
// its reason. Nodes send each other the same byte.
#pragma once

#include "coracle/message_kind.hpp"
#include "coracle/overhearing.hpp"
#include "coracle/support/mutations.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <cstdint>
#include <optional>

namespace coracle::detail {

enum Note : std::uint8_t {
  no_note = 0,
  kept_note,
  handed_out_note,
  consumed_note,
  expired_note,
  refused_note,
  undeliverable_note,
  store_lost_note,
  dropped_note,  // followed by its reasons, in the order of DropReason
};
inline constexpr std::uint8_t last_stage_note = dropped_note + 4;
// The notes of copies that are no notices, in the order of MessageKind.
inline constexpr std::uint8_t request_note = last_stage_note + 1;
inline constexpr std::uint8_t reply_note = last_stage_note + 2;
inline constexpr std::uint8_t failure_note = last_stage_note + 3;
inline constexpr std::uint8_t last_note = failure_note;
inline constexpr auto last_gap_note = static_cast<std::uint8_t>(GapReason::notices);

// Returns the note for the end of a message.
inline std::uint8_t note_of(Outcome outcome, DropReason reason) noexcept {
  if (outcome == Outcome::store_lost) return store_lost_note;
  if (outcome == Outcome::dropped)
    return static_cast<std::uint8_t>(dropped_note + static_cast<unsigned>(reason));
  return static_cast<std::uint8_t>(consumed_note + static_cast<unsigned>(outcome));
}

// Returns the note for a copy of a message with those flags.
inline std::uint8_t note_of_copied(std::uint16_t flags) noexcept {
  const MessageKind kind = kind_of(flags);
  if (kind == MessageKind::plain) return no_note;
  return static_cast<std::uint8_t>(last_stage_note + static_cast<unsigned>(kind));
}

// Returns whether that note of a copy reports a stage.
inline bool is_stage(std::uint8_t note) noexcept {
  return note != no_note && note <= last_stage_note;
}

// Returns the note of a copy or a gap.
inline std::uint8_t note_of(const MessageRecord& record) noexcept {
  return is_copy(record) ? record.fields->note : std::uint8_t{no_note};
}

inline bool is_notice(const MessageRecord& record) noexcept {
  return (record.flags & copy_flag) != 0 && is_stage(record.fields->note);
}

// Returns the reason under which a copy, a notice or a gap is counted when it is missing.
inline GapReason reason_of(const MessageRecord& record) noexcept {
  if ((record.flags & gap_flag) != 0) return static_cast<GapReason>(record.fields->note);
  const bool is_counted_apart = is_notice(record) && !mutated(Mutation::notices_are_copies);
  return is_counted_apart ? GapReason::notices : GapReason::mailbox;
}

}  // namespace coracle::detail
