// The list nodes of suspended coroutines: the nodes are intrusive and live in the coroutines'
// frames, so that waiting allocates nothing and the code that ends a wait finds its coroutine
// directly.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/detail/message_record.hpp"
#include "coracle/errors.hpp"

#include <coroutine>
#include <cstdint>

namespace coracle {

class Agent;
class Match;

namespace detail {

class Worker;
class NodeCore;
struct AgentAccess;

// A node of a circular doubly linked list; linked to itself when it is in no list.
struct Link {
  Link() noexcept : next(this), prev(this) {}
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  ~Link() {
    if (linked()) unlink();
  }

  bool linked() const noexcept { return next != this; }
  void unlink() noexcept {
    next->prev = prev;
    prev->next = next;
    next = prev = this;
  }
  // Puts `node` at the end of the list of which this is the head.
  void push_back(Link& node) noexcept {
    node.prev = prev;
    node.next = this;
    prev->next = &node;
    prev = &node;
  }

  Link* next;
  Link* prev;
};

// A coroutine that waits, in a list of waiting coroutines, or that is ready, in its worker's list.
struct Waiting : Link {
  std::coroutine_handle<> frame;
};

// The beginning and the end of a wait; Time::max(): unknown, or never.
struct WaitTimes {
  Time begun = Time::max(), ends = Time::max();
};

// An alarm of a worker: at its time the worker calls `fire`.
struct TimerNode {
  using Fire = void (*)(TimerNode&) noexcept;
  static constexpr std::uint32_t idle = ~std::uint32_t{0};

  explicit TimerNode(Fire what) noexcept : fire(what) {}
  TimerNode(const TimerNode&) = delete;
  TimerNode& operator=(const TimerNode&) = delete;
  ~TimerNode() {
    if (place != idle) disarm();
  }
  void arm(Worker& worker, Time at);
  void disarm() noexcept;
  // The times of a wait that ends at this alarm, which was armed for `deadline`.
  WaitTimes times_of(const Deadline& deadline) const noexcept {
    if (place == idle) return {};
    return {deadline.begun(when), when};
  }

  Fire fire;
  Worker* owner = nullptr;
  Time when{};
  std::uint32_t place = idle;
};

// A receive that waits.
struct Reader : Waiting {
  Reader(Agent* whose, bool chooses) noexcept : agent(whose), selective(chooses) {}

  // The condition for messages; nullptr: any message.
  const Match* match() const noexcept;

  Agent* agent;
  MessageRecord* record = nullptr;
  Errc error{};
  const bool selective;  // this is a Receiving
  bool has_deadline = false;
};

}  // namespace detail

}  // namespace coracle
