// What suspended coroutines hang from: intrusive nodes that live in their frames, so that waiting
// allocates nothing and whatever ends a wait finds its coroutine directly.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/detail/parcel.hpp"
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

// A place in a circular doubly linked list; linked to itself when it is in none.
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
  // Puts `node` behind everything in the list that this is the head of.
  void push_back(Link& node) noexcept {
    node.prev = prev;
    node.next = this;
    prev->next = &node;
    prev = &node;
  }

  Link* next;
  Link* prev;
};

// A coroutine that waits, in a list of waiting ones, or that is ready, in its worker's list.
struct Waiting : Link {
  std::coroutine_handle<> frame;
};

// A moment at which something is to happen on a worker.
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

  Fire fire;
  Worker* owner = nullptr;
  Time when{};
  std::uint32_t place = idle;
};

// A receive that waits.
struct Reader : Waiting {
  Reader(Agent* whose, bool chooses) noexcept : agent(whose), selective(chooses) {}

  // What it waits for; nullptr: anything.
  const Match* match() const noexcept;

  Agent* agent;
  Parcel* parcel = nullptr;
  Errc error{};
  const bool selective;  // it is a Receiving
  bool has_deadline = false;
};

}  // namespace detail

}  // namespace coracle
