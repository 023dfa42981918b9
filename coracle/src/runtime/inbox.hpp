// The way into a worker for threads that are not workers: many producers, one consumer, unbounded
// (the nodes are the producers', so whoever makes them limits them).
//
// Node has a member `Node* inbox_next`, which is the inbox's from push() until take() has returned.
// Tested in every interleaving: tests/threads/inbox_test.cpp
#pragma once

#include <atomic>

#include "runtime/sync.hpp"

namespace coracle::detail {

template <class Node, class Sync = StdSync>
class Inbox {
 public:
  Inbox() = default;
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  // Any thread. True if the inbox was empty before; then, and only then, the caller must see to it
  // that the consumer looks (Parking::claim_wake): whoever found it empty does so for all after.
  [[nodiscard]] bool push(Node& node) {
    Node* newest = newest_.load(std::memory_order_relaxed);
    do {
      node.inbox_next = newest;
    } while (!newest_.compare_exchange_weak(newest, &node, std::memory_order_seq_cst,
                                            std::memory_order_relaxed));
    return newest == nullptr;
  }

  // Consumer only. Everything pushed so far, oldest first, linked by inbox_next; null if nothing.
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

  // Consumer only. Fit for the check between Parking::prepare and waiting.
  bool empty() const { return newest_.load(std::memory_order_seq_cst) == nullptr; }

 private:
  alignas(cache_line) typename Sync::template Atomic<Node*> newest_{nullptr};
};

}  // namespace coracle::detail
