#include "frame_channel.hpp"

#include <utility>

namespace coracle::society {

void FlushQueue::touched(FrameChannel& channel) {
  channel.touched_ = true;
  channels_.push_back(&channel);
  if (channels_.size() == 1 && begun_) begun_();
}

void FlushQueue::flush() {
  while (!channels_.empty()) {
    FrameChannel* const channel = channels_.back();
    channels_.pop_back();
    channel->touched_ = false;
    net::Link* const link = channel->link_;
    if (link == nullptr) continue;
    if (!channel->queue_.empty() && !link->session().is_attached()) link->dial();
    link->flush();
  }
}

void FrameChannel::bind(net::Link* link) {
  link_ = link;
  session_ = link != nullptr ? &link->session() : nullptr;
  growing_ = {};
  queue_.clear();
  pieces_.forget();
  is_apart_reported_ = true;
}

bool FrameChannel::send(ByteSpan head, const Content& content) {
  if (link_ == nullptr) return true;
  touch();
  const std::size_t size = head.size() + content.size();
  if (queue_.is_in_order_gone() && size <= piece_ && pass(head, content)) {
    queue_.others_went();
    return true;
  }
  queue_.add(head, content);
  on_credit();
  return queue_.is_in_order_gone();
}

bool FrameChannel::send_apart(ByteSpan head, const Content& content, const Apart& apart) {
  if (link_ == nullptr) return true;
  touch();
  last_apart_ = apart.number;
  is_apart_reported_ = false;
  queue_.add_apart(head, content, apart.pair);
  return on_credit();
}

std::optional<std::uint64_t> FrameChannel::take_apart_gone() {
  if (is_apart_reported_ || !queue_.is_apart_gone()) return std::nullopt;
  is_apart_reported_ = true;
  return last_apart_;
}

void FrameChannel::begin_anew(ByteSpan frame) {
  queue_.begin_apart_anew();
  is_apart_reported_ = true;
  send(frame);
}

bool FrameChannel::send_in_batch(ByteSpan head, const Content& content) {
  const ByteSpan body = content.bytes();
  const bool is_small = head.size() + body.size() <= small_;
  if (!is_small || link_ == nullptr || !queue_.is_in_order_gone()) return send(head, content);
  std::byte* const room = room_in_batch(bytes_in_batch(head.size(), body.size()));
  if (room == nullptr) return send(head, content);
  touch();
  queue_.others_went();
  write_in_batch(room, head, body);
  return true;
}

std::byte* FrameChannel::room_in_batch(std::size_t bytes) {
  return room_behind({&batch_mark, 1}, bytes);
}

std::byte* FrameChannel::room_behind(ByteSpan mark, std::size_t bytes) {
  std::byte* const behind = session_->grow(growing_, bytes, flush_queue_.batch_bytes());
  return behind != nullptr ? behind : session_->send_growing(growing_, mark, bytes);
}

bool FrameChannel::pass(ByteSpan head, const Content& content) {
  if (is_apart_piece(head) && !session_->is_clear()) return false;
  return session_->send(head, content) != 0;
}

bool FrameChannel::on_credit() {
  if (link_ == nullptr) return true;
  while (const auto next = queue_.next()) {
    touch();
    if (!pass(next->head, *next->content)) break;
    queue_.gone();
  }
  return has_room();
}

FrameChannel::Got FrameChannel::take(const net::Arrived& message) {
  if (message.header.empty()) return Got::nonsense;
  came_whole_ = !is_piece(message.header);
  head_ = message.header;
  content_ = message.content;
  if (came_whole_) return Got::frame;
  const Got got = pieces_.take(message);
  if (got == Got::frame || got == Got::too_large) head_ = pieces_.head();
  return got;
}

void FrameChannel::release(std::size_t bytes, std::size_t messages) {
  if (link_ == nullptr) return;
  session_->release(bytes, messages);
  touch();
}

}  // namespace coracle::society
