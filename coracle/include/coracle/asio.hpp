// Agents for programs that are built on Boost.Asio. A long operation ends by a completion token: a
// callback, asio::use_future, asio::deferred or asio::use_awaitable. No thread waits. This is the
// only header of the library that includes Boost, and no other header includes this one: link the
// libraries that Asio needs yourself. No object of Asio is passed into the library, which has an
// Asio of its own.
//
// Each of these functions completes once, by a post to the handler's executor, which has work until
// then. A handler takes (std::exception_ptr, T), or (std::exception_ptr) when there is no T; with
// an error, T is default-constructed. The error is a coracle::Error. If the handler's cancellation
// slot has cancelled the operation, the error is a boost::system::system_error with
// asio::error::operation_aborted. An execution context that is destroyed first destroys its
// handlers uncalled, as it does with Asio's own handlers. When a node stops first, its handlers are
// called with Errc::stopped. A Message must not outlive its node: a message that no handler has
// taken by then goes back to its mailbox.
#pragma once

#include "coracle/detail/asio_result.hpp"
#include "coracle/node.hpp"
#include "coracle/port.hpp"

#include <boost/asio/async_result.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace coracle {

namespace detail {

// An AsioResult that `work` ends: a function from Agent* and Undertaking& to Task<T>.
template <class T, class Handler, class Work>
class AsioWork final : public AsioResult<T, Handler> {
 public:
  AsioWork(Handler handler, Work work)
      : AsioResult<T, Handler>(std::move(handler)), work_(std::move(work)) {}

 private:
  Task<> run(Agent* agent) override {
    auto task = work_(agent, static_cast<Undertaking&>(*this));
    if constexpr (std::is_void_v<T>) {
      co_await task;
    } else {
      auto result = co_await task;
      this->put(std::move(result));
    }
  }

  Work work_;
};

// Runs `work` in the agent of a port, or on a worker of a node.
template <class T, class Where, class Token, class Work>
auto async_work(Where& where, Work work, Token&& token) {
  const auto initiate = [&where](auto handler, Work what) {
    using Operation = AsioWork<T, decltype(handler), Work>;
    const auto operation = std::make_shared<Operation>(std::move(handler), std::move(what));
    operation->prepare();
    FromOutside::begin(where, operation);
  };
  return boost::asio::async_initiate<Token, typename CompletionOf<T>::Signature>(initiate, token,
                                                                                 std::move(work));
}

// A target that outlives the object from which it was made.
class Recipient {
 public:
  explicit Recipient(Target to) : address_(to.address()), name_(to.text()) {}
  Target target() const { return address_ ? Target(address_) : Target(name_); }

 private:
  Address address_;
  std::string name_;
};

template <class T>
struct ResultOf;
template <class T>
struct ResultOf<Task<T>> {
  using Type = T;
};

// An agent that runs `body`, then completes `owed`, and ends. If the agent ends before its maker
// has learned that it was made, the maker reports the reason, which it knows better.
template <class T, class Body, class Owed>
class Errand final : public Agent {
 public:
  Errand(Body body, std::shared_ptr<Owed> owed) : body_(std::move(body)), owed_(std::move(owed)) {}
  ~Errand() override { owed_->on_agent_end(); }

  Task<> run() override {
    std::exception_ptr error;
    try {
      auto task = body_(*this);
      if constexpr (std::is_void_v<T>) {
        co_await task;
      } else {
        auto result = co_await task;
        owed_->put(std::move(result));
      }
    } catch (...) {
      error = std::current_exception();
    }
    owed_->end(std::move(error));
  }

 private:
  Body body_;
  std::shared_ptr<Owed> owed_;
};

// The result that an errand must complete.
template <class T, class Handler>
class OwedErrand final : public AsioResult<T, Handler> {
 public:
  using AsioResult<T, Handler>::AsioResult;

  void on_made() {
    if (stage_.exchange(made) == ended) end_early();
  }
  void on_agent_end() {
    if (stage_.exchange(ended) == made) end_early();
  }

 private:
  enum Stage : unsigned { making, made, ended };
  void end_early() {
    this->end(std::make_exception_ptr(
        Error(Errc::stopped,
              "the agent ended before its work did: the node was stopped, or "
              "another agent has taken over its name")));
  }
  std::atomic<Stage> stage_{making};
};

// Makes the agent of an errand.
template <class Owed>
class MakeErrand final : public Undertaking {
 public:
  MakeErrand(AgentSpec spec, std::unique_ptr<Agent> agent, std::shared_ptr<Owed> owed)
      : Undertaking(false),
        spec_(std::move(spec)),
        agent_(std::move(agent)),
        owed_(std::move(owed)) {}

