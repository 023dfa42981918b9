// A message of the large lane that is arriving in pieces.
#pragma once

#include "realizations/net/src/session/wire.hpp"

#include <cassert>
#include <cstdint>
#include <vector>

namespace coracle::net {

// The memory grows with the bytes that have come, not with the announced size.
class Inbox {
 public:
  bool is_open() const { return open_; }
  // Begins a message whose content has `total` bytes.
  void begin(ByteSpan header, std::uint64_t total) {
    assert(!open_);
    header_.assign(header.begin(), header.end());
    total_ = total;
    open_ = true;
  }
  // Returns whether a piece of that size may come now.
  bool fits(std::size_t piece) const {
    return open_ && piece > 0 && piece <= total_ - content_.size();
  }
  void add(ByteSpan piece) { content_.insert(content_.end(), piece.begin(), piece.end()); }
  bool is_complete() const { return open_ && content_.size() == total_; }
  // The argument for the peer's LargeOut::rewind(): bytes that have come plus 1, or 0 for no
  // message.
  std::uint64_t partial() const { return open_ ? content_.size() + 1 : 0; }

  ByteSpan header() const { return header_; }
  ByteSpan content() const { return content_; }
  std::size_t bytes() const { return header_.capacity() + content_.capacity(); }
  // Forgets the message, and gives its memory back.
  void clear() {
    header_ = {};
    content_ = {};
    open_ = false;
  }

 private:
  std::vector<std::byte> header_, content_;
  std::uint64_t total_ = 0;
  bool open_ = false;
};

}  // namespace coracle::net
