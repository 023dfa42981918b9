// A request to one of several handlers. The request ends when that handler ends, read or not.
#pragma once

#include "coracle/detail/access.hpp"
#include "coracle/message.hpp"
#include "coracle/support/mutations.hpp"
#include "runtime/sending/fast_path.hpp"

#include <coroutine>
#include <optional>
#include <string>
#include <utility>

namespace coracle::detail {

class AskingOne final : public Asking {
 public:
  // A reply, or the reason why there is none.
  struct End {
    std::optional<Message> reply;
    Errc errc{};
    std::string text;  // the handler's explanation
  };

  using Asking::Asking;
  bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
    const bool waits = Asking::await_suspend(awaiting);
    const bool forgets = mutated(Mutation::waits_for_successor);
    if (tag_ != 0 && !forgets) Worker::current()->requests.not_for_next_holder.insert(tag_);
    return waits;
  }
  End await_resume() {
    conclude();
    End end;
    end.errc = error_;
    end.text = text();
    if (error_ == Errc{}) end.reply.emplace(std::exchange(reply_, nullptr));
    return end;
  }
  Error as_error() const { return Asking::error(); }

  // do_not_block(): for now, the agent does not count as waiting for this handler. block(): from
  // now on it does, so that a circle of waiting agents is found.
  void do_not_block() noexcept { blocks_ = false; }
  void block() noexcept {
    blocks_ = true;
    if (tag_ == 0 || !accepted()) return;
    Worker& worker = *Worker::current();
    if (!worker.cycles.begin(agent_, target_, *this)) {
      finish(Errc::deadlock, circle(*target_, *Access::mailbox(agent_)));
    }
  }
};

}  // namespace coracle::detail
