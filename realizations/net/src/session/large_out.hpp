// The messages of the large lane that the peer has not yet acknowledged, and their progress.
#pragma once

#include "coracle/content.hpp"
#include "realizations/net/src/session/terms.hpp"
#include "realizations/net/src/session/wire.hpp"

#include <array>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace coracle::net {

// The messages go one after another, in pieces that are made as they are written; the content is
// shared, not copied. After a reconnection, a message that has arrived in part continues from
// there.
class LargeOut {
 public:
  Seq append(ByteSpan header, const Content& content);

  // The last message that was appended, begun, acknowledged; 0 for none.
  Seq last() const { return next_ - 1; }
  Seq given() const { return given_; }
  Seq acknowledged() const { return acknowledged_; }
  bool is_pending() const { return current_ < messages_.size(); }
  // The number of bytes that are held, shared ones included.
  std::size_t bytes() const { return bytes_; }

  // Puts the next pieces into `parts`, about `most` bytes of content.
  std::size_t gather(std::vector<std::span<const std::byte>>& parts, std::size_t most);
  // Called when nothing of what gather() gave is being written any more.
  void landed() { headers_.clear(); }
  // As in Outbox. trim() may be called only when nothing is being written.
  void acknowledge(Seq seq);
  void trim();
  // Makes all unacknowledged messages be written again, except the part of the first that the peer
  // has: `partial` - 1 bytes, or nothing when `partial` is 0. Returns the number of the first
  // message, or nothing when `partial` is more than there is.
  std::optional<Seq> rewind(std::uint64_t partial);

 private:
  struct Message {
    Seq seq;
    std::vector<std::byte> beginning;  // the frame before the pieces
    Content content;
    ByteSpan bytes;  // the content's bytes
    std::size_t sent = 0;
    bool begun = false;
  };
  bool is_done(const Message& message) const {
    return message.begun && message.sent == message.bytes.size();
  }

  std::deque<Message> messages_;
  std::size_t current_ = 0;  // index of the first not entirely given to the writer
  std::deque<std::array<std::byte, frame_header_bytes>> headers_;  // for the pieces being written
  Seq next_ = 1, given_ = 0, acknowledged_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace coracle::net
