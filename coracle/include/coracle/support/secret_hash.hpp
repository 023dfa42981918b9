// A hash that strangers cannot predict, for tables of names and texts that strangers choose: a
// million names with the same Name::hash() can be made in seconds. The hash differs from one
// process to the next, so the order in such a table must not show anywhere.
#pragma once

#include "coracle/name.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace coracle::detail {

struct HashKey {
  std::uint64_t low, high;
};

// SipHash-1-3.
std::uint64_t hash_under(const HashKey& key, std::string_view text) noexcept;
// Half of that hash, under a key that each process draws when it first needs the key.
std::uint32_t secret_hash(std::string_view text);

// Hashes names and texts that are keys of unordered containers. A name's hash is computed once,
// when the name is made. Not noexcept: containers keep the result with each element.
struct SecretHash {
  using is_transparent = void;
  std::uint32_t operator()(std::string_view text) const { return secret_hash(text); }
  std::uint32_t operator()(const std::string& text) const { return secret_hash(text); }
  std::uint32_t operator()(const Name& name) const {
    return name.empty() ? secret_hash({}) : name.secret_hash();
  }
};

// Compares names by their text.
struct SameText {
  using is_transparent = void;
  bool operator()(const Name& a, const Name& b) const noexcept { return a == b; }
  bool operator()(std::string_view a, const Name& b) const noexcept { return a == b.view(); }
  bool operator()(const Name& a, std::string_view b) const noexcept { return a.view() == b; }
};

}  // namespace coracle::detail
