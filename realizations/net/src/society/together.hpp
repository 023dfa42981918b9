// Small frames that go together in one message of the link (decision 0039): one behind the other,
// each behind its size and that of its head.
#pragma once

#include "realizations/net/src/session/wire.hpp"

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace coracle::society {

using ByteSpan = std::span<const std::byte>;

// A larger frame goes by itself; and so much goes together at most.
inline constexpr std::size_t largest_together = 4096, most_together = 16384;

// How many bytes a frame takes there.
inline std::size_t together_bytes(std::size_t head, std::size_t content) {
  return net::varint_bytes(head + content) + net::varint_bytes(head) + head + content;
}

// Puts one where there is room for it.
inline void write_together(std::byte* at, ByteSpan head, ByteSpan content) {
  at = net::write_varint(at, head.size() + content.size());
  at = net::write_varint(at, head.size());
  std::memcpy(at, head.data(), head.size());
  if (!content.empty()) std::memcpy(at + head.size(), content.data(), content.size());
}

// Puts one behind those that are there.
inline void append_together(std::vector<std::byte>& all, ByteSpan head, ByteSpan content = {}) {
  const std::size_t before = all.size();
  all.resize(before + together_bytes(head.size(), content.size()));
  write_together(all.data() + before, head, content);
}

// Reads one after the other.
class Together {
 public:
  explicit Together(ByteSpan all) : all_(all), in_(all) {}

  // Whether there is one more, which is valid as long as the message is.
  bool next() {
    if (in_.left() == 0) return false;
    const std::size_t begin = all_.size() - in_.left();
    const std::uint64_t size = in_.varint();
    const std::uint64_t head = in_.varint();
    const ByteSpan frame = in_.bytes(size);
    ok_ = in_.ok() && head > 0 && head <= size;
    if (!ok_) return false;
    head_ = frame.first(static_cast<std::size_t>(head));
    content_ = frame.subspan(head_.size());
    whole_ = all_.first(all_.size() - in_.left()).subspan(begin);
    return true;
  }
  // Whether all that came made sense.
  bool ok() const { return ok_; }

  ByteSpan head() const { return head_; }
  ByteSpan content() const { return content_; }
  // With its sizes.
  ByteSpan whole() const { return whole_; }

 private:
  ByteSpan all_;
  net::WireReader in_;
  ByteSpan head_, content_, whole_;
  bool ok_ = true;
};

}  // namespace coracle::society
