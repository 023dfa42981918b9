// The common base of the roles of this layer: an agent that takes part in protocols, and whose
// handlers run beside the loop that reads its messages. Tests: tests/contracts/slow_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/caf/common/handlers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace coracle::caf {

// Returns whether `type` is the content type of one of the types Said.
template <class... Said>
constexpr bool is_type_of(std::string_view type) noexcept {
  return ((type == Said::content_type) || ...);
}

// The base of roles with handlers. An agent that has several roles has one Participant, so that the
// handlers of all roles run one after another, in the order of their messages. A handler may wait
// as long as it likes: leases, deadlines and other conversations of the agent continue meanwhile.
// Messages that are not for its roles stay in the mailbox, where the handler may receive them. A
// handler that computes for long passes the computation to compute(); otherwise it blocks its
// worker.
class Participant : public virtual Agent {
 protected:
  Participant() noexcept : handlers_(*this, [this] { return wake(); }) {}

  // Makes run() read no more messages, and return once all handlers of the messages read so far
  // have ended.
  void retire();

  // Runs a handler when its turn comes; at once if no handler runs.
  void in_turn(Task<> handler) { handlers_.run(std::move(handler)); }
  // The same for a function, which owns copies of everything that it needs.
  template <class Function>
  void call_in_turn(Function function) {
    if (handlers_.is_free()) function();
    else handlers_.run(as_task(std::move(function)));
  }
  // Returns whether a handler would begin at once.
  bool is_free() const noexcept { return handlers_.is_free(); }
  // The number of waiting handlers from which on why_no_turn() gives a reason.
  static constexpr std::size_t handlers_limit = 1000;
  // Returns the reason why no further handler should wait; empty if it may.
  std::string_view why_no_turn() const noexcept;

  // --- for the loop of a role ---

  // Returns whether run() should return now.
  bool is_over() const noexcept { return retired_ && handlers_.is_free(); }
  // The kind of a message for a role.
  enum class Kind : std::uint8_t {
    foreign,  // not for the role: a handler that waits may want it
    ordinary,
    urgent,  // the protocol cannot wait for the handlers before it
    wake,    // the loop should check its state again
  };
  // Returns the next message that can be read while handlers run; `kind_of` gives the kind of a
  // content type. An empty message means that the caller should check again whether handlers run.
  // Foreign messages that came before the returned message are passed to `deal`, a task, in turn,
  // unless a handler has received them by then.
  template <class KindOf, class Deal>
  Task<Message> receive_meanwhile(KindOf kind_of, Deal deal) {
    passed_ = 0;
    const Kind least = least_to_read();
    Match match = that([this, kind_of, least](const MessageView& message) {
      const Content content = message.content();
      const Kind kind = is_wake(content) ? Kind::wake : kind_of(content.type());
      if (kind == Kind::foreign) ++passed_;
      return kind >= least;
    });
    std::optional<Message> found = co_await receive(std::move(match), look_again());
    Message message;
    if (found) message = std::move(*found);
    if (!message || is_wake(message.content())) co_return message;
    // Some of these messages may have a turn already.
    const std::size_t passed = passed_;
    for (std::size_t i = foreign_turns_; i < passed && has_room(); ++i) {
      ++foreign_turns_;
      in_turn(deal_with_foreign(kind_of, deal));
    }
    co_return message;
  }
  // Notes whether the loop waits for a message, so that retire() and wake() wake it.
  void set_waits(bool waits) noexcept { waits_ = waits; }
  // Wakes the loop. If there is no room for the message that does so, the mailbox has enough
  // messages to wake the loop.
  Task<> wake();
  // Returns whether `content` is that of the message by which wake() wakes the loop.
  static bool is_wake(const Content& content) noexcept;

 private:
  template <class KindOf, class Deal>
  Task<> deal_with_foreign(KindOf kind_of, Deal deal) {
    --foreign_turns_;
    Match match = that([kind_of](const MessageView& message) {
      const Content content = message.content();
      return !is_wake(content) && kind_of(content.type()) == Kind::foreign;
    });
    std::optional<Message> message = try_receive(std::move(match));
    if (!message) co_return;
    if (passed_ > 0) --passed_;
    Task<> task = deal(std::move(*message));
    co_await std::move(task);
  }
  Kind least_to_read() const noexcept;
  // Returns whether messages that can wait are given a turn; otherwise they stay in the mailbox.
  bool has_room() const noexcept;
  static Deadline look_again();

  template <class Function>
  static Task<> as_task(Function function) {
    function();
    co_return;
  }

  Handlers handlers_;
  std::size_t passed_ = 0;         // foreign messages that the loop has left in the mailbox
  std::size_t foreign_turns_ = 0;  // the foreign messages for which a handler waits
  bool retired_ = false;
  bool waits_ = false;
};

}  // namespace coracle::caf
