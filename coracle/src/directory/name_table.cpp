#include "name_table.hpp"

namespace coracle::detail {

std::uint32_t NameTable::slot_of(std::uint32_t hash, std::uint32_t at) noexcept {
  return ((hash >> 18 & 63) << 26) | (at + 1);
}

std::uint32_t NameTable::find(const Name& name) const noexcept {
  const std::uint32_t hash = hash_of_key(name);
  const Part& part = parts_[hash >> 24];
  if (part.used == 0) return none;
  for (std::uint32_t i = hash & part.mask;; i = (i + 1) & part.mask) {
    const std::uint32_t slot = part.slots[i];
    if (slot == 0) return none;
    if (slot >> 26 != (hash >> 18 & 63)) continue;
    const std::uint32_t at = record_of(slot);
    if ((*this)[at].name == name) return at;
  }
}

std::uint32_t NameTable::insert(Name name) {
  const std::uint32_t hash = hash_of_key(name);
  Part& part = parts_[hash >> 24];
  if (part.slots == nullptr || (part.used + 1) * 4 > (part.mask + 1) * 3) grow(part);
  std::uint32_t at = free_;
  if (at != none) {
    free_ = (*this)[at].next;
  } else {
    if (end_ == chunks_.size() * per_chunk)
      chunks_.push_back(std::make_unique<Record[]>(per_chunk));
    at = end_++;
  }
  place(part, hash, at);
  ++part.used;
  ++size_;
  (*this)[at].name = std::move(name);
  return at;
}

void NameTable::erase(std::uint32_t at) noexcept {
  remove_from_index(at);
  Record& record = (*this)[at];
  record.name = Name();
  record.properties = nullptr;
  record.next = free_;
  free_ = at;
  --size_;
}

void NameTable::place(Part& part, std::uint32_t hash, std::uint32_t at) noexcept {
  std::uint32_t i = hash & part.mask;
  while (part.slots[i] != 0) i = (i + 1) & part.mask;
  part.slots[i] = slot_of(hash, at);
}

void NameTable::grow(Part& part) {
  const std::uint32_t old_size = part.slots == nullptr ? 0 : part.mask + 1;
  const std::uint32_t new_size = old_size == 0 ? 8 : old_size * 2;
  const auto old = std::exchange(part.slots, std::make_unique<std::uint32_t[]>(new_size));
  part.mask = new_size - 1;
  // The names are scattered in memory, so they are prefetched well ahead.
  const auto ahead = [&](std::uint32_t i) { return i < old_size ? old[i] : 0; };
  for (std::uint32_t i = 0; i < old_size; ++i) {
    if (const auto slot = ahead(i + 16)) __builtin_prefetch(&(*this)[record_of(slot)]);
    if (const auto slot = ahead(i + 8))
      __builtin_prefetch((*this)[record_of(slot)].name.view().data());
    if (old[i] == 0) continue;
    const std::uint32_t at = record_of(old[i]);
    place(part, hash_of_key((*this)[at].name), at);
  }
}

void NameTable::remove_from_index(std::uint32_t at) noexcept {
  const std::uint32_t hash = hash_of_key((*this)[at].name);
  Part& part = parts_[hash >> 24];
  std::uint32_t hole = hash & part.mask;
  while (record_of(part.slots[hole]) != at) hole = (hole + 1) & part.mask;
  --part.used;
  for (std::uint32_t i = (hole + 1) & part.mask; part.slots[i] != 0; i = (i + 1) & part.mask) {
    const std::uint32_t home = hash_of_key((*this)[record_of(part.slots[i])].name) & part.mask;
    if (((i - home) & part.mask) < ((i - hole) & part.mask)) continue;
    part.slots[hole] = part.slots[i];
    hole = i;
  }
  part.slots[hole] = 0;
}

}  // namespace coracle::detail
