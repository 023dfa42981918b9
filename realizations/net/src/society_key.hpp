// A society's key: a random secret that all its nodes have and nobody else. `coracle keys
// --society-key` makes one. It is text that can be told from a passphrase, and a slip of a finger
// in it is noticed. What is used on a network is never the key itself: each use has bytes of its
// own that are derived from it, so one use says nothing about another.
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
  // What the text of every key begins with; 32 characters of the secret and 8 of a checksum follow.
  static constexpr std::string_view prefix = "coracle-key-";
  static constexpr std::size_t secret_bytes = 20;
  using Derived = std::array<std::byte, 32>;

  // A fresh one.
  static SocietyKey make();
  // Fails with Errc::bad_options when `text` is not a key; the sentence never holds the text.
  static Result<SocietyKey> parse(std::string_view text);

  std::string text() const;
  // What that use of the key in that society goes by (HKDF-SHA256).
  Derived derive(std::string_view use, std::string_view society) const;

  friend bool operator==(const SocietyKey&, const SocietyKey&) = default;

 private:
  std::array<std::byte, secret_bytes> secret_{};
};

// HMAC-SHA256.
SocietyKey::Derived keyed_hash(const SocietyKey::Derived& key, std::string_view bytes);
// Whether both are the same, in a time that does not tell where they differ.
bool is_same(const SocietyKey::Derived& one, const SocietyKey::Derived& other);

// Where the keys of a society are said: keys behind one another with commas between them, or the
// path of a file with a key on each line, which is known by its slash. The first key is the one to
// connect with, and all are accepted: so a society changes its key while it runs.
class KeySource {
 public:
  static constexpr std::size_t most_keys = 16, most_bytes = 4096;

  KeySource(std::string text, std::string society);

  // The file; empty when the keys themselves are given.
  const std::string& file() const { return file_; }
  const std::string& society() const { return society_; }
  // Reads them; there is at least one. Fails with Errc::bad_options when one is not a key or the
  // file cannot be read, with Errc::not_permitted when other users may read it. The sentence never
  // holds a key.
  Result<std::vector<SocietyKey>> read() const;

 private:
  std::string text_, file_, society_;
};

// What a person does about it, as the end of a sentence: "make a key with: ...".
inline constexpr std::string_view how_to_make_a_key = "make one with: coracle keys --society-key";

// Throws when other users may read that file of secrets (Errc::not_permitted).
void refuse_open_file(const std::string& file);

}  // namespace coracle::net
