// Agents that call functions of the program, and serve the calls that these functions make.
#pragma once

#include "base/convert.hpp"
#include "base/objects.hpp"
#include "base/shown.hpp"
#include "question.hpp"

#include "coracle/agent.hpp"

#include <any>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace coracle::c {

// The part of such an agent that coracle_agent_* functions use.
class Acting {
 public:
  Acting() noexcept;
  Acting(const Acting&) = delete;

  // Sends at once if that takes no wait and if nothing waits already; otherwise later, in order.
  void send(const coracle_post& post);
  // The same with the content of the message that the running function was given; NULL: to its
  // sender.
  void pass(const char* to);
  // The same for a reply to that message.
  void reply(const coracle_message* request, const Content& content);
  // The program wants the agent to end; with a failure, as one that failed.
  virtual void end(const char* failure) = 0;
  // Makes the shown message one that outlives the function.
  virtual std::shared_ptr<MessageObject> keep() = 0;

  // A handle that is compared, and never looked up: the table has none of generation 0.
  coracle_agent* self() const noexcept {
    return reinterpret_cast<coracle_agent*>(std::uintptr_t{number_} << 1 | 1U);
  }
  std::uint32_t number() const noexcept { return number_; }

 protected:
  ~Acting() = default;
  virtual Agent& agent() noexcept = 0;
  // A send is left to do, and others must wait for it.
  virtual void on_unsent() {}
  bool has_unsent() const noexcept { return !unsent_.empty(); }
  // Does the first of what is left to do.
  Task<> send_next();

  // A call of a function, as long as this object exists; `here` is what the function is shown.
  class Call {
   public:
    explicit Call(const Inside& here) noexcept : before_(inside) { inside = &here; }
    Call(const Call&) = delete;
    ~Call() { inside = before_; }

   private:
    const Inside* const before_;
  };

 private:
  using Sends = std::function<Task<>(Agent&)>;
  // Returns false if that takes a wait; then the content is still there.
  bool send_now(Address to, Content& content, Conversation conversation);
  void send_later(Post post);
  void do_later(Sends what);

  const std::uint32_t number_;
  std::deque<Sends> unsent_;
};

// The same for a role: its coroutine asks the program, and continues with the answer.
class RoleActing : public Acting {
 public:
  void end(const char* failure) override;
  std::shared_ptr<MessageObject> keep() override;

 protected:
  ~RoleActing() = default;
  void on_unsent() override;
  // Ends the role in order, unless there is an obstacle.
  virtual void retire_role() = 0;
  virtual const char* obstacle_to_retire() const noexcept { return nullptr; }
  // Ends the role by that failure. By default, the present function of the role throws.
  virtual void fail_role(const std::string& why);

  // Calls a function that gives no answer; the function may be NULL.
  template <class... Given, class... Args>
  void call(void (*function)(coracle_agent*, Given...), Args... args) {
    if (function == nullptr) return;
    {
      const Inside here{this, &agent(), self()};
      const Call called(here);
      function(self(), args...);
    }
    throw_failure();
  }
  // Calls a function that must answer, and waits for the answer to the question.
  using Show = std::function<void(coracle_agent*, coracle_question*)>;
  Task<> ask(QuestionPtr question, Show function);
  // The same, about something and with an answer of type T.
  template <class T>
  Task<T> ask_for(const char* how, std::shared_ptr<const void> about, Show function) {
    const auto question = std::make_shared<Question>(typeid(T), how, std::move(about));
    Task<> asking = ask(question, std::move(function));
    co_await asking;
    co_return std::any_cast<T>(question->take());
  }

 private:
  Task<> send_all();
  void throw_failure();

  std::string failure_;
};

// A table of functions; its `end` is called when the agent that began with it has ended.
template <class Table>
class Functions {
 public:
  explicit Functions(const Table& table) noexcept : table_(table) {}
  Functions(const Functions&) = delete;
  ~Functions() {
    if (has_begun_ && table_.end != nullptr) table_.end(table_.context);
  }
  void begin() noexcept { has_begun_ = true; }
  const Table* operator->() const noexcept { return &table_; }

 private:
  const Table table_;
  bool has_begun_ = false;
};

// The context of several agents: `end` is called when those that share this object are gone, if any
// of them has begun.
class SharedContext {
 public:
  SharedContext(void (*end)(void*), void* context) noexcept : end_(end), context_(context) {}
  SharedContext(const SharedContext&) = delete;
  ~SharedContext() {
    if (has_begun_ && end_ != nullptr) end_(context_);
  }
  void begin() noexcept { has_begun_ = true; }

 private:
  void (*const end_)(void*);
  void* const context_;
  bool has_begun_ = false;
};
using SharedContextPtr = std::shared_ptr<SharedContext>;

}  // namespace coracle::c
