// The server's half of remote calls: finds the function, reads its arguments, calls it, replies.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/detail/call_content.hpp"
#include "coracle/stream.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::rpc {

// The order in which calls begin.
enum class Turns : std::uint8_t {
  by_arrival,      // the oldest call is the next one
  one_per_caller,  // the same, but two calls of one caller never overlap, nor overtake each other
};

// The options of a service.
struct ServiceOptions {
  // The number of calls that it works on at the same time; the others wait in the mailbox. Beyond
  // one, a circle of waiting agents through this agent is not detected: give such calls a deadline.
  std::uint32_t at_once = 1;
  Turns turns = Turns::by_arrival;
  // The largest number of open streams, and the time that a stream may be left idle when there are
  // that many.
  std::uint32_t streams = 64;
  Duration stream_patience = std::chrono::seconds(30);
};

// The counts of a service.
struct Served {
  std::uint64_t answered = 0;  // calls that gave a value, items of streams included
  std::uint64_t refused = 0;   // the function threw
  std::uint64_t too_late = 0;  // not begun, because the deadline had passed
  std::uint64_t strange = 0;   // no such function, other arguments, no such stream
};

// The properties of the call that a function receives if it takes `const Incoming&` before its
// arguments.
class Incoming {
 public:
  Incoming(Agent& me, const MessageView& call) noexcept
      : me_(&me), source_(call.source()), deadline_(call.deadline()), asks_(call.is_request()) {}

  // The caller.
  Address source() const noexcept { return source_; }
  // The time until which the reply is useful; pass it on with the calls that this call needs.
  Deadline deadline() const noexcept {
    return deadline_ == Time::max() ? Deadline() : Deadline(deadline_);
  }
  // Returns whether the deadline has passed: nobody waits any more.
  bool expired() const noexcept { return deadline_ != Time::max() && me_->now() >= deadline_; }
  // Returns whether the caller waits for a reply.
  bool wants_answer() const noexcept { return asks_; }

 private:
  Agent* me_;
  Address source_;
  Time deadline_;
  bool asks_;
};

}  // namespace coracle::rpc

namespace coracle::detail {

// A stream at its server.
class OpenStream {
 public:
  virtual ~OpenStream() = default;
  // Returns at most `count` further items, as the content of a reply; sets `ended` after the last.
  virtual Task<Content> pull(std::uint64_t stream, std::uint32_t count, bool& ended) = 0;
};

// The result of handling a call: exactly one of the first three members.
struct Handled {
  Content answer;
  Task<Content> later;
  std::unique_ptr<OpenStream> stream;
  std::uint32_t count = 1;  // the number of items that are wanted at first
};

// One function of a service. `offer` is the service's Function, or the object from which it was
// made.
struct Offered {
  std::string_view content_type;  // of its calls
  const ContentKind* kind = nullptr;
  // The arguments, as they are in the block; throws when the block does not hold them.
  const void* (*read)(ContentBlock* block) = nullptr;
  Handled (*serve)(const void* offer, void* object, const rpc::Incoming& call, const Message& what,
                   const void* arguments) = nullptr;
  // The same as `serve`, for a function that does not wait; else nullptr.
  Content (*answer)(const void* offer, void* object, const rpc::Incoming& call,
                    const void* arguments) = nullptr;
  const void* offer = nullptr;
};

// Serves calls of any functions.
class ServiceCore {
 public:
  ServiceCore(Agent& me, void* object, rpc::ServiceOptions options);
  ServiceCore(const ServiceCore&) = delete;

  void offer(const Offered& function) { functions_.push_back(function); }
  Task<> run();
  void retire() noexcept { retired_ = true; }
  const rpc::Served& served() const noexcept { return served_; }

 private:
  struct Kept {
    Address caller;
    Time since;
    bool is_busy = false;
    bool is_left = false;
    std::unique_ptr<OpenStream> stream;
  };

  // A call that is worked on at the same time as others.
  struct Work {
    Work(Agent& me, Message what) : call(std::move(what)), about(me, call) {}
    Message call;
    const rpc::Incoming about;
    Handled handled;
  };

  bool wants(const MessageView& message) const noexcept;
  const Offered* function_of(const ContentBlock& call) const noexcept;
  enum class AtOnce { no, worked, answered };
  AtOnce work_at_once(const Message& call, const rpc::Incoming& about, Content& answer);
  Task<> serve_one_by_one();
  Task<> serve_several();
  Task<> finish(std::unique_ptr<Work> work);
  Handled begin(const Message& call, const rpc::Incoming& about);
  Handled go_on(const Message& call);
  Handled open(const Message& call, std::unique_ptr<OpenStream> stream, std::uint32_t count);
  Task<Content> pull(std::uint64_t number, std::uint32_t count);
  void leave(const Message& call);
  bool has_room_for_stream();
  Content failed(CallFault fault, std::string text);
  Content outcome_of(const std::exception_ptr& error);
  Task<> answer(const Message& call, Content content);

  Agent& me_;
  void* const object_;
  const rpc::ServiceOptions options_;
  Match calls_;
  std::vector<Offered> functions_;
  std::vector<Address> busy_;  // callers whose calls are being worked on, if callers take turns
  std::map<std::uint64_t, Kept> streams_;
  std::uint64_t last_stream_ = 0;
  std::uint32_t working_ = 0;
  Conversation wake_ = 0;
  bool is_woken_ = false;  // a message of that conversation is under way
  bool retired_ = false;
  rpc::Served served_;
};

}  // namespace coracle::detail
