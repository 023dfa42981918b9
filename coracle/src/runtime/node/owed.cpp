// Waits that threads outside the library end. See <coracle/detail/owed.hpp>.
#include "coracle/detail/owed.hpp"

#include "node_core.hpp"

namespace coracle::detail {

bool Owed::settle() noexcept {
  const std::lock_guard lock(mutex_);
  if (is_settled_ || is_given_up_) return false;
  is_settled_ = true;
  if (wait_ == nullptr) return true;
  OutsideCalls& calls = home_->node().calls();  // the node lives: its coroutine does
  try {
    calls.enter();
  } catch (...) {
    return false;  // the node has stopped
  }
  home_->post(certain_command([self = shared_from_this(), &calls](Worker& worker) {
    {
      const std::lock_guard at_home(self->mutex_);
      if (self->wait_ != nullptr) worker.scheduler.schedule(*self->wait_);
    }
    calls.leave();
  }));
  return true;
}

bool Owed::is_open() const noexcept {
  const std::lock_guard lock(mutex_);
  return !is_settled_ && !is_given_up_;
}

Owed::Wait::~Wait() {
  const std::lock_guard lock(what_->mutex_);
  what_->is_given_up_ = true;
  what_->wait_ = nullptr;
}

bool Owed::Wait::await_ready() const noexcept {
  const std::lock_guard lock(what_->mutex_);
  return what_->is_settled_;
}

bool Owed::Wait::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  const std::lock_guard lock(what_->mutex_);
  if (what_->is_settled_) return false;
  frame = awaiting;
  what_->wait_ = this;
  what_->home_ = Worker::current();
  what_->home_->scheduler.wait(*this);
  return true;
}

void Owed::Wait::await_resume() const {
  const std::lock_guard lock(what_->mutex_);
  what_->wait_ = nullptr;
  if (what_->is_settled_) return;
  throw Error(Errc::stopped, "nobody settled what was waited for before its node stopped; end");
}

}  // namespace coracle::detail
