// Messages in the order of their age: a list of the parcels themselves.
#pragma once

#include "coracle/detail/parcel.hpp"

#include <cstddef>

namespace coracle::detail {

// So many messages are looked through for a directed read; beyond, an index is faster.
inline constexpr std::size_t looked_through = 32;

// Owns nothing; whoever has it decides what becomes of its parcels.
struct ParcelList {
  bool empty() const noexcept { return first == nullptr; }

  void append(Parcel* parcel) noexcept {
    parcel->next = nullptr;
    parcel->prev = last;
    (last != nullptr ? last->next : first) = parcel;
    last = parcel;
  }
  void prepend(Parcel* parcel) noexcept {
    parcel->prev = nullptr;
    parcel->next = first;
    (first != nullptr ? first->prev : last) = parcel;
    first = parcel;
  }
  void remove(Parcel* parcel) noexcept {
    (parcel->prev != nullptr ? parcel->prev->next : first) = parcel->next;
    (parcel->next != nullptr ? parcel->next->prev : last) = parcel->prev;
  }
  // Takes the oldest; there must be one.
  Parcel* take_first() noexcept {
    Parcel* const oldest = first;
    first = oldest->next;
    (first != nullptr ? first->prev : last) = nullptr;
    return oldest;
  }

  Parcel* first = nullptr;
  Parcel* last = nullptr;
};

}  // namespace coracle::detail
