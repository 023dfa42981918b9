// One call to several agents: a small coroutine waits for each reply, and one waits for their
// results.
#include "coracle/detail/calling.hpp"
#include "coracle/support/signal.hpp"
#include "runtime/node/node_core.hpp"

#include <deque>

namespace coracle::detail {

namespace {

class Gathering {
 public:
  Gathering(Agent& me, rpc::Collect rule, std::size_t count,
            bool (*is_empty)(const CallBase&, Message&))
      : me_(me), rule_(rule, count), is_empty_(is_empty) {}
  Gathering(const Gathering&) = delete;
  ~Gathering() {
    for (One& one : ones_) one.stop();
  }

  void ask(const Name& whom, const Content& call, std::string_view function, Deadline deadline) {
    One& one = ones_.emplace_back(me_, me_.find(whom), deadline, call, function);
    one.call.do_not_block();
    one.frame = await_one(ones_.size() - 1).release();
    one.frame.promise().set_root(one);
    one.frame.resume();
  }
  bool over() const noexcept { return rule_.over(); }

  // Waits until the collection is over, or until the call has ended that the agent is registered as
  // waiting for. Then another call must take its place, so that a circle of waiting agents is found
  // whichever agents are in it.
  Task<> something() {
    changed_.emplace();
    const Signal changed = *changed_;
    for (One& one : ones_) {
      if (one.ended || one.call.ended()) continue;
      awaited_ = &one;
      one.call.block();
      break;
    }
    (void)co_await changed.wait();
  }
  Gathered finish() {
    gathered_.enough = rule_.enough();
    return std::move(gathered_);
  }

 private:
  struct One final : RootTask {
    One(Agent& me, Address whom, Deadline deadline, const Content& what, std::string_view function)
        : call(me, whom, deadline, what, function) {}
    void on_root_done(std::coroutine_handle<> done, std::exception_ptr) noexcept override {
      frame = {};
      ended = true;
      done.destroy();
    }
    void stop() noexcept {
      if (frame) std::exchange(frame, {}).destroy();
    }

    CallBase call;
    Task<>::Handle frame;
    bool ended = false;
  };

  Task<> await_one(std::size_t number) {
    One& one = ones_[number];
    Waits wait{one.call};
    Result<Message> reply = co_await wait;
    on_end(number, std::move(reply));
  }

  struct Waits {
    CallBase& call;
    bool await_ready() const noexcept { return false; }
    bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
      return call.Asking::await_suspend(awaiting);
    }
    Result<Message> await_resume() { return call.take_result(); }
  };

  void on_end(std::size_t number, Result<Message> reply) {
    if (rule_.over()) return;
    One& one = ones_[number];
    one.ended = true;
    if (reply) {
      reply->acknowledge();
      try {
        rule_.on_answer(is_empty_(one.call, *reply));
      } catch (const Error& error) {
        reply = error;
        rule_.on_failure();
      }
    } else {
      rule_.on_failure();
    }
    gathered_.answers.push_back({number, std::move(reply)});
    if (!rule_.over() && awaited_ != &one) return;
    if (changed_) changed_->set();
    changed_.reset();
  }

  Agent& me_;
  rpc::Collecting rule_;
  bool (*const is_empty_)(const CallBase&, Message&);
  std::deque<One> ones_;
  One* awaited_ = nullptr;
  std::optional<Signal> changed_;
  Gathered gathered_;
};

}  // namespace

Task<Gathered> gather(Agent& me, const std::vector<Name>& whom, Content call,
                      std::string_view function, rpc::Collect rule, Deadline deadline,
                      bool (*is_empty)(const CallBase&, Message&)) {
  if (deadline.is_set()) deadline = Deadline(deadline.at(me.now()));
  Gathering gathering(me, rule, whom.size(), is_empty);
  for (const Name& each : whom) {
    if (!gathering.over()) gathering.ask(each, call, function, deadline);
  }
  while (!gathering.over()) co_await gathering.something();
  co_return gathering.finish();
}

}  // namespace coracle::detail
