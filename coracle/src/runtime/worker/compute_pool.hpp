// Threads for long computations; a thread is made when it is first needed.
#pragma once

#include "coracle/detail/computing.hpp"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace coracle::detail {

class ComputePool {
 public:
  explicit ComputePool(unsigned threads) noexcept : limit_(threads) {}
  ~ComputePool();

  // One computation, from its submission to its end.
  struct Ticket;
  Ticket* submit(ComputationBase& computation, Worker& home);
  // Under a driver: returns the time at which the next computation is done; Time::max() if there is
  // none.
  Time due() const noexcept;
  // Performs the next computation, on this thread.
  void perform_one(Driver& driver);
  // Returns when no thread uses the computation; afterwards the computation has no effect.
  void abandon(Ticket* ticket) noexcept;
  // Returns the number of computations that are not finished.
  std::size_t busy() const;
  void stop();

 private:
  void work();

  const unsigned limit_;
  mutable std::mutex mutex_;  // guards everything
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Ticket>> waiting_;
  std::vector<std::thread> threads_;
  std::size_t busy_ = 0;
  bool stopping_ = false;
};

}  // namespace coracle::detail
