#include "way.hpp"

#include "content_room.hpp"
#include "runtime/frames.hpp"

#include <algorithm>
#include <utility>

namespace coracle::society {

namespace {

ByteSpan up_to(std::size_t bytes, ByteSpan all) { return all.first(std::min(bytes, all.size())); }

}  // namespace

void Turn::touched(Way& way) {
  way.touched_ = true;
  ways_.push_back(&way);
  if (ways_.size() == 1 && begun_) begun_();
}

void Turn::flush() {
  while (!ways_.empty()) {
    Way* const way = ways_.back();
    ways_.pop_back();
    way->touched_ = false;
    net::Link* const link = way->link_;
    if (link == nullptr) continue;
    if (!way->waiting_.empty() && !link->session().is_attached()) link->dial();
    link->flush();
  }
}

void Way::bind(net::Link* link) {
  link_ = link;
  session_ = link != nullptr ? &link->session() : nullptr;
  growing_ = {};
  waiting_.clear();
  waiting_bytes_ = 0;
  assembled_.clear();
  assembled_content_ = {};
  wanted_ = 0;
}

bool Way::send(ByteSpan head, const Content& content) {
  if (link_ == nullptr) return true;
  touch();
  const std::size_t size = head.size() + content.size();
  if (waiting_.empty() && size <= piece_ && pass(head, content)) return true;
  waiting_bytes_ += size;
  waiting_.push_back({{head.begin(), head.end()}, content});
  return on_credit();
}

bool Way::send_together(ByteSpan head, const Content& content) {
  const ByteSpan body = content.bytes();
  const bool is_small = head.size() + body.size() <= small_;
  if (!is_small || link_ == nullptr || !waiting_.empty()) return send(head, content);
  std::byte* const room = room_together(together_bytes(head.size(), body.size()));
  if (room == nullptr) return send(head, content);
  touch();
  write_together(room, head, body);
  return true;
}

std::byte* Way::room_together(std::size_t bytes) { return room_behind({&together_mark, 1}, bytes); }

std::byte* Way::room_behind(ByteSpan mark, std::size_t bytes) {
  std::byte* const behind = session_->grow(growing_, bytes, turn_.together());
  return behind != nullptr ? behind : session_->send_growing(growing_, mark, bytes);
}

bool Way::pass(ByteSpan head, const Content& content) {
  return session_->send(way_lane, head, content) != 0;
}

// As much of it as goes out; returns whether that is all.
bool Way::pass(Waiting& next) {
  const std::size_t size = next.left();
  if (next.sent == 0 && size <= piece_) {
    if (!pass(next.head, next.content)) return false;
    waiting_bytes_ -= size;
    return true;
  }
  while (next.left() != 0) {
    Bytes piece;
    detail::FrameWriter out(piece);
    out.byte(static_cast<std::uint8_t>(next.sent == 0 ? first_piece : next_piece));
    if (next.sent == 0) {
      out.number(next.head.size());
      out.number(next.left());
    }
    const std::size_t of_head = std::min(next.sent, next.head.size());
    const ByteSpan head = up_to(piece_ - piece.size(), ByteSpan(next.head).subspan(of_head));
    piece.insert(piece.end(), head.begin(), head.end());
    const ByteSpan body =
        up_to(piece_ - piece.size(), next.content.bytes().subspan(next.sent - of_head));
    piece.insert(piece.end(), body.begin(), body.end());
    if (!pass(piece, {})) return false;
    next.sent += head.size() + body.size();
    waiting_bytes_ -= head.size() + body.size();
  }
  return true;
}

bool Way::on_credit() {
  if (link_ == nullptr) return true;
  while (!waiting_.empty()) {
    touch();
    if (!pass(waiting_.front())) return false;
    waiting_.pop_front();
  }
  return true;
}

Way::Got Way::take(const net::Arrived& message) {
  if (message.header.empty()) return Got::nonsense;
  const std::byte first = message.header.front();
  came_whole_ = first != first_piece && first != next_piece;
  if (came_whole_) {
    if (wanted_ != 0) return Got::nonsense;
    head_ = message.header;
    content_ = message.content;
    return Got::frame;
  }
  ByteSpan data = message.header.subspan(1);
  if ((first == first_piece) != (wanted_ == 0) || !message.content.empty()) return Got::nonsense;
  if (wanted_ == 0) {
    detail::FrameReader in(data);
    head_size_ = in.number();
    wanted_ = in.number_up_to(largest_frame);
    if (!in.ok() || head_size_ == 0 || head_size_ > std::min(wanted_, most_)) return Got::nonsense;
    data = data.last(in.left());
    assembled_.clear();
    assembled_content_ = {};
    came_ = filled_ = 0;
  }
  if (data.size() > wanted_ - came_) return Got::nonsense;
  came_ += data.size();
  assemble(data);
  if (came_ < wanted_) return Got::part;
  const bool is_too_large = std::exchange(wanted_, 0) > most_;
  head_ = assembled_;
  content_ = assembled_content_.bytes();
  return is_too_large ? Got::too_large : Got::frame;
}

// The content goes where it stays: what is large is not copied at once when it is complete, since
// this thread has more to do.
void Way::assemble(ByteSpan data) {
  const ByteSpan of_head = up_to(head_size_ - assembled_.size(), data);
  assembled_.insert(assembled_.end(), of_head.begin(), of_head.end());
  data = data.subspan(of_head.size());
  if (data.empty() || wanted_ > most_) return;
  if (filled_ == 0) assembled_content_ = detail::content_with_room(wanted_ - head_size_);
  std::copy(data.begin(), data.end(),
            detail::room_in(assembled_content_).begin() + static_cast<std::ptrdiff_t>(filled_));
  filled_ += data.size();
}

void Way::release(std::size_t bytes) {
  if (link_ == nullptr) return;
  session_->release(session_->life(), way_lane, bytes);
  touch();
}

}  // namespace coracle::society
