// Handlers by type: one read for several types of content, each with its own handler.
//
//   const auto answers = on([&](const Bid& bid) { best = std::min(best, bid.price); },
//                           [&](const Refusal& refusal, const Message& message) { ... });
//   while (co_await answers.receive(*this, deadline)) {}
//
// A handler is a function or a lambda that names the type that it takes: `const T&` is the shared
// value, `T` and `T&&` are copies. Its second parameter, if it has one, is the Message. If the last
// handler takes nothing but a Message, it gets every message that has no handler of its own. A
// handler may be a coroutine: its value lives until it has ended. `on<Bid, Refusal>(...)` and
// `on<std::variant<Bid, Refusal>>(...)` do not compile unless each of these types has a handler.
// With g++ 12, name a set whose lambdas capture objects that own memory before co_await: the
// compiler destroys such temporaries twice.
// Tests: coracle/tests/handlers_by_type_test.cpp, coracle/tests/refused/handlers_by_type.cpp.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/detail/handler_sets.hpp"

namespace coracle {

// A set of handlers, made by on(). It can be used for any number of reads. A named set must outlive
// its reads; the read of a temporary set keeps the set.
template <class... Handlers>
class [[nodiscard]] On {
 public:
  // The type that the results of the handlers have in common; void if they return nothing. The
  // result of a coroutine, or of anything else that can be awaited, is the one that co_await gives.
  using Returned = std::common_type_t<typename detail::Handling<Handlers>::Result...>;
  // The result of a read with a deadline: an optional, which is empty when the deadline passes. If
  // the handlers return nothing: a bool, which is true if there was a message.
  using InTime = std::conditional_t<std::is_void_v<Returned>, bool, std::optional<Returned>>;

  // See on(), which also checks the handlers.
  explicit On(Handlers... handlers) : handlers_(std::move(handlers)...) {}

  // Fits the messages that have a handler: all messages if the last handler takes any.
  static Match match() {
    if constexpr (Set::takes_anything) return {};
    else return matching({std::shared_ptr<void>(), &detail::types_of<Set>});
  }

  // Takes the oldest message that has a handler and fits `also`, calls the handler, and returns its
  // result; waits for a message. Every other message keeps its position. The message is
  // acknowledged when the handler has ended; an exception gives it back, to be redelivered. Fails
  // as Agent::receive() does, with Errc::bad_encoding when the content is no valid encoding of its
  // type, and with the exceptions of the handler.
  Task<Returned> receive(Agent& agent, Match also = {}) const& {
    return read<const On&>(*this, agent, std::move(also));
  }
  // The same, but returns an empty InTime when the deadline passes before there is a message. The
  // deadline is for the message: a handler that waits may end later.
  Task<InTime> receive(Agent& agent, Match also, Deadline deadline) const& {
    return read<const On&>(*this, agent, std::move(also), deadline);
  }
  // The same, for any message that has a handler.
  Task<InTime> receive(Agent& agent, Deadline deadline) const& {
    return read<const On&>(*this, agent, {}, deadline);
  }
  // The same three, for a temporary.
  Task<Returned> receive(Agent& agent, Match also = {}) && {
    return read<On>(std::move(*this), agent, std::move(also));
  }
  // The same, with a deadline.
  Task<InTime> receive(Agent& agent, Match also, Deadline deadline) && {
    return read<On>(std::move(*this), agent, std::move(also), deadline);
  }
  // The same, for any message that has a handler.
  Task<InTime> receive(Agent& agent, Deadline deadline) && {
    return read<On>(std::move(*this), agent, {}, deadline);
  }

  // Calls the handler of a message that was received already, such as the reply of ask(). Fails
  // with Errc::wrong_type when the message has no handler, with Errc::bad_encoding, and with the
  // exceptions of the handler.
  Task<Returned> handle(Message message) const& {
    return read<const On&>(*this, std::move(message));
  }
  // The same, for a temporary.
  Task<Returned> handle(Message message) && {
    return read<On>(std::move(*this), std::move(message));
  }

 private:
  using Set = detail::HandlerSet<Handlers...>;
  using HandingOver = Task<Returned> (*)(std::tuple<Handlers...>&, Message);

  static Match wanted(Match also) {
    if (also.is_any()) return match();
    return Set::takes_anything ? also : also && match();
  }

  template <class Self>
  static Task<Returned> read(Self self, Agent& agent, Match also) {
    Message message = co_await agent.receive(wanted(std::move(also)));
    co_return co_await self.hand_over(std::move(message));
  }
  template <class Self>
  static Task<InTime> read(Self self, Agent& agent, Match also, Deadline deadline) {
    std::optional<Message> message = co_await agent.receive(wanted(std::move(also)), deadline);
    if (!message) co_return InTime();
    Task<Returned> handling = self.hand_over(std::move(*message));
    if constexpr (std::is_void_v<Returned>) {
      co_await handling;
      co_return true;
    } else {
      co_return co_await handling;
    }
  }
  template <class Self>
  static Task<Returned> read(Self self, Message given) {
    Message message = std::move(given);
    co_return co_await self.hand_over(std::move(message));
  }

  Task<Returned> hand_over(Message message) const {
    const std::string_view type = message.content().type();
    const std::size_t index = Set::index_of(type);
    if (index == Set::size) detail::fail_wrong_type(type, Set::names[0]);
    return way_to(index, std::make_index_sequence<Set::size>())(handlers_, std::move(message));
  }
  template <std::size_t... I>
  static HandingOver way_to(std::size_t index, std::index_sequence<I...>) noexcept {
    static constexpr HandingOver ways[] = {[](std::tuple<Handlers...>& handlers, Message message) {
      return detail::hand_over<Returned>(std::get<I>(handlers), std::move(message));
    }...};
    return ways[index];
  }

  // A handler may change what it has captured, also in a const set.
  mutable std::tuple<Handlers...> handlers_;
};

// Makes a set of handlers. If types are listed, as in on<Bid, Refusal>(...), it compiles only if
// each of them has a handler and no handler takes another type. A std::variant in the list stands
// for its alternatives.
template <class... Listed, class... Handlers>
auto on(Handlers... handlers) {
  using Checked = detail::CheckedSet<detail::Flat<Listed...>, Handlers...>;
  constexpr auto numbers = std::index_sequence_for<Handlers...>();
  if constexpr (!(detail::is_good_handler<Handlers>() && ...)) {
    (..., detail::refuse_handler<Handlers>());
    return detail::RefusedHandlers();
  } else if constexpr (!Checked::is_good(numbers)) {
    Checked::refuse(numbers);
    return detail::RefusedHandlers();
  } else {
    return On<Handlers...>(std::move(handlers)...);
  }
}

}  // namespace coracle
