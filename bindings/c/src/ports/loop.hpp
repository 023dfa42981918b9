// The events of one loop, and the operations that will bring more.
#pragma once

#include "base/handles.hpp"

#include "coracle.h"
#include "coracle/clock.hpp"
#include "coracle/support/descriptor.hpp"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace coracle::c {

class NodeObject;
class Operation;

class Loop final : public Named, public std::enable_shared_from_this<Loop> {
 public:
  using C = coracle_loop;
  static constexpr Kind kind = Kind::loop;
  static constexpr const char* words = "loop";

  Loop();

  // It is readable when events wait, or when a node has something to do.
  int descriptor() const noexcept { return all_.get(); }
  // take() takes the turns of that node, too, which has no threads.
  void run(const std::shared_ptr<NodeObject>& node);
  // The operation has begun.
  void add(std::uint64_t key, const std::shared_ptr<Operation>& operation);
  // The operation has ended: its event waits. Returns false if nobody waits for it.
  bool on_end(std::uint64_t key, const std::shared_ptr<Operation>& operation) noexcept;
  // The operation goes on, and has something for its caller: the same.
  bool on_part(std::uint64_t key, const std::shared_ptr<Operation>& operation) noexcept;
  // Takes up to `most` events; waits for the first one until the deadline.
  std::size_t take(coracle_event* events, std::size_t most, Deadline until);
  // Takes up to `most` of the events that wait; does nothing else.
  std::size_t pick(coracle_event* events, std::size_t most);
  // Whether the caller picks after each call; see Calling.
  void set_picking(bool is_so);
  bool is_picking() const noexcept { return is_picking_; }
  void cancel(std::uint64_t key);
  // No more events of the operation come.
  void forget(std::uint64_t key, const std::shared_ptr<Operation>& operation);
  // No more events come, and the operations are cancelled.
  void close();

  // A call of the program: its caller picks the events that come meanwhile, so they need not make
  // the descriptor readable.
  class Calling {
   public:
    explicit Calling(const NodeObject& node) noexcept;
    ~Calling();
    Calling(const Calling&) = delete;

   private:
    const std::shared_ptr<Loop> loop_;  // nullptr if nobody picks
  };

 private:
  using Begun = std::multimap<std::uint64_t, std::shared_ptr<Operation>>;
  class Looking;

  // Takes a turn of each node; returns whether more can be done at once.
  bool take_turns();
  std::size_t take_ended(coracle_event* events, std::size_t most);
  Begun::const_iterator find(std::uint64_t key,
                             const std::shared_ptr<Operation>& operation) const noexcept;
  void add_event(const std::shared_ptr<Operation>& operation) noexcept;
  // Makes the descriptor readable if events wait that no thread is about to take.
  void signal() noexcept;

  const detail::Descriptor ended_there_, all_;
  std::mutex mutex_;  // guards what follows
  std::vector<std::weak_ptr<NodeObject>> nodes_;
  Begun begun_;
  std::deque<std::shared_ptr<Operation>> ended_;
  unsigned taking_ = 0;  // threads that will look at `ended_` soon
  bool is_signalled_ = false;
  bool is_closed_ = false;
  std::atomic<bool> is_picking_{false};
};

}  // namespace coracle::c
