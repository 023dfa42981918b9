// The events of one loop, and the operations that will bring more.
#pragma once

#include "handles.hpp"

#include "coracle.h"
#include "coracle/clock.hpp"
#include "coracle/support/descriptor.hpp"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace coracle::c {

class NodeObject;
class Operation;

class Loop final : public Named {
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
  // The operation has ended: its event waits. Returns false if the loop is closed.
  bool on_end(std::uint64_t key, std::shared_ptr<Operation> operation) noexcept;
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

  // Takes a turn of each node; returns whether more can be done at once. take_ended() follows.
  bool take_turns();
  std::vector<Ended> take_ended(std::size_t most);
  // Makes the descriptor readable if events wait that no thread is about to take.
  void signal() noexcept;

  const detail::Descriptor ended_there_, all_;
  std::mutex mutex_;  // guards what follows
  std::vector<std::weak_ptr<NodeObject>> nodes_;
  std::multimap<std::uint64_t, std::shared_ptr<Operation>> begun_;
  std::deque<Ended> ended_;
  unsigned taking_ = 0;  // threads between take_turns() and take_ended()
  bool is_signalled_ = false;
  bool is_closed_ = false;
};

}  // namespace coracle::c
