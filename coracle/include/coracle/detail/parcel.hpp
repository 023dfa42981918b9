// The hot part of an envelope: one cache line. What few messages need hangs from `extras`.
#pragma once

#include <cstdint>

namespace coracle::detail {

class Party;
struct ContentBlock;
struct Extras;

// What a parcel is; several may hold.
enum ParcelFlag : std::uint16_t {
  request_flag = 1 << 0,      // its sender waits for a reply
  reply_flag = 1 << 1,        // answers a request
  failure_flag = 1 << 2,      // a reply that says why there is none
  redelivered_flag = 1 << 3,  // was handed out before and not acknowledged
  copy_flag = 1 << 4,         // for an eavesdropper
  gap_flag = 1 << 5,          // tells an eavesdropper how much it missed
  marker_flag = 1 << 6,       // the last of an old route of an agent that changed its worker
  revoked_flag = 1 << 7,      // in the hands of an agent that was fenced: its end counts no more
  claimed_flag = 1 << 8,      // holds a place that a sender on another worker claimed
  letter_flag = 1 << 9,       // a dead letter: not part of the ledger
  returned_flag = 1 << 10,    // destroyed by an exception: to be queued again, in its old order
  foreign_flag = 1 << 11,     // from another node, which is told of its end
  withheld_flag = 1 << 12,    // a knock whose content stayed with its sender
  simple_flag = 1 << 13,      // foreign, and of its extras all else is as in any other
  forbidden_flag = 1 << 14,   // the society's policy has emptied it: nobody may read it
  oversize_flag = 1 << 15,    // from another node, and larger than this one takes: it is emptied
};

// Of a question in its reader's hands, for which nobody claims a place any more: it was answered,
// or its reader sees to it that it is.
inline constexpr ParcelFlag answered_flag = claimed_flag;
// Of a question at its end, when it cannot be queued again: nobody has answered it.
inline constexpr ParcelFlag unanswered_flag = returned_flag;

// Moves between workers by value; owned by exactly one list, ring slot or handle.
struct Parcel {
  Parcel* next;
  Parcel* prev;
  Party* source;
  Party* target;
  ContentBlock* content;
  std::uint64_t conversation;
  Extras* extras;
  // In pieces, so that no store of one overlaps the load of another.
  std::uint32_t sequence_low;
  std::uint16_t sequence_high;
  std::uint16_t flags;

  // Its number among its source's messages; beyond 48 bits they begin again.
  std::uint64_t sequence() const noexcept {
    return std::uint64_t{sequence_high} << 32 | sequence_low;
  }
  void set_sequence(std::uint64_t number) noexcept {
    sequence_low = static_cast<std::uint32_t>(number);
    sequence_high = static_cast<std::uint16_t>(number >> 32);
  }
};
static_assert(sizeof(Parcel) == 64);

inline void set_flag(Parcel& parcel, ParcelFlag flag) noexcept {
  parcel.flags = static_cast<std::uint16_t>(parcel.flags | flag);
}
inline void clear_flag(Parcel& parcel, ParcelFlag flag) noexcept {
  parcel.flags = static_cast<std::uint16_t>(parcel.flags & ~unsigned{flag});
}

}  // namespace coracle::detail
