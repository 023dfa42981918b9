// The bytes of frames and of their fields. Format: docs/wire.md
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::net {

// The kinds of frames. Only messages are numbered.
enum class FrameType : std::uint8_t {
  hello = 1,
  resume = 3,
  start = 4,
  goodbye = 5,
  ping = 6,
  pong = 7,
  acknowledge = 8,
  credit = 9,
  message = 16,
};

using ByteSpan = std::span<const std::byte>;

// Kind (1 byte) and length of the body (3 bytes, the lowest first).
inline constexpr std::size_t frame_header_bytes = 4;
inline constexpr std::size_t max_frame_body = (1u << 24) - 1;
inline constexpr std::size_t max_varint_bytes = 10;

// The first bytes of a frame.
struct FrameHeader {
  std::uint8_t type;
  std::uint32_t length;
};

inline FrameHeader read_frame_header(const std::byte* at) {
  std::uint32_t word;
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(&word, at, sizeof word);
  return {static_cast<std::uint8_t>(word), word >> 8};
}

inline void write_frame_header(std::byte* at, FrameType type, std::size_t length) {
  const auto word = static_cast<std::uint32_t>(length << 8) | static_cast<std::uint32_t>(type);
  std::memcpy(at, &word, sizeof word);
}

// Returns how many bytes write_varint() needs for `value`.
constexpr std::size_t varint_bytes(std::uint64_t value) {
  if (value < 0x80) return 1;
  return (static_cast<std::size_t>(std::bit_width(value)) + 6) / 7;
}

// Seven bits a byte, the lowest first; all but the last have the highest bit.
inline std::byte* write_varint(std::byte* at, std::uint64_t value) {
  while (value >= 0x80) {
    *at++ = static_cast<std::byte>(value | 0x80);
    value >>= 7;
  }
  *at++ = static_cast<std::byte>(value);
  return at;
}

// Appends to the end of a vector.
class WireWriter {
 public:
  explicit WireWriter(std::vector<std::byte>& out) : out_(out) {}

  void u8(std::uint8_t value) { out_.push_back(static_cast<std::byte>(value)); }
  void u16(std::uint16_t value) { fixed(value); }
  void u64(std::uint64_t value) { fixed(value); }
  void varint(std::uint64_t value) {
    std::byte room[max_varint_bytes];
    bytes({room, write_varint(room, value)});
  }
  void bytes(ByteSpan value) { out_.insert(out_.end(), value.begin(), value.end()); }
  void text(std::string_view value) { bytes(std::as_bytes(std::span(value))); }

  // Begins a frame; end() sets its length.
  void begin(FrameType type) {
    frame_ = out_.size();
    out_.resize(frame_ + frame_header_bytes, static_cast<std::byte>(type));
  }
  void end() {
    const auto type = static_cast<FrameType>(out_[frame_]);
    write_frame_header(out_.data() + frame_, type, out_.size() - frame_ - frame_header_bytes);
  }

 private:
  template <class T>
  void fixed(T value) {
    std::byte raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes(raw);
  }

  std::vector<std::byte>& out_;
  std::size_t frame_ = 0;
};

// Reads from the front of some bytes. A value that is missing or malformed is read as zero or
// empty, and ok() is false from then on.
class WireReader {
 public:
  explicit WireReader(ByteSpan bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  // Returns whether everything was there and nothing is left.
  bool done() const { return ok_ && rest_.empty(); }
  std::size_t left() const { return rest_.size(); }

  std::uint8_t u8() { return fixed<std::uint8_t>(); }
  std::uint16_t u16() { return fixed<std::uint16_t>(); }
  std::uint64_t u64() { return fixed<std::uint64_t>(); }
  // Accepts only the shortest form.
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < rest_.size() && i < max_varint_bytes; ++i) {
      const auto byte = static_cast<std::uint64_t>(rest_[i]);
      if ((i > 0 && byte == 0) || (i == 9 && byte > 1)) break;
      value |= (byte & 0x7f) << (7 * i);
      if (byte < 0x80) {
        rest_ = rest_.subspan(i + 1);
        return value;
      }
    }
    return fail();
  }
  ByteSpan bytes(std::uint64_t count) {
    if (count > rest_.size()) {
      fail();
      return {};
    }
    const auto result = rest_.first(count);
    rest_ = rest_.subspan(count);
    return result;
  }
  std::string_view text(std::uint64_t count) {
    const auto raw = bytes(count);
    return {reinterpret_cast<const char*>(raw.data()), raw.size()};
  }
  ByteSpan all() { return bytes(rest_.size()); }

 private:
  template <class T>
  T fixed() {
    T value{};
    const auto raw = bytes(sizeof value);
    if (ok_) std::memcpy(&value, raw.data(), sizeof value);
    return value;
  }
  std::uint64_t fail() {
    ok_ = false;
    rest_ = {};
    return 0;
  }

  ByteSpan rest_;
  bool ok_ = true;
};

// Text of the peer's, for a sentence or a log: cut, and without characters that a terminal could
// interpret.
std::string shown(ByteSpan text);

}  // namespace coracle::net
