// The entrance to a worker for threads that are not workers: many producers, one consumer,
// unbounded. The nodes belong to the producers, so the code that makes nodes limits their number.
//
// Node has a member `Node* inbox_next`, which belongs to the inbox from push() until take() has
// returned.
// Tested in every interleaving: tests/threads/inbox_test.cpp
#pragma once

#include <atomic>

#include "sync.hpp"

namespace coracle::detail {

template <class Node, class Sync = StdSync>
class Inbox {
 public:
  Inbox() = default;
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  // Any thread. Returns true if the inbox was empty before. Then, and only then, the caller must
  // make the consumer look (Parking::claim_wake); this covers all later pushes, too.
  [[nodiscard]] bool push(Node& node) {
    Node* newest = newest_.load(std::memory_order_relaxed);
    do {
      node.inbox_next = newest;
    } while (!newest_.compare_exchange_weak(newest, &node, std::memory_order_seq_cst,
                                            std::memory_order_relaxed));
    return newest == nullptr;
  }

  // Consumer only. Returns everything pushed so far, oldest first, linked by inbox_next; null if
  // there is nothing.
  Node* take() {
    if (empty()) return nullptr;
    Node* newest = newest_.exchange(nullptr, std::memory_order_seq_cst);
    Node* oldest = nullptr;
    while (newest != nullptr) {
      Node* next = newest->inbox_next;
      newest->inbox_next = oldest;
      oldest = newest;
      newest = next;
    }
    return oldest;
  }

  // Consumer only. Suitable for the check between Parking::prepare and waiting.
  bool empty() const { return newest_.load(std::memory_order_seq_cst) == nullptr; }

 private:
  alignas(cache_line) typename Sync::template Atomic<Node*> newest_{nullptr};
};

}  // namespace coracle::detail
