// What the roles of this layer have in common: an agent that takes part in protocols, whose
// handlers run beside the loop that reads its messages. Contract: tests/contracts/slow_test.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/caf/handlers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
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
// as long as it likes: leases, deadlines and other conversations of the agent go on meanwhile, and
// messages that are not for its roles stay in the mailbox, where the handler may receive them. One
// that computes for long gives that to compute(), since it holds up its worker otherwise.
class Participant : public virtual Agent {
 protected:
  Participant() noexcept : handlers_(*this, [this] { return wake(); }) {}

  // Its run() reads no more, and returns once all handlers of what it has read have ended.
  void retire();

  // Runs a handler when its turn comes: at once if none runs.
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
  // How a role takes a message.
  enum class Kind : std::uint8_t {
    foreign,  // not at all: a handler that waits may want it
    ordinary,
    urgent,  // the protocol cannot wait for the handlers before it
    wake,    // the loop is to look again
  };
  // The next message that can be read while handlers run; `kind_of` gives the kind of a type.
  // Nothing: it should be looked again whether they run. Foreign messages that came before it are
  // given to `deal`, a task, in turn, unless a handler has received them by then.
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
    // Some may have a turn already.
    const std::size_t passed = passed_;
    for (std::size_t i = foreign_turns_; i < passed && has_room(); ++i) {
      ++foreign_turns_;
      in_turn(deal_with_foreign(kind_of, deal));
    }
    co_return message;
  }
  // Marks that the loop waits for a message, so that retire() and wake() wake it.
  void set_waits(bool waits) noexcept { waits_ = waits; }
  // Wakes the loop; if there is no room for that, there are messages enough to wake it.
  Task<> wake();
  // Whether that is what woke it.
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
  // Whether messages that can wait are given a turn; otherwise they stay in the mailbox.
  bool has_room() const noexcept;
  static Deadline look_again();

  template <class Function>
  static Task<> as_task(Function function) {
    function();
    co_return;
  }

  Handlers handlers_;
  std::size_t passed_ = 0;         // foreign messages that the loop has left in the mailbox
  std::size_t foreign_turns_ = 0;  // for so many, a handler waits
  bool retired_ = false;
  bool waits_ = false;
};

}  // namespace coracle::caf
