// Moves envelopes towards the node where their target lives and reports what became of them.
// Realizations: local_transport() here, a user's own class by Realization::transport.
// Contract: tests/contract/transport.hpp
#pragma once

#include "coracle/envelope.hpp"
#include "coracle/errors.hpp"

#include <cstdint>
#include <memory>

namespace coracle {

namespace detail {
struct RoomTicket;
}

// What a transport says to an envelope.
enum class Verdict : std::uint8_t {
  carried,    // taken: it will have exactly one outcome
  no_credit,  // left untouched: the route or the mailbox has no room now; await credit
  full,       // left untouched: the target's policy is to fail, or too much waits for an absent one
};

// Woken once when it is worth trying again; lives in whoever waits.
class CreditWaiter {
 public:
  // Called on the thread that waits. When it is not `granted`, the answer is final: the mailbox is
  // full and its policy is not to wait.
  virtual void on_credit(bool granted) noexcept = 0;

 protected:
  ~CreditWaiter() = default;

 private:
  friend struct detail::RoomTicket;
  detail::RoomTicket* ticket_ = nullptr;
};

// The receiving side of a node, for transports.
class Inbound {
 public:
  // Hands an envelope to its target's mailbox on this node. Called on the sender's worker, or on
  // any thread that the library does not own (which never gets Verdict::no_credit).
  virtual Verdict deliver(Envelope& envelope) = 0;
  // Ends an envelope that cannot be moved on.
  virtual void give_up(Envelope&& envelope, Outcome outcome) noexcept = 0;
  // Has `waiter` woken once when `envelope` may be delivered: a place is kept for it. The envelope
  // stays where it is until then, or until forget().
  virtual void await_room(Envelope& envelope, CreditWaiter& waiter) = 0;
  // Forgets `waiter`; afterwards it is not woken.
  virtual void forget(CreditWaiter& waiter) noexcept = 0;

 protected:
  ~Inbound() = default;
};

class Links;
class Reactor;

// Its calls come from the sender's worker; several workers may call at once.
class Transport {
 public:
  virtual ~Transport() = default;

  // Called once, before anything else, by the node that it will serve.
  virtual void bind(Inbound& inbound) = 0;
  // Whether all targets live on that node and try_carry() does nothing but deliver; the node may
  // then do so itself.
  virtual bool only_delivers() const noexcept { return false; }
  // What leads to other nodes; nullptr when there are none.
  virtual Links* links() noexcept { return nullptr; }
  // Where the node's first worker shall wait; nullptr when there is nothing to wait for. Always the
  // same.
  virtual std::shared_ptr<Reactor> reactor() { return nullptr; }
  // Takes charge of `envelope` if its route has credit; from then on it has exactly one outcome.
  // Envelopes from one sender to one target keep their order. Never waits: unless the verdict is
  // `carried`, the envelope is untouched.
  virtual Verdict try_carry(Envelope& envelope) = 0;
  // Has `waiter` woken once when the route of `envelope` may have credit.
  virtual void await_credit(Envelope& envelope, CreditWaiter& waiter) = 0;
  // Forgets `waiter`; afterwards it is not woken.
  virtual void forget(CreditWaiter& waiter) noexcept = 0;
};

// The one within a node: what it carries is there. Between nodes `links` carry, if given, and what
// they wait for is `reactor`'s. It serves one node; bind() fails with Errc::bad_realization for a
// second one.
std::shared_ptr<Transport> local_transport(std::shared_ptr<Links> links = nullptr,
                                           std::shared_ptr<Reactor> reactor = nullptr);

}  // namespace coracle
