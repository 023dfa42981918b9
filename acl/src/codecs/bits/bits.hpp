// The parts that the bit-efficient forms of messages (FIPA00069) and envelopes (FIPA00088) share:
// texts, numbers of digits, dates, and bytes behind their length.
#pragma once

#include "codecs/fault.hpp"

#include "coracle/acl/date_time.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace coracle::acl {

// The codes of both forms.
namespace code {
inline constexpr std::uint8_t end = 0x01;
inline constexpr std::uint8_t word = 0x10, word_index = 0x11;
inline constexpr std::uint8_t number = 0x12, hex_number = 0x13;
inline constexpr std::uint8_t string = 0x14, string_index = 0x15;
inline constexpr std::uint8_t bytes8 = 0x16, bytes16 = 0x17, bytes_index = 0x18, bytes32 = 0x19;
}  // namespace code

inline void append_byte(std::string& out, unsigned byte) { out += static_cast<char>(byte); }
// The lowest `bytes` bytes of the number, the highest first.
inline void append_number(std::string& out, std::uint64_t number, unsigned bytes) {
  while (bytes > 0) append_byte(out, static_cast<unsigned>(number >> 8 * --bytes & 0xff));
}
// The text and a zero byte.
inline void append_text(std::string& out, std::string_view text) { (out += text) += '\0'; }
// The code and the length that bytes of this number need, and the bytes. Requires that they are
// fewer than 2^32.
void append_counted(std::string& out, std::string_view bytes);
// The decimal digits, half a byte each, up to a half byte of zero.
void append_digits(std::string& out, std::string_view digits);
// The code that says of which kind the date is, its nine bytes, and its zone if it has one.
void append_date(std::string& out, const DateTime& date);

// Returns whether the text can be written with a zero byte as its end.
inline bool has_zero(std::string_view text) { return text.find('\0') != std::string_view::npos; }

// Reads these parts. Every function fails with Errc::bad_encoding, at its place, if the input is
// cut off or is something else.
class BitSource {
 public:
  // Begins at `bytes[at]`.
  BitSource(Form form, std::string_view bytes, std::size_t at = 0)
      : form_(form), bytes_(bytes), at_(at) {}

  std::size_t place() const noexcept { return at_; }
  bool at_end() const noexcept { return at_ == bytes_.size(); }
  [[noreturn]] void fail(const std::string& reason) const { fail_reading(form_, at_, reason); }
  // Fails for a byte that was just read: "0x17 is no " + `kind`.
  [[noreturn]] void fail_for(std::uint8_t byte, std::string_view kind) const;

  std::uint8_t byte() {
    if (at_end()) fail("the input is cut off");
    return static_cast<std::uint8_t>(bytes_[at_++]);
  }
  // The next byte, which is still to be read.
  std::uint8_t peek() const {
    if (at_end()) fail("the input is cut off");
    return static_cast<std::uint8_t>(bytes_[at_]);
  }
  std::uint64_t number(unsigned bytes);
  // The next bytes.
  std::string_view take(std::uint64_t bytes);
  // A text, behind which is a zero byte.
  std::string_view text();
  // Bytes behind their length, whose size the code says.
  std::string_view counted(std::uint8_t code);
  // The characters of a number: digits, and `+`, `-`, `.`, `E`.
  std::string digits();
  DateTime date();

 private:
  Form form_;
  std::string_view bytes_;
  std::size_t at_;
};

}  // namespace coracle::acl
