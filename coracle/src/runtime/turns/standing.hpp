// A thread that stands in for a worker that has none.
#pragma once

#include "runtime/worker/worker.hpp"

#include <utility>

namespace coracle::detail {

// A worker's turn on a thread that is not the worker's own: during the turn, the thread acts as the
// worker. An exception that is passing through that thread's own frames, for example when a test
// fails, does not belong to the worker.
class Standing {
 public:
  Standing(Worker& worker, const unsigned*& seen_by_worker) noexcept
      : before_(std::exchange(current_worker, &worker)),
        uncaught_(uncaught_exceptions_of_this_thread()),
        outside_(std::exchange(*uncaught_, 0U)) {
    seen_by_worker = uncaught_;
  }
  ~Standing() {
    current_worker = before_;
    *uncaught_ += outside_;
  }
  Standing(const Standing&) = delete;

 private:
  Worker* const before_;  // of another node, whose agent opens or ends this node
  unsigned* const uncaught_;
  const unsigned outside_;
};

}  // namespace coracle::detail
