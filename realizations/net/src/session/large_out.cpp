#include "realizations/net/src/session/large_out.hpp"

#include <algorithm>
#include <cassert>

namespace coracle::net {

Seq LargeOut::append(ByteSpan header, const Content& content) {
  Message message{next_, {}, content, content.bytes()};
  WireWriter writer(message.beginning);
  writer.begin(FrameType::large);
  writer.varint(message.bytes.size());
  writer.bytes(header);
  writer.end();
  bytes_ += message.beginning.size() + message.bytes.size();
  messages_.push_back(std::move(message));
  return next_++;
}

std::size_t LargeOut::gather(std::vector<std::span<const std::byte>>& parts, std::size_t most) {
  std::size_t total = 0;
  while (current_ < messages_.size() && total < most) {
    Message& message = messages_[current_];
    if (!message.begun) {
      message.begun = true;
      given_ = std::max(given_, message.seq);
      parts.emplace_back(message.beginning);
      total += message.beginning.size();
    }
    const auto piece = message.bytes.subspan(message.sent)
                           .first(std::min(max_chunk, message.bytes.size() - message.sent));
    if (!piece.empty()) {
      auto& header = headers_.emplace_back();
      write_frame_header(header.data(), FrameType::chunk, piece.size());
      parts.emplace_back(header);
      parts.push_back(piece);
      message.sent += piece.size();
      total += piece.size();
    }
    if (is_done(message)) ++current_;
  }
  return total;
}

void LargeOut::acknowledge(Seq seq) {
  assert(seq <= given_);
  acknowledged_ = std::max(acknowledged_, seq);
}

void LargeOut::trim() {
  while (!messages_.empty() && messages_.front().seq <= acknowledged_) {
    bytes_ -= messages_.front().beginning.size() + messages_.front().bytes.size();
    messages_.pop_front();
    if (current_ > 0) --current_;
  }
}

std::optional<Seq> LargeOut::rewind(std::uint64_t partial) {
  current_ = 0;
  for (Message& message : messages_) {
    message.begun = false;
    message.sent = 0;
  }
  if (partial == 0) return messages_.empty() ? next_ : messages_.front().seq;
  if (messages_.empty() || partial - 1 >= std::max<std::size_t>(messages_.front().bytes.size(), 1))
    return std::nullopt;
  Message& first = messages_.front();
  if (first.seq > given_) return std::nullopt;
  first.begun = true;
  first.sent = partial - 1;
  return first.seq;
}

}  // namespace coracle::net
