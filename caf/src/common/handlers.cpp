#include "coracle/caf/common/handlers.hpp"

#include <utility>

namespace coracle::caf {

struct Handlers::FirstEnded {
  Handlers& handlers;

  bool await_ready() const noexcept { return handlers.has_ended_; }
  void await_suspend(std::coroutine_handle<> awaiting) noexcept { handlers.awaiting_ = awaiting; }
  void await_resume() const {
    if (handlers.error_) std::rethrow_exception(std::exchange(handlers.error_, nullptr));
  }
};

// Returns the next handler; an empty task if there is none.
Task<> Handlers::Rest::take() {
  if (next == waiting.size()) return {};
  Task<> taken = std::move(waiting[next++]);
  if (2 * next >= waiting.size()) {
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(next));
    next = 0;
  }
  return taken;
}

Handlers::Rest& Handlers::rest() {
  if (rest_ == nullptr) {
    own_ = std::make_unique<Rest>();
    rest_ = own_.get();
  }
  return *rest_;
}

void Handlers::run(Task<> handler) {
  if (!handler) return;
  if (is_busy_) {
    rest().waiting.push_back(std::move(handler));
    return;
  }
  is_busy_ = true;
  has_ended_ = false;
  const auto frame = handler.release();
  frame.promise().set_root(*this);
  frame.resume();
  Task<> begun(frame);
  if (has_ended_) {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    if (rest_ == nullptr) {
      is_busy_ = false;
      return;
    }
  } else {
    rest().first = std::move(begun);
  }
  self_.spawn(go_on(std::move(own_)));
}

// The owner of the task destroys the frame.
void Handlers::on_root_done(std::coroutine_handle<>, std::exception_ptr error) noexcept {
  has_ended_ = true;
  error_ = std::move(error);
  // The agent may not exist any more after this.
  if (awaiting_) std::exchange(awaiting_, {}).resume();
}

Task<> Handlers::go_on(std::unique_ptr<Rest> rest) {
  co_await FirstEnded{*this};
  rest->first = Task<>();
  for (;;) {
    Task<> next = rest->take();
    if (!next) break;
    co_await std::move(next);
  }
  rest_ = nullptr;
  is_busy_ = false;
  if (!freed_) co_return;
  Task<> last = freed_();
  co_await std::move(last);
}

}  // namespace coracle::caf
