// A stack of its own for each modelled thread, which AddressSanitizer and ThreadSanitizer can
// distinguish. For tests/threads/explorer.hpp only; all fibers of one exploration live on one real
// thread.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CORACLE_FIBER_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define CORACLE_FIBER_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define CORACLE_FIBER_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define CORACLE_FIBER_TSAN 1
#endif
#if defined(CORACLE_FIBER_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(CORACLE_FIBER_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace coracle::testing {

#if defined(CORACLE_FIBER_ASAN) || defined(CORACLE_FIBER_TSAN)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

class Fiber {
 public:
  // The real thread's own stack.
  Fiber() {
#if defined(CORACLE_FIBER_TSAN)
    tsan_ = __tsan_get_current_fiber();
#endif
  }

  // Runs `body`, which never returns, at the first switch to it.
  explicit Fiber(std::function<void()> body)
      : body_(std::move(body)),
        stack_(std::make_unique<std::byte[]>(stack_size)),
        bottom_(stack_.get()),
        size_(stack_size) {
#if defined(CORACLE_FIBER_TSAN)
    tsan_ = __tsan_create_fiber(0);
#endif
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_.get();
    context_.uc_stack.ss_size = stack_size;
    makecontext(&context_, &Fiber::enter, 0);
  }

  ~Fiber() {
#if defined(CORACLE_FIBER_TSAN)
    if (stack_) __tsan_destroy_fiber(tsan_);
#endif
  }
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Returns when another fiber switches back to `from`.
  static void change(Fiber& from, Fiber& to) {
    leaving_ = &from;
    entering_ = &to;
#if defined(CORACLE_FIBER_ASAN)
    __sanitizer_start_switch_fiber(&from.fake_stack_, to.bottom_, to.size_);
#endif
#if defined(CORACLE_FIBER_TSAN)
    __tsan_switch_to_fiber(to.tsan_, 0);
#endif
    swapcontext(&from.context_, &to.context_);
    from.arrived();
  }

 private:
  static constexpr std::size_t stack_size = 256 * 1024;

  static void enter() {
    Fiber& self = *entering_;
    self.arrived();
    self.body_();
  }

  // This reads the bounds of the real thread's stack: nothing else knows where it lies.
  void arrived() {
#if defined(CORACLE_FIBER_ASAN)
    __sanitizer_finish_switch_fiber(fake_stack_, &leaving_->bottom_, &leaving_->size_);
#endif
  }

  // A context's entry point takes no pointer, and the sanitizers need the fiber that was left.
  static inline thread_local Fiber* leaving_ = nullptr;
  static inline thread_local Fiber* entering_ = nullptr;

  std::function<void()> body_;
  std::unique_ptr<std::byte[]> stack_;
  ucontext_t context_{};
  [[maybe_unused]] const void* bottom_ = nullptr;
  [[maybe_unused]] std::size_t size_ = 0;
  [[maybe_unused]] void* fake_stack_ = nullptr;
  [[maybe_unused]] void* tsan_ = nullptr;
};

}  // namespace coracle::testing
