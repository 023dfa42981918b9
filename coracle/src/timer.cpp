#include "coracle/timer.hpp"

#include "runtime/node/node_core.hpp"

namespace coracle {

void Timer::set(Deadline when_due) {
  detail::Worker& worker = detail::here(agent_);
  rang_ = false;
  arm(worker, when_due.at(worker.now()));
}

void Timer::cancel() noexcept {
  if (!is_set()) return;
  disarm();
  wake(false);
}

void Timer::on_time(detail::TimerNode& node) noexcept {
  auto& self = static_cast<Timer&>(node);
  self.wake(self.owner->now() >= self.when);
}

void Timer::wake(bool rang) noexcept {
  rang_ = rang;
  if (waiting_ != nullptr) owner->scheduler.schedule(*std::exchange(waiting_, nullptr));
}

Timer::Wait::~Wait() {
  if (timer_.waiting_ == this) timer_.waiting_ = nullptr;
}

void Timer::Wait::await_suspend(std::coroutine_handle<> awaiting) noexcept {
  frame = awaiting;
  timer_.waiting_ = this;
}

}  // namespace coracle
