// What the roles of this layer have in common: an agent that takes part in protocols, whose
// handlers run beside the loop that reads its messages. Contract: tests/contracts/slow_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/caf/handlers.hpp"

#include <cstddef>
#include <string_view>
#include <utility>

namespace coracle::caf {

// Whether a type of content is that of one of those.
template <class... Said>
constexpr bool is_type_of(std::string_view type) noexcept {
  return ((type == Said::content_type) || ...);
}

// The base of roles with handlers. An agent that has several roles has one of these, so that the
// handlers of all of them run one after another, in the order of their messages. A handler may wait
// as long as it likes: leases, deadlines and other conversations of the agent go on meanwhile. One
// that computes for long gives that to compute(), since it holds up its worker otherwise.
class Participant : public virtual Agent {
 protected:
  Participant() noexcept : handlers_(*this) {}

  // Its run() reads no more, and returns once all handlers of what it has read have ended.
  void retire();

  // Runs a handler when its turn comes.
  void in_turn(Task<> handler) { handlers_.run(std::move(handler)); }
  // The same of a function, which has copies of all that it needs.
  template <class Function>
  void call_in_turn(Function function) {
    if (handlers_.is_free()) function();
    else handlers_.run(as_task(std::move(function)));
  }
  // Whether a handler would begin at once.
  bool is_free() const noexcept { return handlers_.is_free(); }
  // How many handlers wait for their turn at most.
  static constexpr std::size_t handlers_limit = 1000;
  // Why no further handler should wait; empty: it may.
  std::string_view why_no_turn() const noexcept;

  // --- for the loop of a role ---

  // Whether run() returns now.
  bool is_over() const noexcept { return retired_ && handlers_.is_free(); }
  // Whether the loop reads whatever comes: it does unless many handlers wait, or it retires.
  bool reads_all() const noexcept { return !retired_ && handlers_.waiting() < unread_from; }
  // The next message that fits; nothing when it should be looked again whether all is read.
  Task<Message> receive_meanwhile(Match match);
  // Marks that the loop waits for a message, so that retire() and wake() wake it.
  void set_waits(bool waits) noexcept { waits_ = waits; }
  // Wakes the loop; if there is no room for that, there are messages enough to wake it.
  Task<> wake();
  // Whether that is what woke it.
  static bool is_wake(const Content& content) noexcept;

 private:
  // So many handlers wait before messages that need one stay in the mailbox, with its limit.
  static constexpr std::size_t unread_from = 64;

  template <class Function>
  static Task<> as_task(Function function) {
    function();
    co_return;
  }

  Handlers handlers_;
  bool retired_ = false;
  bool waits_ = false;
};

}  // namespace coracle::caf
