// What the frames between nodes are made of, for both ends; docs/wire.md has it in words.
#pragma once

#include "runtime/node_core.hpp"
#include "runtime/remote.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace coracle::detail {

enum FrameKind : std::uint8_t {
  message_frame = 1,
  marks_frame,
  closed_frame,
  hello_frame,  // asks for all ears
  ear_frame,
  no_ear_frame,
  answer_frame,  // to a hello, or an ear
  probe_frame,
  knock_frame,  // as a message, but it stays where it is
  unknock_frame,
  knock_answer_frame,
  mailbox_frame,
  keeper_frame,                 // asks who the custodian is, or says so
  hand_over_frame,              // a message for it
  taken_over_frame,             // its answer
  refused_question_frame = 24,  // in place of an ear or a peek that the policy does not allow
  denied_frame,                 // the answer to that
  peek_frame,                   // asks what waits for a name
  peeked_frame,
  entrust_frame,  // as a message, for the custodian to keep; its life is a round
  last_frame,     // somebody joins a group, and wants the last messages that were sent to it
};
// What a node says of itself as a custodian; the stages that it promises are behind the first.
enum KeeperByte : std::uint8_t { keeps_nothing = 0, keeps_accepted, keeps_stored };
// In place of these: that it does not take a message over, and why, in this order.
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
// How a name is given: spelled, to be kept; spelled, for once; or as its number.
enum NameKind : std::uint64_t { new_name = 0, passing_name = 1, first_number = 2 };
// How the life of a message's target is given: the one that was last meant, or by its number.
enum LifeKind : std::uint64_t { same_life_as_before = 0, first_life = 1 };
// A message's serial is given by how much it is more than that of the last one to the same name,
// its sequence by how much it is more than that of the last one from the same name.

// What a message holds; two types that most have are not spelled.
inline constexpr std::string_view text_type = "text/plain", bytes_type = "application/octet-stream";
enum ContentKindByte : std::uint8_t { no_content = 0, text_content, named_content, bytes_content };
enum MessageBit : std::uint8_t {
  has_source = 1 << 0,
  has_extras = 1 << 1,
  is_tracked = 1 << 2,
  has_reply_to = 1 << 3,
  is_forbidden = 1 << 4,     // the society's policy has taken out what it says
  has_asking_life = 1 << 5,  // says at its end in which life its source asks
  is_sent_earlier = 1 << 6,  // to a group, before its target joined that
};

// How most messages begin: numbers of one byte each, between names that were told, to the life that
// was last meant, the next after the last of both. They are written and read at once.
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
  // Whether a frame with that word in front begins so.
  static bool is(std::uint64_t word) noexcept {
    return (word & 0x80f080ffff8080ff) == ShortHead().word();
  }
  static ShortHead of(std::uint64_t word) noexcept {
    const auto byte = [word](unsigned at) { return static_cast<std::uint8_t>(word >> 8 * at); };
    return {byte(1), byte(5), byte(6), byte(2), byte(7)};
  }
};

// The last: a reader has to see what it says.
enum KnockAnswer : std::uint8_t { no_place = 0, place_kept, try_again, show_all };

// What of a parcel's flags other nodes are told.
inline constexpr std::uint16_t travelling_flags = request_flag | reply_flag | failure_flag |
                                                  redelivered_flag | copy_flag | gap_flag |
                                                  letter_flag | withheld_flag;
// The largest number of missing copies that one node may name to another.
inline constexpr std::uint64_t largest_gap = std::uint64_t{1} << 48;
// How long all other nodes may take to answer a node that is new, and another question. However
// slowly one has answered before, nobody waits for it any longer.
inline constexpr Duration greeting_patience = std::chrono::milliseconds(250);
inline constexpr Duration ears_patience = std::chrono::seconds(5);
// How long after a node has gone what it sent may still come.
inline constexpr Duration late_frames_patience = std::chrono::seconds(5);
inline constexpr std::size_t heard_worth_giving_back = 4096;
inline constexpr std::size_t closed_text_limit = 1024;
inline constexpr std::size_t names_told_limit = std::size_t{1} << 20;
inline constexpr std::size_t probe_path_limit = 16384;
inline constexpr std::uint64_t probe_hops_limit = 1024;

inline std::uint64_t number_of_life(Incarnation life) {
  return std::uint64_t{life.epoch} << 32 | life.counter;
}
inline Incarnation life_of_number(std::uint64_t number) {
  return {static_cast<std::uint32_t>(number >> 32), static_cast<std::uint32_t>(number)};
}

inline Incarnation read_life(FrameReader& in) { return life_of_number(in.number()); }

// Of the target of a message, where that which was last meant need not be said again.
inline Incarnation read_life(FrameReader& in, Incarnation& last) {
  const std::uint64_t number = in.number();
  if (number != same_life_as_before) last = life_of_number(number - first_life);
  return last;
}

inline Holder holder_of(const Entry& entry) {
  return Holder{entry.lease, entry.incarnation, entry.mailbox};
}

// A name that is spelled for this once.
template <class Out>
void spell(Out& out, std::string_view name) {
  out.number(passing_name);
  out.text(name);
}

// For links, parties are numbers; nullptr is anybody.
inline FramePair frame_pair(const Party* source, const Party* target) noexcept {
  return {reinterpret_cast<std::uintptr_t>(source), reinterpret_cast<std::uintptr_t>(target)};
}

template <class Out>
void write_mailbox(Out& out, const MailboxOptions& mailbox) {
  out.number(mailbox.messages());
  out.number(mailbox.bytes());
  out.byte(static_cast<std::uint8_t>(mailbox.overflow()));
}

// What cannot be understood leaves `in` not ok().
inline MailboxOptions read_mailbox(FrameReader& in) {
  MailboxOptions mailbox;
  mailbox.messages(static_cast<std::uint32_t>(in.number_up_to(~std::uint32_t{0})));
  mailbox.bytes(in.number());
  const std::uint8_t overflow = in.byte();
  if (overflow > static_cast<std::uint8_t>(Overflow::redirect)) in.fail();
  else mailbox.overflow(static_cast<Overflow>(overflow));
  return mailbox;
}

// Has `act` done at the home of a party, at once if that is here.
template <class Act>
void at_home(Party& party, Act act) {
  Worker* const home = party.home.load(std::memory_order_acquire);
  if (home == Worker::current()) return act(*home, party);
  home->post(command([&party, act = std::move(act)](Worker&) { at_home(party, act); }));
}

inline void learn(Party& party, Holder holder) {
  at_home(party, [holder = std::move(holder)](Worker& home, Party& there) {
    home.on_holder(there, holder);
  });
}

// Has `act` done when every worker has dealt with all that it was given so far.
template <class Act>
void pass_through_all(NodeCore& node, unsigned from, Act act) {
  if (from == node.worker_count()) return act();
  if (&node.worker(from) == Worker::current()) {
    Worker::current()->publish();
    return pass_through_all(node, from + 1, std::move(act));
  }
  node.worker(from).post(command([&node, from, act = std::move(act)](Worker& at) {
    at.publish();
    pass_through_all(node, from + 1, act);
  }));
}

}  // namespace coracle::detail
