#include "codecs/bits/bits.hpp"

#include <array>
#include <cstring>

namespace coracle::acl {

namespace {

constexpr std::uint8_t with_zone = 4;  // is added to the code of a date with a zone

// The characters of numbers, by their half bytes.
constexpr std::array<char, 16> digit_characters = {0,   '0', '1', '2', '3', '4', '5', '6',
                                                   '7', '8', '9', 0,   '+', 'E', '-', '.'};

std::string hex_of_byte(std::uint8_t byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  return {'0', 'x', digits[byte >> 4], digits[byte & 15]};
}

// Two digits of a number below 100.
unsigned pair_of_digits(unsigned number) { return ((number / 10 + 1) << 4) | (number % 10 + 1); }

}  // namespace

void append_counted(std::string& out, std::string_view bytes) {
  const std::size_t size = bytes.size();
  const unsigned width = size < 0x100 ? 1 : size < 0x10000 ? 2 : 4;
  append_byte(out, width == 1 ? code::bytes8 : width == 2 ? code::bytes16 : code::bytes32);
  append_number(out, size, width);
  out += bytes;
}

void append_digits(std::string& out, std::string_view digits) {
  for (std::size_t at = 0; at <= digits.size(); at += 2) {
    const auto half = [&](std::size_t place) -> unsigned {
      return place < digits.size() ? static_cast<unsigned>(digits[place] - '0' + 1) : 0u;
    };
    append_byte(out, half(at) << 4 | half(at + 1));
  }
}

void append_date(std::string& out, const DateTime& date) {
  append_byte(out, 0x20u + static_cast<unsigned>(date.kind) + (date.zone != 0 ? with_zone : 0u));
  for (const unsigned each : {date.year / 100u, date.year % 100u, unsigned{date.month},
                              unsigned{date.day}, unsigned{date.hour}, unsigned{date.minute},
                              unsigned{date.second}, date.millisecond / 10u}) {
    append_byte(out, pair_of_digits(each));
  }
  append_byte(out, (date.millisecond % 10u + 1) << 4);
  if (date.zone != 0) out += date.zone;
}

void BitSource::fail_for(std::uint8_t byte, std::string_view kind) const {
  fail_reading(form_, at_ - 1, hex_of_byte(byte) + " is no " + std::string(kind));
}

std::uint64_t BitSource::number(unsigned bytes) {
  std::uint64_t number = 0;
  for (; bytes > 0; --bytes) number = number << 8 | byte();
  return number;
}

std::string_view BitSource::take(std::uint64_t bytes) {
  if (bytes > bytes_.size() - at_) {
    fail("a text of " + std::to_string(bytes) + " bytes is longer than the input");
  }
  const std::string_view taken = bytes_.substr(at_, bytes);
  at_ += bytes;
  return taken;
}

std::string_view BitSource::text() {
  const char* const begin = bytes_.data() + at_;
  const void* const end = at_end() ? nullptr : std::memchr(begin, 0, bytes_.size() - at_);
  if (end == nullptr) fail("a text has no zero byte at its end");
  const std::string_view text(begin,
                              static_cast<std::size_t>(static_cast<const char*>(end) - begin));
  at_ += text.size() + 1;
  return text;
}

std::string_view BitSource::counted(std::uint8_t code) {
  switch (code) {
    case code::bytes8:
      return take(number(1));
    case code::bytes16:
      return take(number(2));
    case code::bytes32:
      return take(number(4));
    default:
      fail_for(code, "code of bytes");
  }
}

std::string BitSource::digits() {
  std::string text;
  for (;;) {
    const std::uint8_t both = byte();
    const std::uint8_t high = both >> 4, low = both & 15;
    if (both == 0) return text;
    if (digit_characters[high] == 0) fail_for(both, "pair of digits");
    text += digit_characters[high];
    if (low == 0) return text;
    if (digit_characters[low] == 0) fail_for(both, "pair of digits");
    text += digit_characters[low];
  }
}

DateTime BitSource::date() {
  const std::uint8_t kind = byte();
  DateTime date;
  const unsigned form = kind & 3u;
  if ((kind & ~7u) != 0x20 || form == 3) fail_for(kind, "kind of a date");
  date.kind = static_cast<DateTime::Kind>(form);
  const auto digit = [&](unsigned half, std::uint8_t both) {
    if (half < 1 || half > 10) fail_for(both, "pair of digits of a date");
    return half - 1;
  };
  const auto two = [&] {
    const std::uint8_t both = byte();
    return 10 * digit(both >> 4, both) + digit(both & 15, both);
  };
  const unsigned century = two();
  date.year = static_cast<std::uint16_t>(100 * century + two());
  for (std::uint8_t* const each :
       {&date.month, &date.day, &date.hour, &date.minute, &date.second}) {
    *each = static_cast<std::uint8_t>(two());
  }
  const unsigned tens = two();
  const std::uint8_t last = byte();
  if ((last & 15) != 0) fail_for(last, "end of a date");
  date.millisecond = static_cast<std::uint16_t>(10 * tens + digit(last >> 4, last));
  date.zone = 0;
  if ((kind & with_zone) != 0) {
    const std::uint8_t zone = byte();
    date.zone = static_cast<char>(zone);
    if (!is_writable(date)) fail_for(zone, "zone of a date");
  }
  return date;
}

}  // namespace coracle::acl
