// Messages in the order of their age: a list of the records themselves.
#pragma once

#include "coracle/detail/message_record.hpp"

#include <cstddef>

namespace coracle::detail {

// A directed read looks through this many messages one by one; beyond, an index is faster.
inline constexpr std::size_t looked_through = 32;

// The list does not own its records; its user decides what becomes of them.
struct RecordList {
  bool empty() const noexcept { return first == nullptr; }

  void append(MessageRecord* record) noexcept {
    record->next = nullptr;
    record->prev = last;
    (last != nullptr ? last->next : first) = record;
    last = record;
  }
  void prepend(MessageRecord* record) noexcept {
    record->prev = nullptr;
    record->next = first;
    (first != nullptr ? first->prev : last) = record;
    first = record;
  }
  void remove(MessageRecord* record) noexcept {
    (record->prev != nullptr ? record->prev->next : first) = record->next;
    (record->next != nullptr ? record->next->prev : last) = record->prev;
  }
  // Takes the oldest record. Requires that the list is not empty.
  MessageRecord* take_first() noexcept {
    MessageRecord* const oldest = first;
    first = oldest->next;
    (first != nullptr ? first->prev : last) = nullptr;
    return oldest;
  }

  MessageRecord* first = nullptr;
  MessageRecord* last = nullptr;
};

}  // namespace coracle::detail