 private:
  Task<> run(Agent*) override {
    Task<Address> making = FromOutside::make(std::move(spec_), std::move(agent_));
    (void)co_await making;
  }
  void on_end(std::exception_ptr error) noexcept override {
    agent_.reset();
    if (error) owed_->end(std::move(error));
    else owed_->on_made();
    owed_.reset();
  }

  AgentSpec spec_;
  std::unique_ptr<Agent> agent_;
  std::shared_ptr<Owed> owed_;
};

}  // namespace detail

// Opens a node, as its constructor does; completes with std::unique_ptr<Node>. An operation that
// cannot be called back, such as connecting, may go on after it was cancelled, on a thread of the
// library. Its result is closed, and the destruction of the execution context waits for that.
template <class CompletionToken>
auto async_open(Realization realization, NodeOptions options, CompletionToken&& token) {
  using T = std::unique_ptr<Node>;
  const auto initiate = [](auto handler, Realization on, NodeOptions with) {
    using Operation = detail::AsioResult<T, decltype(handler)>;
    const auto operation = std::make_shared<Operation>(std::move(handler));
    operation->prepare([](auto& self) { self.end(detail::aborted()); });
    operation->unfinished()->run([operation, on = std::move(on), with = std::move(with)]() mutable {
      std::exception_ptr error;
      try {
        operation->put(std::make_unique<Node>(std::move(on), std::move(with)));
      } catch (...) {
        error = std::current_exception();
      }
      if (!operation->end(std::move(error))) operation->drop();
    });
  };
  return boost::asio::async_initiate<CompletionToken, typename detail::CompletionOf<T>::Signature>(
      initiate, token, std::move(realization), std::move(options));
}

// The same, with the default options.
template <class CompletionToken>
auto async_open(Realization realization, CompletionToken&& token) {
  return async_open(std::move(realization), NodeOptions(), std::forward<CompletionToken>(token));
}

// Stops a node, as Node::stop() does; completes with its StopReport. This cannot be cancelled. The
// node's destructor waits for the operations that are left.
template <class CompletionToken>
auto async_stop(Node& node, Deadline deadline, CompletionToken&& token) {
  const auto initiate = [&node](auto handler, Deadline until) {
    using Operation = detail::AsioResult<StopReport, decltype(handler)>;
    const auto operation = std::make_shared<Operation>(std::move(handler));
    operation->prepare_uncancelled();
    const auto tell = [operation](std::exception_ptr error, StopReport report) {
      operation->put(std::move(report));
      operation->end(std::move(error));
    };
    detail::FromOutside::stop(node, until, tell);
  };
  return boost::asio::async_initiate<CompletionToken, void(std::exception_ptr, StopReport)>(
      initiate, token, deadline);
}

// Makes an agent, as Node::adopt() does; completes with its Address.
template <class CompletionToken>
auto async_create(Node& node, AgentSpec spec, std::unique_ptr<Agent> agent,
                  CompletionToken&& token) {
  auto work = [spec = std::move(spec), agent = std::move(agent)](
                  Agent*, detail::Undertaking&) mutable -> Task<Address> {
    return detail::FromOutside::make(std::move(spec), std::move(agent));
  };
  return detail::async_work<Address>(node, std::move(work), std::forward<CompletionToken>(token));
}

// Joins the society under a name, as a Port does; completes with std::unique_ptr<Port>. When that
// port is destroyed, it leaves the society without waiting. The loop's threads use the port by the
// functions below, any number of them at once.
template <class CompletionToken>
auto async_port(Node& node, AgentSpec spec, CompletionToken&& token) {
  auto work = [&node, spec = std::move(spec)](
                  Agent*, detail::Undertaking&) mutable -> Task<std::unique_ptr<Port>> {
    return detail::FromOutside::join(node, std::move(spec));
  };
  return detail::async_work<std::unique_ptr<Port>>(node, std::move(work),
                                                   std::forward<CompletionToken>(token));
}

// Sends, as Agent::send() does. If it is cancelled while it waits for room, it sends nothing.
template <class CompletionToken>
auto async_send(Port& port, Target to, Content content, CompletionToken&& token) {
  auto work = [to = detail::Recipient(to), content = std::move(content)](
                  Agent* me, detail::Undertaking& self) mutable -> Task<> {
    detail::Sending sending = me->send(to.target(), std::move(content));
    const detail::MayBeCalledOff may(self, [&sending] { sending.call_off(); });
    co_await sending;
  };
  return detail::async_work<void>(port, std::move(work), std::forward<CompletionToken>(token));
}

