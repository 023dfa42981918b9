// A society key: a random secret that all its nodes have and nobody else. `coracle keys
// --society-key` makes one. Its text differs from a passphrase, and a typing error in it is
// detected. The key itself is never used on a network: each use has bytes of its own that are
// derived from the key, so one use reveals nothing about another.
#pragma once

#include "coracle/result.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::net {

class SocietyKey {
 public:
  // The prefix of every key's text; 32 characters of the secret and 8 of a checksum follow.
  static constexpr std::string_view prefix = "coracle-key-";
  static constexpr std::size_t secret_bytes = 20;
  using Derived = std::array<std::byte, 32>;

  // Makes a new key.
  static SocietyKey make();
  // Fails with Errc::bad_options when `text` is not a key; the error text never contains `text`.
  static Result<SocietyKey> parse(std::string_view text);

  std::string text() const;
  // Returns the derived key for one use of the key in that society (HKDF-SHA256).
  Derived derive(std::string_view use, std::string_view society) const;

  friend bool operator==(const SocietyKey&, const SocietyKey&) = default;

 private:
  std::array<std::byte, secret_bytes> secret_{};
};

// HMAC-SHA256.
SocietyKey::Derived keyed_hash(const SocietyKey::Derived& key, std::string_view bytes);
// Returns whether both are equal, in a time that does not depend on where they differ.
bool is_same(const SocietyKey::Derived& one, const SocietyKey::Derived& other);

// The source of a society's keys: keys separated by commas, or the path of a file with a key on
// each line; a path is recognized by its slash. The first key is used to connect, and all are
// accepted: so a society can change its key while it runs.
class KeySource {
 public:
  static constexpr std::size_t most_keys = 16, most_bytes = 4096;

  KeySource(std::string text, std::string society);

  // The file; empty when the keys themselves are given.
  const std::string& file() const { return file_; }
  const std::string& society() const { return society_; }
  // Reads the keys; there is at least one. Fails with Errc::bad_options when one is not a key or
  // the file cannot be read, with Errc::not_permitted when other users may read it. The error text
  // never contains a key.
  Result<std::vector<SocietyKey>> read() const;

 private:
  std::string text_, file_, society_;
};

// The advice for a person, as the end of a sentence: "make a key with: ...".
inline constexpr std::string_view how_to_make_a_key = "make one with: coracle keys --society-key";

// Throws when other users may read that file of secrets (Errc::not_permitted).
void refuse_open_file(const std::string& file);

}  // namespace coracle::net
