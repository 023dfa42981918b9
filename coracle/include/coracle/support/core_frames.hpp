// The kinds of frames that nodes exchange and the parts of these, for both ends and for whatever
// checks frames on their way. docs/wire-core.md describes them in words.
#pragma once

#include "coracle/detail/message_record.hpp"
#include "coracle/directory.hpp"
#include "coracle/errors.hpp"
#include "coracle/support/bytes.hpp"
#include "coracle/support/directory_fields.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace coracle::detail {

enum FrameKind : std::uint8_t {
  message_frame = 1,
  reports_frame,
  closed_frame,
  greeting_frame,  // requests all taps
  tap_frame,
  no_tap_frame,
  answer_frame,  // to a greeting, or a tap
  probe_frame,
  slot_request_frame,  // like a message, but the message stays where it is
  slot_withdrawal_frame,
  slot_answer_frame,
  mailbox_frame,
  store_state_frame,           // requests or announces whether a node is the message store
  hand_over_frame,             // a message for the message store
  taken_over_frame,            // the reply to that
  step_frame = 16,             // a request about messages that a node holds for an operator
  stepped_frame,               // the reply to that
  refused_request_frame = 24,  // in place of a tap or a look that the policy does not allow
  denied_frame,                // the reply to that
  look_frame,                  // requests an inspection of a name
  inspection_frame,
  store_message_frame,  // a message for the message store to keep; a round is its incarnation
  last_frame,           // an agent joins a group, and wants the last messages that were sent to it
  act_frame,            // an operator requests an act on an agent
  acted_frame,
};
// The result of an operator's act; the last value is no frame's.
enum class Acted : std::uint8_t {
  done = 0,
  nobody,
  no_supervisor,
  not_permitted,
  no_recording,
  silent
};
// The state that a node announces as a message store; the stages that it promises come after the
// first value.
enum StoreState : std::uint8_t { keeps_nothing = 0, keeps_accepted, keeps_stored };
// Other values at the same place: the node does not take a message over, for a reason in this
// order.
inline constexpr std::uint8_t gives_no_reason = 255;
inline constexpr std::array reasons_not_to_keep = {Errc::not_permitted, Errc::too_large,
                                                   Errc::absent_full,   Errc::limit_reached,
                                                   Errc::disk_full,     Errc::disk_failed};
inline std::uint8_t keeps_not(Errc why) noexcept {
  const auto& all = reasons_not_to_keep;
  const auto found = std::find(all.begin(), all.end(), why);
  if (found == all.end()) return keeps_nothing;
  return static_cast<std::uint8_t>(keeps_stored + 1 + (found - all.begin()));
}
inline std::optional<Errc> reason_not_to_keep(std::uint8_t keeps) noexcept {
  if (keeps <= keeps_stored || keeps > keeps_stored + reasons_not_to_keep.size())
    return std::nullopt;
  return reasons_not_to_keep[keeps - keeps_stored - 1u];
}
// The ways to write a name: spelled, to be kept; spelled, for once; or as its number.
enum NameKind : std::uint64_t { new_name = 0, passing_name = 1, first_number = 2 };
// The ways to write the incarnation of a message's target: the one that was last meant, or a
// number.
enum LifeKind : std::uint64_t { same_life_as_before = 0, first_life = 1 };
// A message's serial is written as the difference from that of the last message to the same name.
// Its sequence is written as the difference from that of the last message from the same name.

// The kinds of a message's content; the two most common types are not spelled.
inline constexpr std::string_view text_type = "text/plain", bytes_type = "application/octet-stream";
enum ContentKindByte : std::uint8_t { no_content = 0, text_content, named_content, bytes_content };
enum MessageBit : std::uint8_t {
  has_source = 1 << 0,
  has_fields = 1 << 1,
  is_tracked = 1 << 2,
  has_reply_to = 1 << 3,
  is_forbidden = 1 << 4,     // the society's policy has removed the content
  has_asking_life = 1 << 5,  // its end has the incarnation in which its source requests, or sent
                             // the message of which it is a copy
  is_sent_earlier = 1 << 6,  // to a group, before its target joined the group
  has_note = 1 << 7,         // a copy or a gap, which ends with its note
};

