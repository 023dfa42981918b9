// A request to one of those who handle it: it ends when that one does, read or not.
#pragma once

#include "coracle/message.hpp"
#include "runtime/fast_path.hpp"
#include "slips.hpp"

#include <coroutine>
#include <optional>
#include <string>
#include <utility>

namespace coracle::detail {

class AskingOne final : public Asking {
 public:
  // A reply, or why there is none.
  struct End {
    std::optional<Message> reply;
    Errc errc{};
    std::string text;  // what whoever was asked said of it
  };

  using Asking::Asking;
  bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
    const bool waits = Asking::await_suspend(awaiting);
    const bool forgets = slips(Slip::waits_for_successor);
    if (tag_ != 0 && !forgets) Worker::current()->not_for_next_holder.insert(tag_);
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
  Error said() const { return Asking::error(); }

  // Its agent does not wait for this one of several, for the present; or it does, and is seen to.
  void do_not_block() noexcept { blocks_ = false; }
  void block() noexcept {
    blocks_ = true;
    if (tag_ == 0 || !accepted()) return;
    Worker& worker = *Worker::current();
    if (!worker.begin_wait(agent_, target_, *this)) {
      finish(Errc::deadlock, worker.circle(*target_, *agent_.party()));
    }
  }
};

}  // namespace coracle::detail
