// Small frames that are sent as one message of the link, a frame batch (decision 0039). The frames
// lie one behind the other, each behind its size and the size of its head.
#pragma once

#include "coracle/support/bytes.hpp"

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace coracle::society {

using ByteSpan = std::span<const std::byte>;

// The largest frame in a batch, and the largest batch; a larger frame is sent by itself.
inline constexpr std::size_t largest_in_batch = 4096, batch_limit = 16384;

// Returns how many bytes a frame takes in a batch.
inline std::size_t bytes_in_batch(std::size_t head, std::size_t content) {
  return detail::number_bytes(head + content) + detail::number_bytes(head) + head + content;
}

// Writes a frame where there is room for it.
inline void write_in_batch(std::byte* at, ByteSpan head, ByteSpan content) {
  at = detail::write_number(at, head.size() + content.size());
  at = detail::write_number(at, head.size());
  std::memcpy(at, head.data(), head.size());
  if (!content.empty()) std::memcpy(at + head.size(), content.data(), content.size());
}

// Appends a frame to those that are there.
inline void append_to_batch(std::vector<std::byte>& all, ByteSpan head, ByteSpan content = {}) {
  const std::size_t before = all.size();
  all.resize(before + bytes_in_batch(head.size(), content.size()));
  write_in_batch(all.data() + before, head, content);
}

// Reads the frames of a batch one after the other.
class FrameBatch {
 public:
  explicit FrameBatch(ByteSpan all) : all_(all), in_(all) {}

  // Returns whether there is another frame; the frame is valid as long as the message is.
  bool next() {
    if (in_.left() == 0) return false;
    const std::size_t begin = all_.size() - in_.left();
    const std::uint64_t size = in_.number();
    const std::uint64_t head = in_.number();
    const ByteSpan frame = in_.bytes(size);
    ok_ = in_.ok() && head > 0 && head <= size;
    if (!ok_) return false;
    head_ = frame.first(static_cast<std::size_t>(head));
    content_ = frame.subspan(head_.size());
    whole_ = all_.first(all_.size() - in_.left()).subspan(begin);
    return true;
  }
  // Returns whether everything so far was well-formed.
  bool ok() const { return ok_; }

  ByteSpan head() const { return head_; }
  ByteSpan content() const { return content_; }
  // With its sizes.
  ByteSpan whole() const { return whole_; }

 private:
  ByteSpan all_;
  detail::FrameReader in_;
  ByteSpan head_, content_, whole_;
  bool ok_ = true;
};

}  // namespace coracle::society
