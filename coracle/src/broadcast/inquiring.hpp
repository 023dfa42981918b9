// One question to several who handle it: each is waited for by a little coroutine; one waits for
// what they find.
#pragma once

#include "broadcast/asking_one.hpp"
#include "coracle/broadcast.hpp"
#include "runtime/signal.hpp"

#include <cstddef>
#include <deque>
#include <optional>

namespace coracle::detail {

class Inquiring {
 public:
  Inquiring(Agent& me, rpc::Collect rule, std::size_t count) : me_(me), rule_(rule, count) {}
  Inquiring(const Inquiring&) = delete;
  ~Inquiring();

  // Asks one; takes `question`.
  void ask(Parcel* question, Deadline deadline);
  bool over() const noexcept { return rule_.over(); }
  // Waits until there is something new. The agent is seen to wait for one that has not answered, so
  // that a circle is found whoever is in it.
  Task<> something();
  Replies finish();

 private:
  struct One final : RootTask {
    One(Agent& me, Parcel* question, Deadline deadline) : asking(me, question, deadline) {}
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
