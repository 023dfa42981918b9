// The caller's half of remote calls: a call is a request with a typed reply.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/collecting.hpp"
#include "coracle/detail/access.hpp"
#include "coracle/detail/call_content.hpp"
#include "coracle/result.hpp"
#include "coracle/stream.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::rpc {

// The options of all calls of a stub.
struct CallOptions {
  // The time for which a reply is useful; zero: for ever.
  Duration within{};
  // The number of items of a stream that come at a time; larger batches are faster, but each item
  // comes later.
  std::uint32_t batch = 1;
};

}  // namespace coracle::rpc

namespace coracle::detail {

// The target of a stub's calls.
struct CallLine {
  CallLine(Agent& agent, Target whom, const rpc::CallOptions& settings)
      : me(agent),
        name(whom.address() ? whom.address().name() : Name(whom.text())),
        address(whom.address()),
        options(settings) {}
  Address who() {
    if (!address) address = me.find(name);
    return address;
  }
  Deadline deadline() const noexcept {
    return options.within > Duration::zero() ? Deadline(options.within) : Deadline();
  }

  Agent& me;
  const Name name;
  Address address;  // of the name, once it was needed
  const rpc::CallOptions options;
};

// One call, whatever its types.
class CallBase : public Asking {
 public:
  CallBase(CallLine& line, Deadline deadline, Content call, std::string_view function)
      : CallBase(line.me, line.who(), deadline, std::move(call), function) {}
  CallBase(Agent& me, Address whom, Deadline deadline, Content call, std::string_view function);

  static void* operator new(std::size_t bytes) { return pool_allocate(bytes); }
  static void operator delete(void* call, std::size_t bytes) noexcept { pool_free(call, bytes); }

  // Sends the call now; its agent does not wait for the call before it awaits it.
  void begin() noexcept;
  // Returns whether the call has ended; requires begin().
  bool ended() const noexcept { return !linked(); }
  // Awaits a call that has begun. Returns false when there is nothing to wait for.
  bool await_later(std::coroutine_handle<> awaiting) noexcept;
  // Ends the call: a coroutine that awaits it gets Errc::cancelled.
  void cancel() noexcept;
  // Marks the call as one that its agent waits for, or as one that it does not wait for.
  void block() noexcept;
  void do_not_block() noexcept { blocks_ = false; }

  // The reply, which may be a failure.
  Message take_reply();
  // The reply, or the error that explains why there is none.
  Message take();
  Result<Message> take_result();
  // Throws the failure in a reply; returns if the reply is a result.
  void throw_failure_in(Message& reply) const;
  // Throws: the reply is not of the expected type.
  [[noreturn]] void fail_reading(const Error& error) const;
  Message await_resume() { return take(); }

 private:
  Error error_said(Errc errc, const std::string& text) const;
  std::optional<Error> failure_in(const Message& reply) const;

  std::string_view function_;
};

// The value in a reply, valid while the reply lives. A reply that cannot be read is not given back.
template <class What>
const What& read_reply(const CallBase& call, Message& reply) {
  if (const What* held = held_value<What>(Access::record(reply)->content)) return *held;
  try {
    return reply.content().as<What>();
  } catch (const Error& error) {
    reply.acknowledge();
    call.fail_reading(error);
  }
}

// A call that is awaited, and then gives an R.
template <class R, class What>
class [[nodiscard]] Calling : public CallBase {
 public:
  using CallBase::CallBase;
  R await_resume() {
    Message reply = take_reply();
    const What* answer = held_value<What>(Access::record(reply)->content);
    if (answer == nullptr) [[unlikely]] {  // the reply came from another process, or is a failure
      throw_failure_in(reply);
      answer = &read_reply<What>(*this, reply);
    }
    if constexpr (!std::is_void_v<R>) return answer->value;
  }
};

// The same, with the error as a value.
template <class R, class What>
class [[nodiscard]] CallingResult : public CallBase {
 public:
  using CallBase::CallBase;
  Result<R> await_resume() {
    Result<Message> reply = take_result();
    if (!reply) return reply.error();
    try {
      const What& answer = read_reply<What>(*this, *reply);
      if constexpr (std::is_void_v<R>) return {};
      else return answer.value;
    } catch (const Error& error) {
      return error;
    }
  }
};

// Informs a server that its caller does not want the rest of a stream.
class Leaving {
 public:
  explicit Leaving(CallLine& line) noexcept : line_(line) {}
  Leaving(const Leaving&) = delete;
  ~Leaving();

  std::uint64_t stream = 0;  // zero: there is no stream to end

 private:
  CallLine& line_;
};

// Reads a stream to its end, item by item as the caller requests.
template <class What, class T>
rpc::Stream<T> read_stream(CallLine& line, Deadline deadline, Content opening,
                           std::string_view function) {
  if (deadline.is_set()) deadline = Deadline(deadline.at(line.me.now()));
  Leaving leaving(line);
  Content next = std::move(opening);
  for (;;) {
    CallBase call(line, deadline, next, function);
    Message reply = co_await call;
    reply.acknowledge();
    const What& some = read_reply<What>(call, reply);
    leaving.stream = some.ended ? 0 : some.stream;
    for (const T& item : some.items) co_yield item;
    if (some.ended) co_return;
    next = Content::of(More{some.stream, line.options.batch});
  }
}

// The replies of several agents, in the order in which they came.
struct Gathered {
  struct One {
    std::size_t who;
    Result<Message> reply;
  };
  std::vector<One> answers;
  bool enough = false;
};

// Calls all agents of `whom`. `is_empty` returns whether a reply is empty, and throws when it is no
// reply to that call.
Task<Gathered> gather(Agent& me, const std::vector<Name>& whom, Content call,
                      std::string_view function, rpc::Collect rule, Deadline deadline,
                      bool (*is_empty)(const CallBase&, Message&));

}  // namespace coracle::detail