// Sends a request, as Agent::ask() does; completes with the reply. When it is cancelled, a request
// that nobody has read yet is withdrawn, and a late reply is dropped.
template <class CompletionToken>
auto async_ask(Port& port, Target whom, Content content, Deadline deadline,
               CompletionToken&& token) {
  auto work = [whom = detail::Recipient(whom), content = std::move(content), deadline](
                  Agent* me, detail::Undertaking& self) mutable -> Task<Message> {
    detail::Asking asking = me->ask(whom.target(), std::move(content), deadline);
    const detail::MayBeCalledOff may(self, [&asking] { asking.call_off(); });
    co_return co_await asking;
  };
  return detail::async_work<Message>(port, std::move(work), std::forward<CompletionToken>(token));
}

// The same, without a deadline.
template <class CompletionToken>
auto async_ask(Port& port, Target whom, Content content, CompletionToken&& token) {
  return async_ask(port, whom, std::move(content), Deadline::never(),
                   std::forward<CompletionToken>(token));
}

// Receives the oldest message that fits, as Agent::receive() does. If it is cancelled, it takes no
// message.
template <class CompletionToken>
auto async_receive(Port& port, Match match, CompletionToken&& token) {
  auto work = [match = std::move(match)](Agent* me,
                                         detail::Undertaking& self) mutable -> Task<Message> {
    detail::Receiving receiving = me->receive(std::move(match));
    const detail::MayBeCalledOff may(self, [&receiving] { receiving.call_off(); });
    co_return co_await receiving;
  };
  return detail::async_work<Message>(port, std::move(work), std::forward<CompletionToken>(token));
}

// The same, for any message.
template <class CompletionToken>
auto async_receive(Port& port, CompletionToken&& token) {
  return async_receive(port, Match(), std::forward<CompletionToken>(token));
}

// The same, with a deadline; completes with std::optional<Message>.
template <class CompletionToken>
auto async_receive(Port& port, Match match, Deadline deadline, CompletionToken&& token) {
  using Maybe = std::optional<Message>;
  auto work = [match = std::move(match), deadline](
                  Agent* me, detail::Undertaking& self) mutable -> Task<Maybe> {
    detail::ReceivingUntil receiving = me->receive(std::move(match), deadline);
    const detail::MayBeCalledOff may(self, [&receiving] { receiving.call_off(); });
    co_return co_await receiving;
  };
  return detail::async_work<Maybe>(port, std::move(work), std::forward<CompletionToken>(token));
}

// Runs `body`, a function from Agent& to Task<T>, in a port's agent; `body` can do everything that
// an agent can do. Completes with T, or with the exception that left `body`. It cannot be cancelled
// once it has begun.
template <class Body, class CompletionToken>
auto async_act(Port& port, Body body, CompletionToken&& token) {
  using T = typename detail::ResultOf<std::invoke_result_t<Body&, Agent&>>::Type;
  auto work = [body = std::move(body)](Agent* me, detail::Undertaking&) mutable -> Task<T> {
    return body(*me);
  };
  return detail::async_work<T>(port, std::move(work), std::forward<CompletionToken>(token));
}

// The same, in an agent that is made for `body` and ends after it. If the agent cannot be made, it
// completes with an error of Node::adopt(). Return values from `body`, not a Message, which belongs
// to that agent.
template <class Body, class CompletionToken>
auto async_act(Node& node, AgentSpec spec, Body body, CompletionToken&& token) {
  using T = typename detail::ResultOf<std::invoke_result_t<Body&, Agent&>>::Type;
  const auto initiate = [&node](auto handler, AgentSpec who, Body what) {
    using Owed = detail::OwedErrand<T, decltype(handler)>;
    const auto owed = std::make_shared<Owed>(std::move(handler));
    owed->prepare_uncancelled();
    auto agent = std::make_unique<detail::Errand<T, Body, Owed>>(std::move(what), owed);
    detail::FromOutside::begin(
        node, std::make_shared<detail::MakeErrand<Owed>>(std::move(who), std::move(agent), owed));
  };
  return boost::asio::async_initiate<CompletionToken, typename detail::CompletionOf<T>::Signature>(
      initiate, token, std::move(spec), std::move(body));
}

}  // namespace coracle
