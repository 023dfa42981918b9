// Something that a coroutine of a worker waits for, and that a thread outside the library settles.
// Tests: coracle/tests/runtime/owed_test.cpp, bindings/c/tests.
#pragma once

#include "coracle/detail/waiting.hpp"

#include <coroutine>
#include <memory>
#include <mutex>

namespace coracle::detail {

// It is settled at most once, and awaited at most once. Shared by both sides.
class Owed : public std::enable_shared_from_this<Owed> {
 public:
  // Lets the coroutine continue. Returns false if it was settled before, or if nobody waits any
  // more, because the coroutine was given up. May be called from any thread.
  bool settle() noexcept;
  // Returns whether somebody waits, or may still begin to wait. May be called from any thread.
  bool is_open() const noexcept;

  // The wait. It fails with Errc::stopped when the node stops first.
  class [[nodiscard]] Wait : public Waiting {
   public:
    explicit Wait(std::shared_ptr<Owed> what) noexcept : what_(std::move(what)) {}
    ~Wait();
    bool await_ready() const noexcept;
    // Returns false when there is nothing to wait for.
    bool await_suspend(std::coroutine_handle<> awaiting) noexcept;
    void await_resume() const;

   private:
    const std::shared_ptr<Owed> what_;
  };
  Wait settled() { return Wait(shared_from_this()); }

 private:
  mutable std::mutex mutex_;  // guards what follows
  bool is_settled_ = false;
  bool is_given_up_ = false;
  Wait* wait_ = nullptr;
  Worker* home_ = nullptr;  // of the coroutine that waits
};

}  // namespace coracle::detail
