// The write in progress, and the frames without a number that wait for the next one.
#pragma once

#include "coracle/clock.hpp"
#include "realizations/net/src/session/wire.hpp"

#include <span>
#include <vector>

namespace coracle::net {

// At most one write is in progress at a time.
class CurrentWrite {
 public:
  // The frames without a number for the next write.
  std::vector<std::byte>& frames() { return frames_; }
  const std::vector<std::byte>& frames() const { return frames_; }
  // Makes these frames the first part of the next write; returns its parts, for more of them.
  std::vector<std::span<const std::byte>>& collect() {
    parts_.clear();
    written_frames_.swap(frames_);
    frames_.clear();
    if (!written_frames_.empty()) parts_.emplace_back(written_frames_);
    return parts_;
  }
  // Begins the write; returns its parts, which stay valid until it ends.
  const std::vector<std::span<const std::byte>>& begin(Time now) {
    in_progress_ = true;
    began_ = now;
    return parts_;
  }
  // The write has come to an end.
  void finish() {
    in_progress_ = false;
    was_empty_ = parts_.empty();
    written_frames_.clear();
  }
  // The connection has ended.
  void detach() {
    in_progress_ = false;
    frames_.clear();
    written_frames_.clear();
  }

  bool is_in_progress() const { return in_progress_; }
  // The time when the write in progress began.
  Time began() const { return began_; }
  // Returns whether a write without parts was the last one to end, and none has begun since.
  bool is_clear() const { return !in_progress_ && was_empty_; }
  std::size_t memory() const { return frames_.capacity() + written_frames_.capacity(); }

 private:
  std::vector<std::byte> frames_, written_frames_;
  std::vector<std::span<const std::byte>> parts_;
  bool in_progress_ = false;
  bool was_empty_ = false;  // the last write that came to an end had no parts
  Time began_{};
};

}  // namespace coracle::net
