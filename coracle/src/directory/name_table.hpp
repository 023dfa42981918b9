// The names that a directory holds: dense records that are found through an open-addressing index.
// A record takes 32 bytes and an index slot 4. The 256 parts of the index grow one by one, so that
// no registration waits for all names to be hashed again.
#pragma once

#include "coracle/query.hpp"
#include "coracle/support/secret_hash.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace coracle::detail {

// One registered name. Free records have an empty name.
struct Record {
  Name name;
  std::unique_ptr<Properties> properties;  // null: none
  std::uint32_t counter = 0;               // of its incarnation
  std::uint32_t lease = 0;                 // index of its lease
  std::uint32_t previous = 0;              // under the same lease
  std::uint32_t next = 0;                  // under the same lease; of free records: the next free
};
static_assert(sizeof(void*) != 8 || sizeof(Record) == 32);

// Not safe to share between threads; Book's owner holds a lock.
class NameTable {
 public:
  // A slot of the index keeps a record's number in 26 bits, which limits the number of names.
  static constexpr std::uint32_t max_names = (1u << 26) - 1;
  // No record.
  static constexpr std::uint32_t none = max_names;

  // The number of names.
  std::uint32_t size() const noexcept { return size_; }
  // Records are numbered below this; some of them may be free.
  std::uint32_t end() const noexcept { return end_; }

  Record& operator[](std::uint32_t at) noexcept { return chunks_[at / per_chunk][at % per_chunk]; }
  const Record& operator[](std::uint32_t at) const noexcept {
    return chunks_[at / per_chunk][at % per_chunk];
  }

  // Prefetches the index slot of a name that will soon be looked up.
  void expect(const Name& name) const noexcept {
    const std::uint32_t hash = hash_of_key(name);
    const Part& part = parts_[hash >> 24];
    __builtin_prefetch(part.slots.get() + (hash & part.mask), 1);
  }
  // The record of `name`, or none.
  std::uint32_t find(const Name& name) const noexcept;
  // Makes a record for `name`; requires that `name` has none and that there are fewer than
  // max_names.
  std::uint32_t insert(Name name);
  // Frees a record.
  void erase(std::uint32_t at) noexcept;

 private:
  static constexpr std::uint32_t per_chunk = 1024;

  // A part of the index. Zero is a free slot; other slots hold six bits of the hash above the
  // number of the record plus one. Probing is linear and removal shifts back, so that nothing
  // remains of names that were left.
  struct Part {
    std::unique_ptr<std::uint32_t[]> slots;
    std::uint32_t mask = 0;
    std::uint32_t used = 0;
  };

  static std::uint32_t hash_of_key(const Name& name) noexcept { return SecretHash()(name); }
  static std::uint32_t slot_of(std::uint32_t hash, std::uint32_t at) noexcept;
  void place(Part& part, std::uint32_t hash, std::uint32_t at) noexcept;
  void grow(Part& part);
  void remove_from_index(std::uint32_t at) noexcept;
  std::uint32_t record_of(std::uint32_t slot) const noexcept { return (slot & max_names) - 1; }

  std::array<Part, 256> parts_;
  std::vector<std::unique_ptr<Record[]>> chunks_;
  std::uint32_t free_ = none;
  std::uint32_t end_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace coracle::detail
