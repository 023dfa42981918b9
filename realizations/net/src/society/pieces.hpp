// Frames that are larger than the session's messages: how they go in pieces, and are put together.
// Every piece begins with its mark and the place that the frame has meanwhile; the first one goes
// on with the sizes of the head and of all.
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
// No frame is larger.
inline constexpr std::uint64_t largest_frame = max_content_bytes + largest_piece;
// First bytes that no frame may have.
inline constexpr std::byte first_piece{0xfe}, next_piece{0xff};
// So many frames of one direction may be under way in part; in the first place goes what keeps its
// place among all others.
inline constexpr std::uint8_t piece_places = 4, place_in_order = 0;

inline bool is_piece(ByteSpan message) noexcept {
  return message.front() == first_piece || message.front() == next_piece;
}

// Puts together what comes.
class Pieces {
 public:
  // Of frames of more than `most` bytes no more than the head is kept.
  explicit Pieces(std::uint64_t most) : most_(most) {}
  // From the next frame on.
  void take_up_to(std::uint64_t most) noexcept { most_ = most; }

  // A piece is the rest of a frame, or of one that is too large; or only a part of one; or
  // nonsense.
  enum class Got : std::uint8_t { frame, too_large, part, nonsense };
  Got take(const net::Arrived& piece);
  // The frame that take() has made, until its next call.
  ByteSpan head() const noexcept { return head_; }
  Content take_content() noexcept { return std::exchange(content_, {}); }
  // Nothing of what has come in part counts.
  void forget();

 private:
  struct Coming {
    Bytes head;
    Content content;
    std::size_t filled = 0;                             // of that
    std::uint64_t wanted = 0, came = 0, head_size = 0;  // nothing is wanted: the place is free
  };
  static void assemble(Coming& frame, ByteSpan data, bool is_too_large);

  std::uint64_t most_;
  std::array<Coming, piece_places> coming_;
  Bytes head_;
  Content content_;
};

}  // namespace coracle::society
