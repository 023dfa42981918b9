// The end of a node.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/node.hpp"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace coracle::detail {

class Mailbox;
class NodeCore;
class Worker;

// A node ends in three steps: it refuses new agents (has_begun()), it ends every wait (ended()),
// and its workers' threads end (over()). If the node has threads, a thread of its own takes these
// steps, else the thread that stops the node.
// Safe to call from every thread, except end_workers() and finish().
class Stopping {
 public:
  explicit Stopping(NodeCore& node) noexcept : node_(node) {}

  bool has_begun() const noexcept { return has_begun_.load(std::memory_order_relaxed); }
  // Returns whether every wait is in vain from now on.
  bool ended() const noexcept { return ended_.load(std::memory_order_relaxed); }
  // Returns whether the workers' threads shall end.
  bool over() const noexcept { return over_.load(std::memory_order_acquire); }

  // Stops the node, and waits until it has stopped, or for a moment beyond the deadline.
  StopReport stop(Deadline deadline);
  // The same on a thread of its own, which reports the result to `tell`.
  using WhenStopped = std::function<void(std::exception_ptr, StopReport)>;
  void stop_and_tell(Deadline deadline, WhenStopped tell);
  // Stops the node, and waits however long that takes. Afterwards none of its threads is left.
  void finish();
  // Ends the workers at once.
  void end_workers() noexcept;

 private:
  // Begins to stop, unless the stop has begun before.
  void begin(Time until);
  void end_all(Time until);
  void end_in_order(Time until);
  void note_stopped();
  StopReport report_so_far();

  void end_reads(Worker& worker);
  void end_waits();
  void end_errands();
  void kill_the_rest();
  void tell_last_gaps();
  void leave_society();
  void give_up_what_is_elsewhere();
  void hand_over();
  void note_undelivered();

  NodeCore& node_;
  std::atomic<bool> has_begun_{false};
  std::atomic<bool> ended_{false};
  std::atomic<bool> over_{false};

  std::thread thread_;                           // of the stop; without a driver
  StopReport report_;                            // of the stop
  std::map<const Mailbox*, Errc> left_because_;  // of messages left there, from the message store

  std::mutex mutex_;  // guards the members that follow
  std::condition_variable changed_;
  bool is_requested_ = false, has_stopped_ = false;
  std::vector<std::thread> tellers_;  // of stop_and_tell()
};

}  // namespace coracle::detail
