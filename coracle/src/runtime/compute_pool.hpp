// Threads for long computations; made when first needed.
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

  // One computation's way through the pool.
  struct Ticket;
  Ticket* submit(ComputationBase& computation, Worker& home);
  // Under a driver: when the next is done; Time::max() if there is none.
  Time due() const noexcept;
  // Does the next one, on this thread.
  void perform_one(Driver& driver);
  // Returns when no thread uses the computation; afterwards nothing comes of it.
  void abandon(Ticket* ticket) noexcept;
  // How many are not finished.
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
