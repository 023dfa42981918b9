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
};

// Moves between workers by value; owned by exactly one list, ring slot or handle.
struct Parcel {
  Parcel* next;
  Parcel* prev;
  Party* source;
  Party* target;
  ContentBlock* content;
  std::uint64_t conversation;
  Extras* extras;
  std::uint64_t sequence : 48;
  std::uint64_t flags : 16;
};
static_assert(sizeof(Parcel) == 64);

inline void set_flag(Parcel& parcel, ParcelFlag flag) noexcept {
  parcel.flags = (parcel.flags | flag) & 0xffffU;
}
inline void clear_flag(Parcel& parcel, ParcelFlag flag) noexcept {
  parcel.flags = parcel.flags & ~std::uint64_t{flag} & 0xffffU;
}

}  // namespace coracle::detail
