// A request to a server that waits for its response.
// Tests: gateways/mcp/tests/pending_call_test.cpp
#pragma once

#include "client/words.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/signal.hpp"
#include "coracle/task.hpp"

#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace coracle::mcp {

// Safe to use from every thread; one coroutine waits. A server that sends more notices than anybody
// reads loses them; messages after its response are dropped.
class PendingCall {
 public:
  // The notices that wait, and their memory, about.
  static constexpr std::size_t most_notices = 1000, most_bytes = std::size_t{1} << 20;

  // Waits for the next message, or until the deadline; nothing then. Fails with Errc::disconnected.
  Task<std::optional<FromServer>> next(Time until) {
    for (;;) {
      std::optional<coracle::detail::Signal> signal;
      {
        const std::lock_guard lock(mutex_);
        if (auto first = take_unlocked()) co_return first;
        if (has_ended_) throw Error(Errc::disconnected, "the server of MCP has ended");
        signal = signal_.emplace();
      }
      auto waiting = signal->wait(until);
      const bool is_woken = co_await waiting;
      if (!is_woken) co_return std::nullopt;
    }
  }
  void put(FromServer message) {
    const std::lock_guard lock(mutex_);
    if (is_answered_) return;
    if (message.response) {
      is_answered_ = true;
      response_.emplace(std::move(message));
    } else {
      const std::size_t bytes = bytes_of(message);
      if (notices_.size() >= most_notices || bytes_ + bytes > most_bytes) return;
      bytes_ += bytes;
      notices_.push_back(std::move(message));
    }
    if (signal_) signal_->set();
  }
  // The server has ended.
  void end() {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
    if (signal_) signal_->set();
  }

 private:
  static std::size_t bytes_of(const FromServer& notice) noexcept {
    return notice.method.size() + notice.params.bytes();
  }
  std::optional<FromServer> take_unlocked() {
    if (notices_.empty()) return std::exchange(response_, std::nullopt);
    std::optional<FromServer> first = std::move(notices_.front());
    notices_.pop_front();
    bytes_ -= bytes_of(*first);
    return first;
  }

  std::mutex mutex_;  // guards the members below
  std::deque<FromServer> notices_;
  std::size_t bytes_ = 0;
  std::optional<FromServer> response_;
  std::optional<coracle::detail::Signal> signal_;
  bool is_answered_ = false, has_ended_ = false;
};

}  // namespace coracle::mcp