// The beginning of most messages: numbers of one byte each, between numbered names, to the
// incarnation that was last meant. It is written and read as one word.
struct ShortHead {
  std::uint8_t target = 0, source = 0, flags = 0, serial_step = 0, sequence_step = 0;

  static constexpr std::size_t bytes = 8;
  static constexpr std::uint16_t flags_allowed =
      request_flag | reply_flag | failure_flag | redelivered_flag;

  std::uint64_t word() const noexcept {
    return message_frame | std::uint64_t{target} << 8 | std::uint64_t{serial_step} << 16 |
           std::uint64_t{same_life_as_before} << 24 | std::uint64_t{has_source} << 32 |
           std::uint64_t{source} << 40 | std::uint64_t{flags} << 48 |
           std::uint64_t{sequence_step} << 56;
  }
  // Returns whether a frame with that word in front begins so.
  static bool is(std::uint64_t word) noexcept {
    return (word & 0x80f080ffff8080ff) == ShortHead().word();
  }
  static ShortHead of(std::uint64_t word) noexcept {
    const auto byte = [word](unsigned at) { return static_cast<std::uint8_t>(word >> 8 * at); };
    return {byte(1), byte(5), byte(6), byte(2), byte(7)};
  }
};

// The last value: a reader has to see the content.
enum SlotAnswer : std::uint8_t { no_slot = 0, slot_reserved, try_again, show_all };

// The flags of a record that are sent to other nodes.
inline constexpr std::uint16_t travelling_flags = request_flag | reply_flag | failure_flag |
                                                  redelivered_flag | copy_flag | gap_flag |
                                                  letter_flag | withheld_flag;
// The largest number of missing copies that one node may report to another: an unknown number.
inline constexpr std::uint64_t largest_gap = std::uint64_t{1} << 48;
// The time after a node has gone during which its frames may still come.
inline constexpr Duration late_frames_patience = std::chrono::seconds(5);
inline constexpr std::size_t received_names_worth_freeing = 4096;
inline constexpr std::size_t closed_text_limit = 1024;
inline constexpr std::size_t names_sent_limit = std::size_t{1} << 20;
inline constexpr std::size_t probe_path_limit = 16384;
inline constexpr std::uint64_t probe_hops_limit = 1024;

// Reads the incarnation of a message's target; the one that was last meant need not be sent again.
inline Incarnation read_life(FrameReader& in, Incarnation& last) {
  const std::uint64_t number = in.number();
  if (number != same_life_as_before) last = life_of_number(number - first_life);
  return last;
}

// Writes a name spelled, without giving it a number.
template <class Out>
void spell(Out& out, std::string_view name) {
  out.number(passing_name);
  out.text(name);
}

template <class Out>
void write_mailbox(Out& out, const MailboxOptions& mailbox) {
  out.number(mailbox.messages());
  out.number(mailbox.bytes());
  out.byte(static_cast<std::uint8_t>(mailbox.overflow()));
}

// Leaves `in` not ok() when the options cannot be understood.
inline MailboxOptions read_mailbox(FrameReader& in) {
  MailboxOptions mailbox;
  mailbox.messages(static_cast<std::uint32_t>(in.number_up_to(~std::uint32_t{0})));
  mailbox.bytes(in.number());
  const std::uint8_t overflow = in.byte();
  if (overflow > static_cast<std::uint8_t>(Overflow::redirect)) in.fail();
  else mailbox.overflow(static_cast<Overflow>(overflow));
  return mailbox;
}

// The time, relative to the joining, of a request for a group's last messages.
enum LastAsked : std::uint8_t { before_joining = 1, when_joined, not_joining };

// The component of a pattern that an agent has registered for broadcasts, and its two values.
inline constexpr std::string_view role_component = "coracle-role";
inline constexpr std::string_view observes = "observe";
inline constexpr std::string_view handles = "handle";

}  // namespace coracle::detail
