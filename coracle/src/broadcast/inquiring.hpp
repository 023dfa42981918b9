// One request to several handlers. A small coroutine waits for each handler; the agent waits for
// their results.
#pragma once

#include "broadcast/asking_one.hpp"
#include "coracle/broadcast.hpp"
#include "coracle/support/signal.hpp"

#include <cstddef>
#include <deque>
#include <optional>

namespace coracle::detail {

class Inquiring {
 public:
  Inquiring(Agent& me, rpc::Collect rule, std::size_t count) : me_(me), rule_(rule, count) {}
  Inquiring(const Inquiring&) = delete;
  ~Inquiring();

  // Sends the request to one handler; takes ownership of `question`.
  void ask(MessageRecord* question, Deadline deadline);
  bool over() const noexcept { return rule_.over(); }
  // Waits until there is a new result. Meanwhile the agent counts as waiting for one handler that
  // has not replied, so that a circle of waiting agents is found, whichever agents are in it.
  Task<> something();
  Replies finish();

 private:
  struct One final : RootTask {
    One(Agent& me, MessageRecord* question, Deadline deadline) : asking(me, question, deadline) {}
    void on_root_done(std::coroutine_handle<> done, std::exception_ptr) noexcept override {
      frame = {};
      done.destroy();
    }

    AskingOne asking;
    Task<>::Handle frame;
    bool ended = false;
  };

  Task<> await_one(One& one);
  Result<Content> answer_in(One& one, AskingOne::End end) const;

  Agent& me_;
  rpc::Collecting rule_;
  std::deque<One> ones_;
  One* awaited_ = nullptr;
  std::optional<Signal> changed_;
  Replies replies_;
};

}  // namespace coracle::detail
