// A node without threads. Its only worker runs on the thread that takes a turn, one thread at a
// time: a program's own loop whenever a descriptor is readable, and each thread that waits for the
// node.
#pragma once

#include "coracle/clock.hpp"
#include "descriptor_reactor.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

namespace coracle::detail {

class NodeCore;
class Worker;

// Every thread but one of a worker may call. `node` has one worker, which waits in `reactor`.
class ByTurns {
 public:
  ByTurns(NodeCore& node, std::shared_ptr<DescriptorReactor> reactor)
      : node_(node), reactor_(std::move(reactor)) {}

  // It is readable while turn() has something to do.
  int descriptor() const noexcept { return reactor_->descriptor(); }
  // Does what can be done now, within a budget; returns whether more can be done. Returns false
  // while another thread does it, soon after that. Throws Errc::wrong_thread on a worker.
  bool turn();
  // Takes turns, and waits, until `is_so`; returns false when the deadline comes first. Throws
  // Errc::wrong_thread on a worker.
  bool until(const std::function<bool()>& is_so, Time deadline);
  // Has the worker do `act` on this thread, after what was asked for before, and then all that
  // follows. Returns false, and does nothing, when that would have to wait: on a worker, while
  // another thread takes a turn, or behind too much other work. `act` must not throw.
  bool at_once(const std::function<void(Worker&)>& act);
  // If a turn follows soon after each act, messages to other nodes wait for it.
  void set_deferring(bool is_so) noexcept { defers_ = is_so; }
  // Runs `look` between two turns. A worker may call it, too.
  void between(const std::function<void()>& look);
  // Does what was asked for before the end of the node. Afterwards no turns are taken, and the
  // descriptor is not readable any more.
  void finish() noexcept;

 private:
  class Holding;

  // Waits for the end of another thread's turn: for more than `seen` turns.
  void follow(std::unique_lock<std::mutex>& lock, std::uint64_t seen, Duration longest);

  NodeCore& node_;
  const std::shared_ptr<DescriptorReactor> reactor_;
  std::atomic<bool> defers_{false};
  std::atomic<std::uint64_t> turns_{0};
  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  bool is_held_ = false;    // a thread takes a turn, or looks
  unsigned looking_ = 0;    // threads that want to look; they come before turns
  unsigned following_ = 0;  // threads that wait for a turn of another thread
};

}  // namespace coracle::detail
