// Splits frames that are larger than the session's messages into pieces, and assembles them. Every
// piece begins with its mark and the place of the frame; the first one continues with the sizes of
// the head and of the whole frame.
#pragma once

#include "coracle/content.hpp"
#include "realizations/net/src/link.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coracle::society {

using Bytes = std::vector<std::byte>;
using ByteSpan = std::span<const std::byte>;

// The largest message of the session that carries a frame.
inline constexpr std::size_t largest_piece = 256u << 10;
// The largest piece of a frame that is sent apart: other frames wait while one of them is read.
inline constexpr std::size_t largest_apart_piece = 8u << 10;
// No frame is larger.
inline constexpr std::uint64_t largest_frame = max_content_bytes + largest_piece;
// First bytes that no frame may have.
inline constexpr std::byte first_piece{0xfe}, next_piece{0xff};
// The number of frames of one direction that may be incomplete at once; the first place is for
// frames that are sent in order.
inline constexpr std::uint8_t piece_places = 4, place_in_order = 0;

inline bool is_piece(ByteSpan message) noexcept {
  return message.front() == first_piece || message.front() == next_piece;
}
// Returns whether it is a piece of a frame that is sent apart.
inline bool is_apart_piece(ByteSpan message) noexcept {
  return is_piece(message) && message[1] != std::byte{place_in_order};
}

// Assembles frames.
class Pieces {
 public:
  // Of a frame of more than `most` bytes only the head is kept.
  explicit Pieces(std::uint64_t most) : most_(most) {}
  // Sets the limit from the next frame on.
  void take_up_to(std::uint64_t most) noexcept { most_ = most; }

  // The result of a piece: the frame is complete, or too large and complete, or incomplete, or
  // nonsense.
  enum class Got : std::uint8_t { frame, too_large, part, nonsense };
  Got take(const net::Arrived& piece);
  // The frame that take() has completed, until its next call.
  ByteSpan head() const noexcept { return head_; }
  Content take_content() noexcept { return std::exchange(content_, {}); }
  // Forgets frames that have come in part.
  void forget();

 private:
  struct Coming {
    Bytes head;
    Content content;
    std::size_t filled = 0;                             // bytes of the content that are there
    std::uint64_t wanted = 0, came = 0, head_size = 0;  // nothing is wanted: the place is free
  };
  static void assemble(Coming& frame, ByteSpan data, bool is_too_large);

  std::uint64_t most_;
  std::array<Coming, piece_places> coming_;
  Bytes head_;
  Content content_;
};

}  // namespace coracle::society
