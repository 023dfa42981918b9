// The function of an interface on the caller's side.
#pragma once

#include "coracle/detail/calling.hpp"
#include "coracle/detail/function.hpp"

#include <concepts>
#include <memory>

namespace coracle::detail {

// The part that Stub connects in each of its functions.
class CallerFunction {
 public:
  void connect(CallLine& line) noexcept {
    line_ = &line;
    deadline_ = line.deadline();
  }

 protected:
  CallLine* line_ = nullptr;
  Deadline deadline_;
};

class CallersFunction {
 public:
  void connect(CallLine& line, const std::vector<Name>& whom, const Name& group) noexcept {
    line_ = &line;
    deadline_ = line.deadline();
    whom_ = &whom;
    group_ = &group;
  }

 protected:
  Task<std::vector<Name>> members() const {
    if (group_->empty()) co_return *whom_;
    const Group group(*group_);
    co_return co_await line_->me.members(group);
  }
  Task<> send_to_all(Content call) const {
    if (group_->empty()) {
      Post post(*whom_, std::move(call));
      co_await line_->me.send(std::move(post));
    } else {
      Post post(Group(*group_), std::move(call));
      co_await line_->me.send(std::move(post));
    }
  }

  CallLine* line_ = nullptr;
  Deadline deadline_;
  const std::vector<Name>* whom_ = nullptr;
  const Name* group_ = nullptr;
};

// Returns whether a result is empty.
template <class T>
bool is_nothing(const T& value) {
  if constexpr (requires {
                  { value.empty() } -> std::convertible_to<bool>;
                })
    return value.empty();
  else if constexpr (requires {
                       { value.has_value() } -> std::convertible_to<bool>;
                     })
    return !value.has_value();
  else return false;
}

template <class Said>
bool says_nothing(const CallBase& call, Message& reply) {
  return is_nothing(read_reply<Said>(call, reply).value);
}

}  // namespace coracle::detail

namespace coracle::rpc {

// A call that is under way while its caller does something else. When it is awaited, once, it gives
// the value.
template <class R, class Said>
class [[nodiscard]] Pending {
 public:
  explicit Pending(std::unique_ptr<detail::Calling<R, Said>> call) noexcept
      : call_(std::move(call)) {
    call_->begin();
  }

  // Returns whether the call has ended, with a value or an error.
  bool ended() const noexcept { return call_->ended(); }
  // Ends the call: it gives Errc::cancelled, and a reply that still comes is dropped.
  void cancel() noexcept { call_->cancel(); }

  class [[nodiscard]] Awaiter {
   public:
    explicit Awaiter(detail::Calling<R, Said>& call) noexcept : call_(&call) {}
    bool await_ready() const noexcept { return call_->ended(); }
    bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
      return call_->await_later(awaiting);
    }
    R await_resume() { return call_->await_resume(); }

   private:
    detail::Calling<R, Said>* call_;
  };
  // Waits for the end of the call.
  Awaiter operator co_await() const noexcept { return Awaiter(*call_); }

 private:
  std::unique_ptr<detail::Calling<R, Said>> call_;
};

// At the caller: co_await stub.function(arguments).
template <detail::Text Name, class R, class... Args>
class Function<AtCaller, Name, R(Args...)> : public detail::CallerFunction {
  using Types = detail::Types<Name, R, Args...>;
  using Said = typename Types::Said;

 public:
  // Await the result for the value. Fails as the head of <coracle/rpc.hpp> describes.
  detail::Calling<R, Said> operator()(std::decay_t<Args>... args) const {
    return {*line_, deadline_, Types::asked(std::move(args)...), Name.view()};
  }
  // Await the result for the value, or for the Error as a value.
  detail::CallingResult<R, Said> result(std::decay_t<Args>... args) const {
    return {*line_, deadline_, Types::asked(std::move(args)...), Name.view()};
  }
  // Calls now, to be awaited later: several calls may be under way.
  Pending<R, Said> begin(std::decay_t<Args>... args) const {
    return Pending<R, Said>(std::make_unique<detail::Calling<R, Said>>(
        *line_, deadline_, Types::asked(std::move(args)...), Name.view()));
  }
  // Calls without a reply; when awaited, it returns as soon as the call is accepted. Fails as
  // Agent::send() does.
  detail::Sending tell(std::decay_t<Args>... args) const {
    return line_->me.send(line_->who(), Types::asked(std::move(args)...));
  }
  // The same function, with a deadline for its reply.
  Function by(Deadline deadline) const {
    Function other = *this;
    other.deadline_ = deadline;
    return other;
  }
};

// At the caller: a function that gives many values. It is called when the first value is requested.
template <detail::Text Name, class T, class... Args>
class Function<AtCaller, Name, Stream<T>(Args...)> : public detail::CallerFunction {
  using Types = detail::StreamTypes<Name, T, Args...>;

 public:
  // The values. Fails in next(); destroy the stream when no more values are wanted.
  Stream<T> operator()(std::decay_t<Args>... args) const {
    Content call = Types::asked(line_->options.batch, std::move(args)...);
    return detail::read_stream<typename Types::Said, T>(*line_, deadline_, std::move(call),
                                                        Name.view());
  }
  // The same function, with a deadline for its last value.
  Function by(Deadline deadline) const {
    Function other = *this;
    other.deadline_ = deadline;
    return other;
  }
};

// The reply of one of several agents.
template <class R>
struct AnswerOf {
  Name who;
  Result<R> result;
};

// The replies of several agents, in the order in which they came.
template <class R>
struct Answers {
  std::vector<AnswerOf<R>> all;
  // The rule was met.
  bool enough = false;
};

// At the caller of several agents.
template <detail::Text Name, class R, class... Args>
class Function<AtCallers, Name, R(Args...)> : public detail::CallersFunction {
  using Types = detail::Types<Name, R, Args...>;
  using Said = typename Types::Said;

 public:
  // Calls each agent and collects replies until there are enough, or can no longer be enough. An
  // agent that fails, or does not reply by the deadline, is in the list with its Error; an agent
  // whose reply is not needed any more is not in the list.
  Task<Answers<R>> operator()(Collect rule, std::decay_t<Args>... args) const {
    return collect(rule, Types::asked(std::move(args)...));
  }
  // Calls each agent without a reply.
  Task<> tell(std::decay_t<Args>... args) const {
    return send_to_all(Types::asked(std::move(args)...));
  }
  // The same function, with a deadline for its replies.
  Function by(Deadline deadline) const {
    Function other = *this;
    other.deadline_ = deadline;
    return other;
  }

 private:
  Task<Answers<R>> collect(Collect rule, Content call) const {
    const Function self = *this;  // `by` makes temporaries
    const std::vector<coracle::Name> whom = co_await self.members();
    detail::Gathered gathered =
        co_await detail::gather(self.line_->me, whom, std::move(call), Name.view(), rule,
                                self.deadline_, detail::says_nothing<Said>);
    Answers<R> answers;
    answers.enough = gathered.enough;
    for (auto& each : gathered.answers) {
      answers.all.push_back({whom[each.who], value_of(std::move(each.reply))});
    }
    co_return answers;
  }
  static Result<R> value_of(Result<Message> reply) {
    if (!reply) return reply.error();
    if constexpr (std::is_void_v<R>) return {};
    else return reply->content().template as<Said>().value;  // the reply was decoded before
  }
};

template <detail::Text Name, class T, class... Args>
class Function<AtCallers, Name, Stream<T>(Args...)> : public detail::CallersFunction {};

}  // namespace coracle::rpc
