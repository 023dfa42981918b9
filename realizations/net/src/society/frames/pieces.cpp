#include "pieces.hpp"

#include "coracle/support/bytes.hpp"
#include "coracle/support/content_room.hpp"

#include <algorithm>

namespace coracle::society {

Pieces::Got Pieces::take(const net::Arrived& piece) {
  detail::FrameReader in(piece.header);
  const bool is_first = in.byte() == static_cast<std::uint8_t>(first_piece);
  const std::uint8_t place = in.byte();
  if (!in.ok() || place >= piece_places || !piece.content.empty()) return Got::nonsense;
  Coming& frame = coming_[place];
  if (is_first != (frame.wanted == 0)) return Got::nonsense;
  if (is_first) {
    const std::uint64_t head_size = in.number(), wanted = in.number_up_to(largest_frame);
    if (!in.ok() || head_size == 0 || head_size > std::min(wanted, most_)) return Got::nonsense;
    frame = {.head = {}, .content = {}, .wanted = wanted, .head_size = head_size};
  }
  const ByteSpan data = piece.header.last(in.left());
  if (data.size() > frame.wanted - frame.came) return Got::nonsense;
  const bool is_too_large = frame.wanted > most_;
  frame.came += data.size();
  assemble(frame, data, is_too_large);
  if (frame.came < frame.wanted) return Got::part;
  head_ = std::move(frame.head);
  content_ = std::move(frame.content);
  frame = {};
  return is_too_large ? Got::too_large : Got::frame;
}

// The content is copied directly into its final place: a large content is not copied as a whole
// when it is complete, because this thread has other work.
void Pieces::assemble(Coming& frame, ByteSpan data, bool is_too_large) {
  const std::size_t of_head =
      std::min<std::size_t>(frame.head_size - frame.head.size(), data.size());
  frame.head.insert(frame.head.end(), data.begin(),
                    data.begin() + static_cast<std::ptrdiff_t>(of_head));
  data = data.subspan(of_head);
  if (data.empty() || is_too_large) return;
  if (frame.filled == 0) frame.content = detail::content_with_room(frame.wanted - frame.head_size);
  std::copy(data.begin(), data.end(),
            detail::room_in(frame.content).begin() + static_cast<std::ptrdiff_t>(frame.filled));
  frame.filled += data.size();
}

void Pieces::forget() { coming_ = {}; }

}  // namespace coracle::society
