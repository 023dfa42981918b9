// One worker's rings to and from the other workers of its node.
#pragma once

#include "ring.hpp"
#include "runtime/mailbox/mailbox.hpp"

#include <cstddef>
#include <deque>
#include <vector>

namespace coracle {

class Driver;

namespace detail {

struct RoomTicket;

using RecordRing = Ring<MessageRecord>;

inline constexpr std::size_t publish_every = 64;

class Exchange {
 public:
  Exchange(Worker& worker, unsigned index, std::size_t workers)
      : worker_(worker),
        drained_from_(index),
        backlog_(workers),
        route_waiters_(workers),
        dirty_(workers) {}

  // --- to other workers ---
  // Sends a record on to another worker, whatever the room: it waits here for the ring.
  void forward(Worker& to, MessageRecord* record) noexcept;
  // Returns whether records wait for room in the ring.
  bool is_backed_up(unsigned to) const noexcept { return !backlog_[to].empty(); }
  // Notes that the ring has something to publish.
  void note_pushed(unsigned to) noexcept { dirty_[to] = true; }
  bool is_full_to(const Mailbox& target) noexcept;
  // The ticket comes back when there is room in the ring.
  void await(unsigned to, RoomTicket* ticket) { route_waiters_[to].push_back(ticket); }
  void drain_backlog() noexcept;
  std::size_t backlog_size() const noexcept;
  // Shows the other workers what was sent to them.
  void publish() noexcept;

  // --- from other workers ---
  bool drain() noexcept;
  void drain_by(Driver& driver, bool& did) noexcept;
  // The worker whose ring is being drained; its own index if none is.
  unsigned drained_from() const noexcept { return drained_from_; }

  // Returns whether another turn would find something.
  bool has_work() noexcept;
  // Requests room in the rings that somebody waits for. Returns true when one has room already.
  bool request_room() noexcept;

 private:
  RecordRing& ring_to(unsigned to) noexcept;
  bool drain_ring(unsigned from) noexcept;
  void wake_route_waiters() noexcept;
  bool wants_room(unsigned to) const noexcept {
    return !backlog_[to].empty() || !route_waiters_[to].empty();
  }

  Worker& worker_;
  unsigned drained_from_;
  std::vector<std::deque<MessageRecord*>> backlog_;  // by worker: records without room in its ring
  std::vector<std::vector<RoomTicket*>> route_waiters_;
  std::vector<bool> dirty_;  // rings with something to publish
};

}  // namespace detail

}  // namespace coracle
