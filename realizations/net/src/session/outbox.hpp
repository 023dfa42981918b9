// The messages that the peer has not yet acknowledged, as the bytes that are written.
#pragma once

#include "realizations/net/src/session/terms.hpp"
#include "realizations/net/src/session/wire.hpp"

#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace coracle::net {

// Frames lie one behind the other in blocks; a block is free when all of it is acknowledged. After
// a reconnection, everything is written again from the beginning of the first block that is left.
// SessionOptions::kept limits the size of the outbox.
class Outbox {
 public:
  // Appends the frame of a message.
  Seq append(ByteSpan header, ByteSpan content);
  // Appends the frame of a message, and returns where its `content` bytes must be written.
  std::byte* append_room(ByteSpan header, std::size_t content);
  // Makes that frame longer by `bytes`, and returns where they must be written. Returns nullptr
  // when the frame is not the last one, was given to the writer, would have more than `most` bytes,
  // or has no room behind it.
  std::byte* grow(Seq seq, std::size_t bytes, std::size_t most) {
    if (seq != last() || seq <= given_ || back_ == nullptr) return nullptr;
    std::byte* const head = back_->bytes.get() + last_at_;
    const FrameHeader frame = read_frame_header(head);
    const std::size_t body = frame.length + bytes;
    if (body > most || back_->capacity - back_->size < bytes) return nullptr;
    write_frame_header(head, FrameType::message, body);
    std::byte* const at = back_->bytes.get() + back_->size;
    back_->size += bytes;
    pending_ += bytes;
    kept_ += bytes;
    return at;
  }

  // The last frame that was appended, given to the writer, acknowledged; 0 for none.
  Seq last() const { return next_ - 1; }
  Seq given() const { return given_; }
  Seq acknowledged() const { return acknowledged_; }
  // The number of bytes that are still to be written.
  std::size_t pending() const { return pending_; }
  // The number of bytes of frames that are held, and of memory for them.
  std::size_t kept() const { return kept_; }
  std::size_t memory() const { return memory_ + spare_.size() * usual_block; }

  // Puts the bytes that are to be written next into `parts`, about `most` bytes.
  void gather(std::vector<std::span<const std::byte>>& parts, std::size_t most);
  // Frames up to `seq`, which has been given, have arrived. Their memory stays until trim().
  void acknowledge(Seq seq);
  // Frees the acknowledged blocks. None of their bytes may be in a write in progress.
  void trim();
  // When the outbox is empty, gives back most of the memory that it keeps for later frames. As
  // trim() otherwise.
  void shed();
  // Makes everything be written again; returns the number of the first frame that is.
  Seq rewind();

 private:
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t capacity = 0, size = 0;
    std::size_t written = 0;  // the bytes that were given to the writer
    Seq first = 0, last = 0;
  };
  static constexpr std::size_t usual_block = 64u << 10, first_block = 4096, most_spare = 4;

  std::byte* room(std::size_t bytes);

  std::deque<Block> blocks_;
  Block* back_ = nullptr;  // the block of the last frame, or nullptr
  std::vector<Block> spare_;
  std::size_t begin_ = 0;    // index of the first not entirely given to the writer
  std::size_t last_at_ = 0;  // the position of the last frame in the last block
  Seq next_ = 1, given_ = 0, acknowledged_ = 0;
  std::size_t pending_ = 0, kept_ = 0, memory_ = 0;
};

}  // namespace coracle::net
