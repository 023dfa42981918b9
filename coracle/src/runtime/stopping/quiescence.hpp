// The quiescence of a node: nobody on it can continue without something from outside, or time.
#pragma once

#include "coracle/clock.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace coracle::detail {

class NodeCore;

// The degrees of quiescence; each includes those before it.
enum class Quiet : std::uint8_t {
  still,         // nothing on this node can go on, except errands of the node itself
  here,          // and those errands are done, or the directory does not answer
  acknowledged,  // and other nodes have acknowledged all that was sent to them
  answered,      // and have reported on all messages that they were sent
};

class Quiescence {
 public:
  explicit Quiescence(NodeCore& node) noexcept : node_(node) {}

  // A worker found nothing to do.
  void went_idle() noexcept;
  // So many more of the node's own errands (run_detached()) are under way.
  void count_errands(int change) noexcept { errands_.fetch_add(static_cast<std::size_t>(change)); }
  bool has_errands() const noexcept { return errands_.load() != 0; }
  bool is_reached(Quiet how);
  // Waits until that degree is reached, or until the deadline.
  void wait_for(Quiet how, Time deadline);

 private:
  bool all_answered();

  NodeCore& node_;
  std::atomic<std::size_t> errands_{0};
  std::atomic<bool> is_awaited_{false};
  std::mutex mutex_;  // guards idle_events_
  std::condition_variable changed_;
  std::uint64_t idle_events_ = 0;
};

}  // namespace coracle::detail
