#include "coracle/web/canonical_json.hpp"

#include "coracle/support/quote.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace coracle::web {

namespace {

constexpr std::int64_t largest_exact = std::int64_t{1} << 53U;

// The place of a character in the order of UTF-16: the first unit of a pair is below U+E000.
std::uint64_t rank_of(std::uint32_t code) noexcept {
  const std::uint64_t unit = code < 0x10000 ? code : 0xd800U + ((code - 0x10000U) >> 10U);
  return unit << 32U | code;
}

bool is_before(std::string_view a, std::string_view b) noexcept {
  while (!a.empty() && !b.empty()) {
    const detail::Utf8Character one = detail::utf8_at(a, 0), other = detail::utf8_at(b, 0);
    const std::uint64_t left = rank_of(one.bytes == 0 ? 0xfffd : one.code);
    const std::uint64_t right = rank_of(other.bytes == 0 ? 0xfffd : other.code);
    if (left != right) return left < right;
    a.remove_prefix(std::max<std::size_t>(one.bytes, 1));
    b.remove_prefix(std::max<std::size_t>(other.bytes, 1));
  }
  return a.empty() && !b.empty();
}

// As Number::toString of ECMAScript writes it.
void append_double(std::string& out, double number) {
  if (number == 0) {
    out += '0';
    return;
  }
  if (number < 0) out += '-';
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), std::abs(number),
                                 std::chars_format::scientific);
  const std::string_view whole(text.data(), static_cast<std::size_t>(end.ptr - text.data()));
  const std::size_t sign = whole.find('e');
  std::string digits(whole.substr(0, sign));
  std::erase(digits, '.');
  int exponent = 0;
  const char* const from = whole.data() + sign + (whole[sign + 1] == '+' ? 2 : 1);
  std::from_chars(from, end.ptr, exponent);
  const int size = static_cast<int>(digits.size()), point = exponent + 1;
  const auto at = [](int place) { return static_cast<std::size_t>(place); };
  if (size <= point && point <= 21) {
    out += digits + std::string(at(point - size), '0');
  } else if (point > 0 && point <= 21) {
    out += digits.substr(0, at(point)) + '.' + digits.substr(at(point));
  } else if (point > -6 && point <= 0) {
    out += "0." + std::string(at(-point), '0') + digits;
  } else {
    out += digits.substr(0, 1);
    if (size > 1) out += '.' + digits.substr(1);
    out += exponent < 0 ? "e-" : "e+";
    out += std::to_string(std::abs(exponent));
  }
}

// Only what JSON does not permit is escaped, and in the shortest way.
void append_canonical_text(std::string& out, std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef", short_forms = "\b\t\n\f\r\"\\",
                             letters = "btnfr\"\\";
  out += '"';
  while (!text.empty()) {
    const std::size_t bytes = detail::utf8_at(text, 0).bytes;
    const auto byte = static_cast<unsigned char>(text.front());
    const std::size_t form = short_forms.find(text.front());
    if (bytes == 0) {
      out += "\xef\xbf\xbd";
    } else if (form != short_forms.npos) {
      out += '\\';
      out += letters[form];
    } else if (byte < ' ') {
      out += "\\u00";
      out += hex[byte >> 4U];
      out += hex[byte & 15U];
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  out += '"';
}

void append_canonical(std::string& out, const Json& value) {
  if (const Json::Array* const items = value.if_array()) {
    out += '[';
    for (const Json& each : *items) {
      if (&each != items->data()) out += ',';
      append_canonical(out, each);
    }
    out += ']';
  } else if (const Json::Object* const members = value.if_object()) {
    std::vector<const Json::Member*> sorted;
    for (const Json::Member& each : *members) sorted.push_back(&each);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto* a, const auto* b) { return is_before(a->name, b->name); });
    out += '{';
    for (const Json::Member* const each : sorted) {
      if (each != sorted.front()) out += ',';
      append_canonical_text(out, each->name);
      out += ':';
      append_canonical(out, each->value);
    }
    out += '}';
  } else if (const auto whole = value.if_whole();
             whole && *whole <= largest_exact && *whole >= -largest_exact) {
    out += std::to_string(*whole);
  } else if (const auto number = value.if_number(); number && std::isfinite(*number)) {
    append_double(out, *number);
  } else if (value.if_number()) {
    out += "null";
  } else if (const std::string* const text = value.if_text()) {
    append_canonical_text(out, *text);
  } else {
    append_text(out, value);
  }
}

}  // namespace

std::string canonical_text(const Json& value) {
  std::string out;
  append_canonical(out, value);
  return out;
}

}  // namespace coracle::web
