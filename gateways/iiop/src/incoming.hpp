// A letter that has come, as a task of the gateway's port: the thread of its connection waits until
// the gateway has taken it.
#pragma once

#include "coracle/detail/outside.hpp"
#include "coracle/fipa/mtp.hpp"

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

namespace coracle::fipa {

class Incoming final : public detail::Undertaking {
 public:
  Incoming(std::shared_ptr<const Mtp::Receiver> receive, Letter letter)
      : Undertaking(false), receive_(std::move(receive)), letter_(std::move(letter)) {}

  // Returns false if it has not ended within that time. Fails with the error of its end.
  bool wait(Duration longest) {
    std::unique_lock lock(mutex_);
    if (!ended_.wait_for(lock, longest, [this] { return has_ended_; })) return false;
    if (failure_) std::rethrow_exception(failure_);
    return true;
  }

 private:
  Task<> run(Agent* agent) override {
    Task<> task = (*receive_)(*agent, std::move(letter_));
    co_await task;
  }
  void on_end(std::exception_ptr failure) noexcept override {
    const std::lock_guard lock(mutex_);
    failure_ = std::move(failure);
    has_ended_ = true;
    ended_.notify_all();
  }

  const std::shared_ptr<const Mtp::Receiver> receive_;
  Letter letter_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable ended_;
  bool has_ended_ = false;
  std::exception_ptr failure_;
};

}  // namespace coracle::fipa
