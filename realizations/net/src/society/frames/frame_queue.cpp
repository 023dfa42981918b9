#include "frame_queue.hpp"

#include "coracle/support/bytes.hpp"

#include <algorithm>

namespace coracle::society {

namespace {

ByteSpan up_to(std::size_t bytes, ByteSpan all) { return all.first(std::min(bytes, all.size())); }

const Content no_content;

// A link that has carried so many pieces, and nothing else, carries pieces that are so many times
// larger.
constexpr std::uint32_t enough_alone = 16, grown = 8;

}  // namespace

void FrameQueue::add(ByteSpan head, const Content& content) {
  bytes_ += head.size() + content.size();
  in_order_.push_back({.head = {head.begin(), head.end()}, .content = content});
  ++added_;
}

void FrameQueue::add_apart(ByteSpan head, const Content& content, const FramePair& pair) {
  Frame frame{.head = {head.begin(), head.end()}, .content = content, .pair = pair};
  const std::size_t size = frame.left();
  bytes_ += size;
  const auto meets = [&pair](const Frame& other) { return other.pair.meets(pair); };
  const bool is_free = std::none_of(going_.begin(), going_.end(), meets) &&
                       std::none_of(behind_.begin(), behind_.end(), meets);
  if (is_free && let_go(frame)) return;
  bytes_behind_ += size;
  behind_.push_back(std::move(frame));
}

// Sends `frame` on its way, which meets no earlier frame. Returns false when no place is free.
bool FrameQueue::let_go(Frame& frame) {
  if (is_small(frame)) {
    in_order_.push_back(std::move(frame));
    ++added_;
    return true;
  }
  for (std::uint8_t place = place_in_order + 1; place < piece_places; ++place) {
    const auto has_it = [place](const Frame& other) { return other.place == place; };
    if (std::any_of(going_.begin(), going_.end(), has_it)) continue;
    frame.place = place;
    frame.after = added_;
    going_.push_back(std::move(frame));
    return true;
  }
  return false;
}

// Called when a frame that was sent apart has gone.
void FrameQueue::let_others_go() {
  std::vector<FramePair> before;  // the pairs of frames before the current one
  for (const Frame& frame : going_) before.push_back(frame.pair);
  std::deque<Frame> left;
  for (Frame& frame : behind_) {
    const FramePair pair = frame.pair;
    const std::size_t size = frame.left();
    const bool is_at_once = is_small(frame);
    const bool is_free =
        std::none_of(before.begin(), before.end(),
                     [&pair](const FramePair& other) { return other.meets(pair); });
    const bool has_gone = is_free && let_go(frame);
    if (has_gone) bytes_behind_ -= size;
    else left.push_back(std::move(frame));
    if (has_gone && is_at_once) continue;
    if (std::find(before.begin(), before.end(), pair) == before.end()) before.push_back(pair);
  }
  behind_ = std::move(left);
}

// If true, `turn_` is the index of that frame.
bool FrameQueue::is_an_apart_ones_turn() {
  if (!in_order_.empty() && bytes_since_piece_ < most_) return false;
  for (std::size_t left = going_.size(); left != 0; --left) {
    if (going_[turn_].after <= gone_) return true;
    turn_ = (turn_ + 1) % going_.size();
  }
  return false;
}

std::optional<FrameQueue::Next> FrameQueue::next() {
  if (!is_next_known_) {
    is_next_apart_ = is_an_apart_ones_turn();
    if (!is_next_apart_ && in_order_.empty()) return std::nullopt;
    const Frame& frame = frame_of_next();
    piece_.clear();
    if (frame.sent == 0 && is_small(frame)) next_bytes_ = frame.left();
    else make_piece(frame);
    is_next_known_ = true;
  }
  if (!piece_.empty()) return Next{piece_, &no_content};
  return Next{in_order_.front().head, &in_order_.front().content};
}

std::size_t FrameQueue::most_of_apart_piece() const noexcept {
  return pieces_alone_ >= enough_alone ? std::min(most_, grown * most_apart_) : most_apart_;
}

void FrameQueue::make_piece(const Frame& frame) {
  const bool is_first = frame.sent == 0;
  const std::size_t most = frame.place == place_in_order ? most_ : most_of_apart_piece();
  detail::FrameWriter out(piece_);
  out.byte(static_cast<std::uint8_t>(is_first ? first_piece : next_piece));
  out.byte(frame.place);
  if (is_first) {
    out.number(frame.head.size());
    out.number(frame.left());
  }
  const std::size_t marks = piece_.size();
  const std::size_t of_head = std::min(frame.sent, frame.head.size());
  const ByteSpan head = up_to(most - marks, ByteSpan(frame.head).subspan(of_head));
  piece_.insert(piece_.end(), head.begin(), head.end());
  const ByteSpan body =
      up_to(most - piece_.size(), frame.content.bytes().subspan(frame.sent - of_head));
  piece_.insert(piece_.end(), body.begin(), body.end());
  next_bytes_ = piece_.size() - marks;
}

void FrameQueue::gone() {
  Frame& frame = frame_of_next();
  is_next_known_ = false;
  frame.sent += next_bytes_;
  bytes_ -= next_bytes_;
  bytes_since_piece_ = is_next_apart_ ? 0 : bytes_since_piece_ + next_bytes_;
  pieces_alone_ = is_next_apart_ ? pieces_alone_ + 1 : 0;
  const bool is_all = frame.left() == 0;
  if (!is_next_apart_) {
    if (!is_all) return;
    in_order_.pop_front();
    ++gone_;
    return;
  }
  if (is_all) going_.erase(going_.begin() + static_cast<std::ptrdiff_t>(turn_));
  else ++turn_;
  if (turn_ >= going_.size()) turn_ = 0;
  if (is_all) let_others_go();
}

void FrameQueue::clear() {
  gone_ += in_order_.size();
  in_order_.clear();
  begin_apart_anew();
  is_next_known_ = false;
  bytes_since_piece_ = bytes_ = 0;
}

void FrameQueue::begin_apart_anew() {
  if (is_next_apart_) is_next_known_ = false;
  for (const Frame& frame : going_) bytes_ -= frame.left();
  bytes_ -= bytes_behind_;
  bytes_behind_ = turn_ = 0;
  going_.clear();
  behind_.clear();
}

}  // namespace coracle::society
