// The failures of all codecs: their sentences have one form, and give the place in the input.
#pragma once

#include "coracle/acl/limits.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace coracle::acl {

// The form that a codec reads or writes, as sentences name it.
enum class Form : unsigned char { string, bit_efficient, xml, xml_envelope, bit_envelope };

// Throws Errc::bad_encoding: "cannot read the string form of a message: at byte 17, " + `reason`.
[[noreturn]] void fail_reading(Form form, std::size_t at, const std::string& reason);
// Throws Errc::bad_encoding: "cannot write the string form of a message: " + `reason`.
[[noreturn]] void fail_writing(Form form, const std::string& reason);
// Throws Errc::too_large: "cannot read …: it has more than `limit` " + `things`.
[[noreturn]] void fail_limit(Form form, std::size_t limit, std::string_view things);

// Counts against the limits of one input.
class Budget {
 public:
  // Fails if the input has more bytes than it may have.
  Budget(Form form, std::size_t bytes, const Limits& limits) : form_(form), limits_(limits) {
    if (bytes > limits.bytes) fail_limit(form, limits.bytes, "bytes");
  }
  // Counts one element of a list, before it is made.
  void take_item() {
    if (items_ == limits_.items) fail_limit(form_, limits_.items, "elements in its lists");
    ++items_;
  }
  // Counts the bytes of a text that the input only names: all of them together may be as many as
  // those of the input.
  void take_text(std::size_t bytes) {
    if (bytes > limits_.bytes - texts_) fail_limit(form_, limits_.bytes, "bytes in its texts");
    texts_ += bytes;
  }
  // Checks the nesting of brackets.
  void check_depth(std::size_t depth) const {
    if (depth > limits_.depth) fail_limit(form_, limits_.depth, "levels of brackets");
  }
  // Checks the nesting of resolvers.
  void check_resolvers(std::size_t depth) const;
  const Limits& limits() const noexcept { return limits_; }

 private:
  Form form_;
  Limits limits_;
  std::size_t items_ = 0;
  std::size_t texts_ = 0;
};

}  // namespace coracle::acl
