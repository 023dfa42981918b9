// Writes numbers and texts as bytes, the least significant byte first. A reader learns at the end
// whether everything was there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace coracle::store {

using Bytes = std::vector<std::byte>;
using ByteSpan = std::span<const std::byte>;

inline ByteSpan bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
inline std::string_view text_of(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Writes `value` to `at`.
template <class Number>
void put(std::byte* at, Number value) noexcept {
  auto bits = static_cast<std::make_unsigned_t<Number>>(value);
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    at[i] = static_cast<std::byte>(bits & 0xff);
    if constexpr (sizeof(Number) > 1) bits >>= 8;
  }
}

// Reads from `at` what put() has written there.
template <class Number>
Number get(const std::byte* at) noexcept {
  std::make_unsigned_t<Number> bits = 0;
  for (std::size_t i = sizeof(Number); i-- > 0;)
    bits = static_cast<std::make_unsigned_t<Number>>(std::uint64_t{bits} << 8 |
                                                     static_cast<std::uint8_t>(at[i]));
  return static_cast<Number>(bits);
}

// Writes fields one behind the other.
class FieldWriter {
 public:
  template <class Number>
  FieldWriter& number(Number value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(Number));
    put(bytes_.data() + at, value);
    return *this;
  }
  // Writes the text behind its length.
  FieldWriter& text(std::string_view value) { return sized(bytes_of(value)); }
  FieldWriter& sized(ByteSpan value) {
    number(static_cast<std::uint32_t>(value.size()));
    bytes_.insert(bytes_.end(), value.begin(), value.end());
    return *this;
  }
  ByteSpan bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  Bytes bytes_;
};

// Reads fields. Once a field was missing, all further fields are empty.
class FieldReader {
 public:
  explicit FieldReader(ByteSpan bytes) : left_(bytes) {}

  template <class Number>
  Number number() {
    if (left_.size() < sizeof(Number)) return fail(), Number{};
    const auto value = get<Number>(left_.data());
    left_ = left_.subspan(sizeof(Number));
    return value;
  }
  ByteSpan sized() {
    const auto size = number<std::uint32_t>();
    if (size > left_.size()) return fail(), ByteSpan{};
    const ByteSpan value = left_.first(size);
    left_ = left_.subspan(size);
    return value;
  }
  std::string_view text() { return text_of(sized()); }
  ByteSpan rest() {
    const ByteSpan value = left_;
    left_ = {};
    return value;
  }
  std::size_t left() const { return left_.size(); }
  // Returns whether everything was there and nothing is left.
  bool complete() const { return good_ && left_.empty(); }

 private:
  void fail() {
    good_ = false;
    left_ = {};
  }

  ByteSpan left_;
  bool good_ = true;
};

}  // namespace coracle::store
