// The waits of one worker's agents for each other, and the search for cycles of them.
#pragma once

#include "coracle/detail/awaiters.hpp"
#include "coracle/detail/waiting.hpp"

#include <string>
#include <utility>
#include <vector>

namespace coracle::detail {

class Mailbox;
struct Probe;

class WaitingCycles {
 public:
  explicit WaitingCycles(Worker& worker) noexcept;

  // Notes that the only task of `agent` waits for `whom`; false when that closes a cycle here.
  bool begin(Agent& agent, Mailbox* whom, Sending& what) noexcept;
  void end(Agent& agent, const Sending& what) noexcept;
  // Returns whether some waits have not been probed yet.
  bool has_unprobed() const noexcept { return !blocked_.empty(); }
  void send_probes();
  // Moves the probe on, and deletes it when it does not leave this worker.
  void follow(Probe* probe) noexcept;

  const bool is_alone;  // only its own agents can wait for each other, and no driver looks on

 private:
  // A timer after which the waits that lead to other nodes are probed again.
  struct ProbeAgain final : TimerNode {
    explicit ProbeAgain(WaitingCycles& whose) noexcept : TimerNode(&on_time), cycles(whose) {}
    static void on_time(TimerNode& timer) noexcept;

    WaitingCycles& cycles;
    std::vector<std::pair<Mailbox*, unsigned>> waits;  // and how often each was probed
  };

  bool begin_at_length(Mailbox& mailbox, Mailbox* whom, Sending& what) noexcept;
  bool would_close(const Mailbox& mailbox, const Mailbox* whom) noexcept;
  void forget(Mailbox& mailbox) noexcept;
  void probe_later(Mailbox& mailbox);

  Worker& worker_;
  std::vector<Mailbox*> blocked_;  // mailboxes whose wait has not been probed yet
  ProbeAgain probe_again_;
};

// Returns the names of the cycle that a wait for `from` would close.
std::string circle(const Mailbox& from, const Mailbox& closer);

}  // namespace coracle::detail
