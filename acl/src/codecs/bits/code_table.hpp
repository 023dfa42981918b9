// A dynamic code table of the bit-efficient form (FIPA00069): both sides of a link give each new
// text the same code. No code travels when a text is added, so both must follow the same rules.
#pragma once

#include "coracle/support/secret_hash.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coracle::acl {

class CodeTable {
 public:
  using Code = std::uint32_t;

  struct Entry {
    std::string text;
    // The text was sent as a string, not as a word; so quotes around it are no part of it.
    bool is_string = false;
    Code newer = none, older = none;
  };

  // Fails with Errc::bad_options unless there are 8 to 16 bits.
  explicit CodeTable(unsigned bits);

  // The bytes of a code: one for 2^8 places, else two.
  unsigned code_bytes() const noexcept { return bits_ == 8 ? 1 : 2; }
  // The bytes of all texts.
  std::size_t bytes() const noexcept { return bytes_; }

  // The code of the text, if there is one.
  std::optional<Code> find(std::string_view text) const;
  // The entry of that code; nullptr if there is none. Valid until add() is called.
  const Entry* at(Code code) const noexcept;
  // Makes the entry the one that was used last.
  void use(Code code) noexcept;
  // Adds a text that is not there, with the smallest free code. In a full table, an eighth of the
  // places becomes free: those that were not used for the longest time.
  void add(std::string_view text, bool is_string);

 private:
  static constexpr Code none = ~Code{0};

  void unlink(Code code) noexcept;
  void link_newest(Code code) noexcept;
  void make_room();

  unsigned bits_;
  std::size_t bytes_ = 0;
  std::deque<Entry> entries_;  // the address of a text does not change
  std::vector<Code> free_;     // places that had an entry before, the smallest last
  std::unordered_map<std::string_view, Code, coracle::detail::SecretHash> codes_;
  Code newest_ = none, oldest_ = none;
};

}  // namespace coracle::acl
