// The agents of one worker that move to another worker or come from there (relocation.cpp).
#pragma once

#include "runtime/mailbox/mailbox.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace coracle::detail {

class Relocation {
 public:
  Relocation(Worker& worker, bool balances) noexcept : worker_(worker), tracks_(balances) {}

  // Moves a mailbox and its agent to another worker; false when they have to stay for now.
  bool move_out(Mailbox& mailbox, Worker& to) noexcept;
  void on_marker(Mailbox& mailbox, MessageRecord* marker) noexcept;
  // Holds a message back that other messages from the worker `from` have to precede; false when
  // there are none.
  bool hold_back(Mailbox& mailbox, MessageRecord* record, unsigned from) noexcept;
  // Messages, and copies, that are held back.
  std::uint64_t held_back() const noexcept { return held_back_; }
  std::uint64_t held_copies() const noexcept { return held_copies_; }

  // Notes that an agent received a message: an idle one can be moved.
  void note_received(Mailbox& target, Mailbox* source) noexcept {
    if (tracks_) lately_[lately_next_++ % lately_size] = {&target, source};
  }
  // At the end of a turn: notes whether work is left for the next one.
  void note_load(bool is_left) noexcept;
  // May be called from any thread. Returns whether the worker waits for something to do.
  bool is_resting() const noexcept { return resting_.load(std::memory_order_relaxed); }
  void set_resting(bool rests) noexcept { resting_.store(rests, std::memory_order_relaxed); }

 private:
  bool may_move(Mailbox& mailbox) noexcept;
  void send_marker(Mailbox& mailbox, Worker& old_home) noexcept;
  void count_held(const MessageRecord& record, int change) noexcept;
  void balance() noexcept;

  Worker& worker_;
  const bool tracks_;
  // The agents that lately received a message, each with its sender.
  static constexpr std::size_t lately_size = 32;
  std::array<std::pair<Mailbox*, Mailbox*>, lately_size> lately_{};
  std::size_t lately_next_ = 0;
  unsigned saturated_ = 0;  // turns that left work for the next one, in a row
  std::atomic<bool> resting_{false};
  std::uint64_t held_back_ = 0, held_copies_ = 0;
};

}  // namespace coracle::detail
