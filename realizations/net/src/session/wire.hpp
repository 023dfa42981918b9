// The frames of a session. Format: docs/wire.md
#pragma once

#include "coracle/support/bytes.hpp"
#include "realizations/net/src/session/terms.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace coracle::net {

using detail::FrameReader;
using detail::FrameWriter;

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

// Appends a frame; `write` is called with a FrameWriter for its body.
template <class Write>
void append_frame(std::vector<std::byte>& out, FrameType type, const Write& write) {
  const std::size_t begin = out.size();
  out.resize(begin + frame_header_bytes);
  FrameWriter body(out);
  write(body);
  write_frame_header(out.data() + begin, type, out.size() - begin - frame_header_bytes);
}

// Appends a GOODBYE, with at most 240 bytes of the sentence.
void append_goodbye(std::vector<std::byte>& out, const Closing& why);

// Text of the peer's, for a sentence or a log: cut, and without characters that a terminal could
// interpret.
std::string shown(ByteSpan text);

}  // namespace coracle::net
