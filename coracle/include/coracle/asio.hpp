// Agents for programs that are built on Boost.Asio: what an agent does ends by a completion token,
// such as a callback, asio::use_future or asio::use_awaitable. The only header of the library that
// includes Boost, and none of the others includes it: link what Asio needs yourself.
#pragma once

#include "coracle/node.hpp"

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/system_executor.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

namespace coracle {

namespace detail {

template <class T>
struct Completion;
template <class T>
struct Completion<Task<T>> {
  using Result = T;
  using Signature = void(std::exception_ptr, T);
};
template <>
struct Completion<Task<void>> {
  using Result = void;
  using Signature = void(std::exception_ptr);
};

// What is owed to a completion handler, exactly once. Its executor has work until then.
template <class Result, class Handler>
class Owed {
 public:
  explicit Owed(Handler handler)
      : executor_(boost::asio::prefer(
            boost::asio::get_associated_executor(handler, boost::asio::system_executor()),
            boost::asio::execution::outstanding_work.tracked)),
        handler_(std::move(handler)) {}

  template <class... Results>
  void pay(std::exception_ptr error, Results... results) {
    if (paid_.exchange(true)) return;
    const auto executor = std::move(executor_);  // its work ends here
    boost::asio::post(executor, [handler = std::move(handler_), error = std::move(error),
                                 ... results = std::move(results)]() mutable {
      std::move(handler)(std::move(error), std::move(results)...);
    });
  }
  void fail(std::exception_ptr error) {
    if constexpr (std::is_void_v<Result>) pay(std::move(error));
    else pay(std::move(error), Result());
  }
  // The agent has been made, or is no more. When it is no more before its maker knows that it was
  // made, the maker knows better why.
  void on_made() {
    if (stage_.exchange(made) == ended) fail_early();
  }
  void on_end() {
    if (stage_.exchange(ended) == made) fail_early();
  }

 private:
  enum Stage : unsigned { making, made, ended };

  void fail_early() {
    if (paid_.load()) return;
    fail(std::make_exception_ptr(
        Error(Errc::stopped,
              "the agent ended before its work did: the node was stopped, or "
              "another agent has taken over its name")));
  }

  using Executor = boost::asio::associated_executor_t<Handler, boost::asio::system_executor>;
  std::decay_t<decltype(boost::asio::prefer(std::declval<Executor>(),
                                            boost::asio::execution::outstanding_work.tracked))>
      executor_;
  Handler handler_;
  std::atomic<bool> paid_{false};
  std::atomic<Stage> stage_{making};
};

// Does `body` and pays what is owed.
template <class Body, class Owed>
class Errand final : public Agent {
 public:
  Errand(Body body, std::shared_ptr<Owed> owed) : body_(std::move(body)), owed_(std::move(owed)) {}
  ~Errand() override { owed_->on_end(); }

  Task<> run() override {
    std::exception_ptr error;
    try {
      auto task = body_(*this);
      if constexpr (std::is_same_v<decltype(task), Task<>>) {
        co_await task;
        owed_->pay(nullptr);
      } else {
        auto result = co_await task;
        owed_->pay(nullptr, std::move(result));
      }
    } catch (...) {
      error = std::current_exception();
    }
    if (error) owed_->fail(std::move(error));
  }

 private:
  Body body_;
  std::shared_ptr<Owed> owed_;
};

}  // namespace detail

// Makes an agent that does `body`, a function from Agent& to Task<T>, and ends. Completes with
// (std::exception_ptr, T), or (std::exception_ptr) when T is void, on the handler's executor: with
// what left `body`, with what kept the agent from being made, as Node::adopt() says, or with
// Errc::stopped. When there is an error, T is default-constructed. No thread waits meanwhile,
// except shortly for the name. Give values, not a Message, which must not outlive its node.
template <class Body, class CompletionToken>
auto async_act(Node& node, AgentSpec spec, Body body, CompletionToken&& token) {
  using Made = detail::Completion<std::invoke_result_t<Body&, Agent&>>;
  const auto initiate = [&node](auto handler, AgentSpec who, Body what) {
    using Owed = detail::Owed<typename Made::Result, decltype(handler)>;
    const auto owed = std::make_shared<Owed>(std::move(handler));
    try {
      node.adopt(std::move(who),
                 std::make_unique<detail::Errand<Body, Owed>>(std::move(what), owed));
    } catch (...) {
      return owed->fail(std::current_exception());
    }
    owed->on_made();
  };
  return boost::asio::async_initiate<CompletionToken, typename Made::Signature>(
      initiate, token, std::move(spec), std::move(body));
}

}  // namespace coracle
