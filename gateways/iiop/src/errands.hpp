// Threads for work that blocks, with a line for each partner: the errands to one partner run one
// after the other, in their order, and several partners are served at the same time. A partner that
// is gone costs the others a thread for the time of one errand.
// Tests: gateways/iiop/tests/errands_test.cpp
#pragma once

#include "coracle/errors.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace coracle::fipa {

// Work to be done once; one of both functions is called, on any thread.
class Errand {
 public:
  virtual ~Errand() = default;
  // Returns an error if the partner is gone, so that it is of no use to try the others in its line.
  virtual std::unique_ptr<Error> run() noexcept = 0;
  virtual void fail(const Error& error) noexcept = 0;
};

class Errands {
 public:
  // `threads` are made when they are needed; each calls `around` once, which calls its argument.
  Errands(std::size_t threads, std::size_t waiting,
          std::function<void(const std::function<void()>&)> around);
  // As stop().
  ~Errands();
  Errands(const Errands&) = delete;
  Errands& operator=(const Errands&) = delete;

  // Fails with Errc::limit_reached and Errc::stopped; then the errand is not touched.
  void add(const std::string& partner, std::shared_ptr<Errand> errand);
  // Waits for the errands that run; the others fail with Errc::stopped.
  void stop() noexcept;

 private:
  using Line = std::deque<std::shared_ptr<Errand>>;
  struct Partner {
    Line line;
    bool is_served = false;
  };

  void begin_thread();
  void work();
  void serve(std::unique_lock<std::mutex>& lock);
  void fail_all(Line line, const Error& error, std::unique_lock<std::mutex>& lock);

  const std::size_t most_threads_, most_waiting_;
  const std::function<void(const std::function<void()>&)> around_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable work_;
  std::map<std::string, Partner> partners_;
  std::deque<std::string> ready_;  // partners with errands that no thread serves
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0, waiting_ = 0;
  bool is_over_ = false;
};

}  // namespace coracle::fipa
