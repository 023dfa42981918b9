// Work that other threads post to a worker.
#pragma once

#include <new>
#include <thread>
#include <utility>

namespace coracle::detail {

class Worker;

// A command runs once, on the worker that it was posted to. The code that posts a command keeps it
// alive until then; run() may free it.
class Command {
 public:
  virtual void run(Worker& worker) = 0;

  Command* inbox_next = nullptr;

 protected:
  ~Command() = default;
};

// A command made of a function; it frees itself.
template <class Function>
class OwnedCommand final : public Command {
 public:
  explicit OwnedCommand(Function function) : function_(std::move(function)) {}

  void run(Worker& worker) override {
    Function function = std::move(function_);
    delete this;
    function(worker);
  }

 private:
  Function function_;
};

template <class Function>
Command& command(Function function) {
  return *new OwnedCommand<Function>(std::move(function));
}

// The same, for work that cannot be refused: waits for memory.
template <class Function>
Command& certain_command(const Function& function) noexcept {
  for (;;) {
    try {
      return command(function);
    } catch (const std::bad_alloc&) {
      std::this_thread::yield();
    }
  }
}

}  // namespace coracle::detail
