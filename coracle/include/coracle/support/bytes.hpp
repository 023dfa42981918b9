// The encoding of a frame between two nodes: numbers in groups of seven bits, the lowest first, in
// their shortest form, and texts that follow their length.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace coracle::detail {

inline constexpr std::size_t most_of_number = 10;

// Returns how many bytes write_number() needs for `value`.
constexpr std::size_t number_bytes(std::uint64_t value) noexcept {
  if (value < 0x80) return 1;
  return (static_cast<std::size_t>(std::bit_width(value)) + 6) / 7;
}

// Writes a number where there is room for it; returns its end.
inline std::byte* write_number(std::byte* at, std::uint64_t value) noexcept {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<std::byte>(value | 0x80);
  *at++ = static_cast<std::byte>(value);
  return at;
}

// Appends to a buffer.
class FrameWriter {
 public:
  explicit FrameWriter(std::vector<std::byte>& out) noexcept : out_(out) {}

  void byte(std::uint8_t value) { out_.push_back(static_cast<std::byte>(value)); }
  void number(std::uint64_t value) {
    if (value < 0x80) return byte(static_cast<std::uint8_t>(value));
    std::byte room[most_of_number];
    bytes({room, write_number(room, value)});
  }
  // Writes eight bytes, the lowest first.
  void word(std::uint64_t value) {
    static_assert(std::endian::native == std::endian::little);
    bytes(std::as_bytes(std::span(&value, 1)));
  }
  void text(std::string_view value) {
    number(value.size());
    bytes(std::as_bytes(std::span(value)));
  }
  // Writes bytes without a length.
  void bytes(std::span<const std::byte> value) {
    out_.insert(out_.end(), value.begin(), value.end());
  }

 private:
  std::vector<std::byte>& out_;
};

// Writes the same encoding into a buffer of its own, for one short frame after another.
class FrameBuffer {
 public:
  void clear() noexcept { at_ = bytes_.data(); }
  const std::byte* begin() const noexcept { return bytes_.data(); }
  const std::byte* end() const noexcept { return at_; }

  [[gnu::always_inline]] void byte(std::uint8_t value) {
    if (at_ == end_) [[unlikely]]
      make_room(1);
    *at_++ = static_cast<std::byte>(value);
  }
  [[gnu::always_inline]] void number(std::uint64_t value) {
    if (value < 0x80) [[likely]]
      return byte(static_cast<std::uint8_t>(value));
    if (left() < most_of_number) [[unlikely]]
      make_room(most_of_number);
    at_ = write_number(at_, value);
  }
  // Writes eight bytes, the lowest first.
  void word(std::uint64_t value) {
    static_assert(std::endian::native == std::endian::little);
    if (left() < sizeof value) [[unlikely]]
      make_room(sizeof value);
    std::memcpy(at_, &value, sizeof value);
    at_ += sizeof value;
  }
  void text(std::string_view value) {
    number(value.size());
    if (left() < value.size()) make_room(value.size());
    const auto bytes = std::as_bytes(std::span(value));
    at_ = std::copy(bytes.begin(), bytes.end(), at_);
  }

 private:
  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  void make_room(std::size_t more) {
    const auto size = static_cast<std::size_t>(at_ - bytes_.data());
    bytes_.resize(2 * (size + more) + usual);
    at_ = bytes_.data() + size;
    end_ = bytes_.data() + bytes_.size();
  }

  static constexpr std::size_t usual = 128;

  std::vector<std::byte> bytes_;  // the whole buffer, used or not
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
};

// Reads the output of a FrameWriter. A value that is missing or malformed is read as zero or empty,
// and ok() returns false afterwards.
class FrameReader {
 public:
  explicit FrameReader(std::span<const std::byte> in) noexcept
      : at_(in.data()), end_(in.data() + in.size()) {}

  [[gnu::always_inline]] std::uint8_t byte() noexcept {
    if (at_ == end_) return ok_ = false, std::uint8_t{0};
    return static_cast<std::uint8_t>(*at_++);
  }
  [[gnu::always_inline]] std::uint64_t number() noexcept {
    if (at_ != end_ && static_cast<std::uint8_t>(*at_) < 0x80) [[likely]]
      return static_cast<std::uint8_t>(*at_++);
    return long_number();
  }
  // Returns the next eight bytes, the lowest first, if there are as many; they are still to be
  // read.
  std::optional<std::uint64_t> next_word() const noexcept {
    std::uint64_t value;
    if (left() < sizeof value) return std::nullopt;
    std::memcpy(&value, at_, sizeof value);
    return value;
  }
  void skip(std::size_t bytes) noexcept { at_ += bytes; }
  // Reads a number of at most `most`; a greater one makes ok() false.
  std::uint64_t number_up_to(std::uint64_t most) noexcept {
    const std::uint64_t value = number();
    if (value <= most) return value;
    ok_ = false;
    return 0;
  }
  // Reads eight bytes, the lowest first.
  std::uint64_t word() noexcept {
    const auto value = next_word();
    if (!value) return ok_ = false, 0;
    skip(sizeof *value);
    return *value;
  }
  std::string_view text() noexcept {
    const auto read = bytes(number());
    return {reinterpret_cast<const char*>(read.data()), read.size()};
  }
  std::span<const std::byte> bytes(std::uint64_t count) noexcept {
    if (count > left()) return ok_ = false, std::span<const std::byte>();
    const std::byte* const begin = at_;
    at_ += count;
    return {begin, at_};
  }
  void fail() noexcept { ok_ = false; }
  bool ok() const noexcept { return ok_; }
  bool at_end() const noexcept { return at_ == end_; }
  // Returns whether everything was there and nothing is left.
  bool done() const noexcept { return ok_ && at_end(); }
  std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  std::span<const std::byte> rest() const noexcept { return {at_, end_}; }

 private:
  std::uint64_t long_number() noexcept {
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const std::byte* at = at_; at != end_ && shift < 64; shift += 7) {
      const auto next = std::to_integer<std::uint64_t>(*at++);
      if (next == 0 || (shift == 63 && next > 1)) break;  // not the shortest form
      value |= (next & 0x7f) << shift;
      if (next < 0x80) return at_ = at, value;
    }
    ok_ = false;
    return 0;
  }

  const std::byte* at_;
  const std::byte* end_;
  bool ok_ = true;
};

}  // namespace coracle::detail
