// Runs work where a mailbox lives, or on every worker; used by the files that exchange frames.
#pragma once

#include "coracle/support/core_frames.hpp"
#include "remote.hpp"
#include "runtime/elsewhere/outbound.hpp"
#include "runtime/node/node_core.hpp"

namespace coracle::detail {

inline Holder holder_of(const Entry& entry) {
  return Holder{entry.lease, entry.incarnation, entry.mailbox};
}

// Links identify mailboxes by numbers; nullptr is any mailbox.
inline FramePair frame_pair(const Mailbox* source, const Mailbox* target) noexcept {
  return {reinterpret_cast<std::uintptr_t>(source), reinterpret_cast<std::uintptr_t>(target)};
}

// Runs `act` at the home of a mailbox, at once if that is the current worker.
template <class Act>
void at_home(Mailbox& mailbox, Act act) {
  Worker* const home = mailbox.home.load(std::memory_order_acquire);
  if (home == Worker::current()) return act(*home, mailbox);
  home->post(command([&mailbox, act = std::move(act)](Worker&) { at_home(mailbox, act); }));
}

inline void learn(Mailbox& mailbox, Holder holder) {
  at_home(mailbox, [holder = std::move(holder)](Worker& home, Mailbox& there) {
    on_holder(home, there, holder);
  });
}

// Runs `act` when every worker has dealt with all that it was given so far.
template <class Act>
void pass_through_all(NodeCore& node, unsigned from, Act act) {
  if (from == node.worker_count()) return act();
  if (&node.worker(from) == Worker::current()) {
    Worker::current()->publish();
    return pass_through_all(node, from + 1, std::move(act));
  }
  node.worker(from).post(command([&node, from, act = std::move(act)](Worker& at) {
    at.publish();
    pass_through_all(node, from + 1, act);
  }));
}

}  // namespace coracle::detail
