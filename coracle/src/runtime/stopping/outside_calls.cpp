#include "outside_calls.hpp"

#include "coracle/errors.hpp"
#include "runtime/node/node_core.hpp"

#include <exception>
#include <utility>

namespace coracle::detail {

namespace {

// A call that is under way while this object exists.
struct Entered {
  explicit Entered(OutsideCalls& which) : calls(which) { calls.enter(); }
  ~Entered() { calls.leave(); }
  OutsideCalls& calls;
};

}  // namespace

void OutsideCalls::enter() {
  const std::lock_guard lock(mutex_);
  if (is_closed_) throw Error(Errc::stopped, "the node has stopped; start a new one");
  ++calls_;
}

void OutsideCalls::leave() noexcept {
  const std::lock_guard lock(mutex_);
  --calls_;
  changed_.notify_all();
  if (is_closed_ && node_.by_turns() != nullptr) node_.worker(0).wake();
}

bool OutsideCalls::is_any() {
  const std::lock_guard lock(mutex_);
  return calls_ != 0;
}

void OutsideCalls::close() {
  std::unique_lock lock(mutex_);
  is_closed_ = true;
  if (ByTurns* const turns = node_.by_turns()) {
    lock.unlock();
    turns->until([this] { return !is_any(); }, Time::max());
    lock.lock();
  }
  changed_.wait(lock, [this] { return calls_ == 0; });
}

void OutsideCalls::run_blocking(Worker& worker, const std::function<Task<>()>& body) {
  if (Worker::current() != nullptr) {
    throw Error(Errc::wrong_thread,
                "a blocking call was made from an agent; use the agent's own operation");
  }
  const Entered entered(*this);
  if (DrivenNode* const driven = node_.driven()) return driven->call(worker, body);
  struct Finish {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::exception_ptr error;
  } outcome;
  const auto perform = [](const std::function<Task<>()>& what, Finish& result) -> Task<> {
    std::exception_ptr error;
    try {
      Task<> task = what();
      co_await task;
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(result.mutex);
    result.error = std::move(error);  // no part of it stays with the worker
    result.done = true;
    result.changed.notify_all();
  };
  worker.post(command([&](Worker& at) { run_detached(at, perform(body, outcome)); }));
  const auto is_done = [&] { return std::lock_guard(outcome.mutex), outcome.done; };
  if (ByTurns* const turns = node_.by_turns()) turns->until(is_done, Time::max());
  std::unique_lock lock(outcome.mutex);
  outcome.changed.wait(lock, [&] { return outcome.done; });
  if (outcome.error) std::rethrow_exception(outcome.error);
}

}  // namespace coracle::detail
