#include "way.hpp"

#include "runtime/frames.hpp"

#include <algorithm>
#include <utility>

namespace coracle::society {

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
  wanted_ = 0;
}

bool Way::send(ByteSpan head, const Content& content) {
  if (link_ == nullptr) return true;
  touch();
  const std::size_t size = head.size() + content.size();
  if (waiting_.empty() && size <= piece_ && pass(head, content)) return true;
  if (size <= piece_) {
    keep({head.begin(), head.end()}, content);
  } else {
    cut(head, content);
  }
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

void Way::keep(Bytes head, const Content& content) {
  waiting_bytes_ += head.size() + content.size();
  waiting_.push_back({std::move(head), content});
}

void Way::cut(ByteSpan head, const Content& content) {
  const ByteSpan body = content.bytes();
  Bytes piece;
  detail::FrameWriter out(piece);
  out.byte(static_cast<std::uint8_t>(first_piece));
  out.number(head.size());
  out.number(head.size() + body.size());
  for (ByteSpan part : {head, body}) {
    while (!part.empty()) {
      const std::size_t taken = std::min(part.size(), piece_ - piece.size());
      piece.insert(piece.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(taken));
      part = part.subspan(taken);
      if (piece.size() < piece_) continue;
      keep(std::exchange(piece, {next_piece}), {});
    }
  }
  if (piece.size() > 1) keep(std::move(piece), {});
}

bool Way::on_credit() {
  if (link_ == nullptr) return true;
  while (!waiting_.empty()) {
    const Waiting& next = waiting_.front();
    touch();
    if (!pass(next.head, next.content)) return false;
    waiting_bytes_ -= next.head.size() + next.content.size();
    waiting_.pop_front();
  }
  return true;
}

Way::Got Way::take(const net::Arrived& message) {
  if (message.header.empty()) return Got::nonsense;
  const std::byte first = message.header.front();
  if (first != first_piece && first != next_piece) {
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
    wanted_ = in.number_up_to(most_);
    if (!in.ok() || head_size_ == 0 || head_size_ > wanted_) return Got::nonsense;
    data = data.last(in.left());
    assembled_.clear();
  }
  if (data.size() > wanted_ - assembled_.size()) return Got::nonsense;
  assembled_.insert(assembled_.end(), data.begin(), data.end());
  if (assembled_.size() < wanted_) return Got::part;
  wanted_ = 0;
  head_ = ByteSpan(assembled_).first(head_size_);
  content_ = ByteSpan(assembled_).subspan(head_size_);
  return Got::frame;
}

void Way::release(std::size_t bytes) {
  if (link_ == nullptr) return;
  session_->release(session_->life(), way_lane, bytes);
  touch();
}

}  // namespace coracle::society
