// A computation that runs on the node's pool of threads while its agent's other tasks go on.
#pragma once

#include "coracle/detail/waiting.hpp"

#include <atomic>
#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace coracle::detail {

// The type-erased part. It cannot be abandoned while a thread works on it: its destruction waits
// for that thread.
class ComputationBase : public Waiting {
 public:
  explicit ComputationBase(Agent& agent) noexcept : agent_(agent) {}
  virtual ~ComputationBase() = default;

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> awaiting);
  void await_resume() const {
    if (!performed_.load(std::memory_order_acquire)) fail_stopped();
    if (error_) std::rethrow_exception(error_);
  }
  // Runs the computation, on a thread of the pool.
  void perform() noexcept {
    try {
      compute();
    } catch (...) {
      error_ = std::current_exception();
    }
    performed_.store(true, std::memory_order_release);
  }
  Agent& agent() const noexcept { return agent_; }

 protected:
  virtual void compute() = 0;
  // Returns when no thread of the pool uses this any more.
  void detach() noexcept;

 private:
  [[noreturn]] static void fail_stopped();

  Agent& agent_;
  std::atomic<bool> performed_{false};
  std::exception_ptr error_;
  void* ticket_ = nullptr;
};

template <class Function>
class Computation final : public ComputationBase {
 public:
  using Value = decltype(std::declval<Function&>()());

  Computation(Agent& agent, Function function)
      : ComputationBase(agent), function_(std::move(function)) {}
  ~Computation() override { detach(); }

  Value result() {
    if constexpr (!std::is_void_v<Value>) return std::move(*value_);
  }

 private:
  struct Nothing {};

  void compute() override {
    if constexpr (std::is_void_v<Value>) {
      function_();
    } else {
      value_.emplace(function_());
    }
  }

  Function function_;
  std::optional<std::conditional_t<std::is_void_v<Value>, Nothing, Value>> value_;
};

}  // namespace coracle::detail
