#include "exchange.hpp"

#include "runtime/room/room_ticket.hpp"
#include "runtime/sending/delivery.hpp"
#include "runtime/sending/fast_path.hpp"

#include <utility>

namespace coracle::detail {

// --- to other workers ---

RecordRing& Exchange::ring_to(unsigned to) noexcept {
  NodeCore& node = worker_.node();
  return node.ring(worker_, node.worker(to));
}

void Exchange::forward(Worker& to, MessageRecord* record) noexcept {
  if (is_counted(*record)) {
    ++worker_.flow.out;
  } else if ((record->flags & copy_flag) != 0) {
    ++worker_.flow.copies_out;
  }
  dirty_[to.index()] = true;
  if (backlog_[to.index()].empty() && ring_to(to.index()).try_push(*record)) {
    release_record(record);
  } else {
    backlog_[to.index()].push_back(record);
  }
}

void Exchange::drain_backlog() noexcept {
  for (unsigned to = 0; to < backlog_.size(); ++to) {
    auto& waiting = backlog_[to];
    while (!waiting.empty() && ring_to(to).try_push(*waiting.front())) {
      release_record(waiting.front());
      waiting.pop_front();
      dirty_[to] = true;
    }
  }
  wake_route_waiters();
}

std::size_t Exchange::backlog_size() const noexcept {
  std::size_t sum = 0;
  for (const auto& waiting : backlog_) sum += waiting.size();
  return sum;
}

void Exchange::wake_route_waiters() noexcept {
  for (unsigned other = 0; other < route_waiters_.size(); ++other) {
    auto& waiters = route_waiters_[other];
    if (waiters.empty() || !backlog_[other].empty()) continue;
    if (!ring_to(other).has_room()) continue;
    for (RoomTicket* ticket : std::exchange(waiters, {})) {
      ticket->granted = true;
      return_ticket(worker_, ticket);
    }
  }
}

bool Exchange::is_full_to(const Mailbox& target) noexcept {
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home == &worker_) return false;
  return !backlog_[home.index()].empty() || !ring_to(home.index()).has_room();
}

void Exchange::publish() noexcept {
  for (unsigned to = 0; to < dirty_.size(); ++to) {
    if (!dirty_[to]) continue;
    dirty_[to] = false;
    if (ring_to(to).publish()) worker_.node().worker(to).wake();
  }
}

// --- from other workers ---

bool Exchange::drain() noexcept {
  bool did = false;
  for (unsigned from = 0; from < worker_.node().worker_count(); ++from) {
    if (from != worker_.index()) did |= drain_ring(from);
  }
  drained_from_ = worker_.index();
  worker_.slots.release();
  return did;
}

bool Exchange::drain_ring(unsigned from) noexcept {
  Worker& at = worker_;
  Worker& source = at.node().worker(from);
  RecordRing& ring = at.node().ring(source, at);
  drained_from_ = from;
  const bool did = ring.consume(
                       [&at](MessageRecord& slot) {
                         if (arrive_plain(at, slot)) return;
                         MessageRecord* const record = new_record();
                         *record = slot;
                         arrive(at, record);
                       },
                       ring.capacity()) != 0;
  if (ring.take_room_request()) source.wake();
  return did;
}

bool Exchange::has_work() noexcept {
  NodeCore& node = worker_.node();
  for (unsigned other = 0; other < node.worker_count(); ++other) {
    if (other == worker_.index()) continue;
    if (!node.ring(node.worker(other), worker_).empty()) return true;
    if (wants_room(other) && ring_to(other).has_room()) return true;
  }
  return false;
}

bool Exchange::request_room() noexcept {
  for (unsigned other = 0; other < backlog_.size(); ++other) {
    if (wants_room(other) && !ring_to(other).wait_for_room()) return true;
  }
  return false;
}

}  // namespace coracle::detail
