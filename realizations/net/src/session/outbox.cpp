#include "realizations/net/src/session/outbox.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace coracle::net {

namespace {

std::byte* put(std::byte* at, ByteSpan bytes) {
  if (!bytes.empty()) std::memcpy(at, bytes.data(), bytes.size());
  return at + bytes.size();
}

}  // namespace

// Returns room for a frame of that size, which gets the next number.
std::byte* Outbox::room(std::size_t bytes) {
  if (blocks_.empty() || blocks_.back().capacity - blocks_.back().size < bytes) {
    if (!blocks_.empty() && blocks_.back().size == 0) {  // the only one: trim() looks at the first
      memory_ -= blocks_.back().capacity;
      blocks_.clear();
      begin_ = 0;
    }
    Block block;
    if (!spare_.empty() && spare_.back().capacity >= bytes) {
      block = std::move(spare_.back());
      spare_.pop_back();
    } else {
      block.capacity = std::max(bytes, blocks_.empty() ? first_block : usual_block);
      block.bytes = std::make_unique_for_overwrite<std::byte[]>(block.capacity);
    }
    memory_ += block.capacity;
    blocks_.push_back(std::move(block));
  }
  Block& block = blocks_.back();
  back_ = &block;
  if (block.size == 0) block.first = next_;
  last_at_ = block.size;
  std::byte* at = block.bytes.get() + block.size;
  block.size += bytes;
  block.last = next_++;
  pending_ += bytes;
  kept_ += bytes;
  return at;
}

std::byte* Outbox::append_room(ByteSpan header, std::size_t content) {
  const std::size_t body = detail::number_bytes(header.size()) + header.size() + content;
  std::byte* at = room(frame_header_bytes + body);
  write_frame_header(at, FrameType::message, body);
  return put(detail::write_number(at + frame_header_bytes, header.size()), header);
}

Seq Outbox::append(ByteSpan header, ByteSpan content) {
  put(append_room(header, content.size()), content);
  return last();
}

void Outbox::gather(std::vector<std::span<const std::byte>>& parts, std::size_t most) {
  std::size_t total = 0;
  while (begin_ < blocks_.size() && total < most) {
    Block& block = blocks_[begin_];
    const std::size_t count = block.size - block.written;
    if (count > 0) {
      parts.emplace_back(block.bytes.get() + block.written, count);
      total += count;
      given_ = std::max(given_, block.last);
      block.written = block.size;
    }
    if (begin_ + 1 == blocks_.size()) break;  // more may still be appended to the last one
    ++begin_;
  }
  pending_ -= total;
}

void Outbox::acknowledge(Seq seq) {
  assert(seq <= given_);
  acknowledged_ = std::max(acknowledged_, seq);
}

void Outbox::trim() {
  while (!blocks_.empty() && blocks_.front().size > 0 && blocks_.front().last <= acknowledged_) {
    Block& front = blocks_.front();
    pending_ -= front.size - front.written;  // acknowledged before it was written again
    kept_ -= front.size;
    front.size = front.written = 0;
    if (blocks_.size() == 1) break;  // the last block is used again
    memory_ -= front.capacity;
    if (front.capacity == usual_block && spare_.size() < most_spare)
      spare_.push_back(std::move(front));
    blocks_.pop_front();
    if (begin_ > 0) --begin_;
  }
}

void Outbox::shed() {
  if (kept_ > 0) return;
  spare_.clear();
  if (memory_ <= first_block) return;
  blocks_.clear();
  back_ = nullptr;
  begin_ = memory_ = 0;
}

Seq Outbox::rewind() {
  pending_ = 0;
  begin_ = 0;
  for (Block& block : blocks_) {
    block.written = 0;
    pending_ += block.size;
  }
  return blocks_.empty() || blocks_.front().size == 0 ? next_ : blocks_.front().first;
}

}  // namespace coracle::net
