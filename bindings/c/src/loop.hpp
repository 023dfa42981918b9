// The events of one loop, and the operations that will bring more.
#pragma once

#include "handles.hpp"

#include "coracle.h"
#include "coracle/clock.hpp"
#include "coracle/support/descriptor.hpp"

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace coracle::c {

class Operation;

class Loop final : public Named {
 public:
  using C = coracle_loop;
  static constexpr Kind kind = Kind::loop;
  static constexpr const char* words = "loop";

  Loop();

  int descriptor() const noexcept { return readable_.get(); }
  // The operation has begun.
  void add(std::uint64_t key, const std::shared_ptr<Operation>& operation);
  // The operation has ended: its event waits.
  void on_end(std::uint64_t key, std::shared_ptr<Operation> operation) noexcept;
  // Takes up to `most` events; waits for the first one until the deadline.
  std::size_t take(coracle_event* events, std::size_t most, Deadline until);
  void cancel(std::uint64_t key);
  // No more events come, and the operations are cancelled.
  void close();

 private:
  struct Ended {
    std::uint64_t key;
    std::shared_ptr<Operation> operation;
  };

  detail::Descriptor readable_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::multimap<std::uint64_t, std::shared_ptr<Operation>> begun_;
  std::deque<Ended> ended_;
  bool is_closed_ = false;
};

}  // namespace coracle::c
