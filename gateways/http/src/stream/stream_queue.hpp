// The texts of a stream that wait for the thread of the loop. Safe to use from every thread.
#pragma once

#include "coracle/http/event_stream.hpp"
#include "io/channel.hpp"
#include "io/loop_state.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace coracle::http {

class StreamQueue {
 public:
  StreamQueue(const StreamOptions& options, std::shared_ptr<LoopState> loop,
              std::weak_ptr<Channel> channel)
      : options_(options), loop_(std::move(loop)), channel_(std::move(channel)) {}
  StreamQueue(const StreamQueue&) = delete;
  ~StreamQueue() { drop_texts(); }

  // --- for the sender ---
  bool push(std::string text);
  void close();
  bool close_with(std::string last);  // there is room for it
  bool is_open() const;
  std::uint64_t dropped() const;
  void on_close(std::function<void()> what);

  // --- for the channel ---
  std::optional<std::string> pop();
  // Returns whether the sender has closed the stream and everything was popped.
  bool is_over() const;
  // The client has left.
  void end();
  // Only streams of events have comments.
  Duration heartbeat() const noexcept {
    return options_.type == "text/event-stream" ? options_.heartbeat : Duration::zero();
  }

 private:
  void announce();
  bool take_room(std::size_t bytes) noexcept;
  std::string take_text();
  void drop_texts() noexcept;
  bool has_room(std::size_t bytes) const noexcept {
    return texts_.size() < options_.queue && bytes <= options_.queue_bytes - bytes_;
  }

  const StreamOptions options_;
  const std::shared_ptr<LoopState> loop_;
  const std::weak_ptr<Channel> channel_;
  mutable std::mutex mutex_;  // guards the members below
  std::deque<std::string> texts_;
  std::size_t bytes_ = 0;
  std::uint64_t dropped_ = 0;
  bool is_closed_ = false;  // by the sender, or by the overflow policy
  bool has_ended_ = false;  // nothing more can be sent, and on_close was called
  bool is_announced_ = false;
  std::function<void()> on_close_;
};

}  // namespace coracle::http
