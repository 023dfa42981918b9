// A transport carries envelopes within a node, and frames between nodes.
// Realizations: LocalTransport here, those of the realizations, a user's own class by
// Realization::transport. Filter: transport_filter.hpp
// Tests: tests/conformance/seams/transport.hpp
#pragma once

#include "coracle/envelope.hpp"
#include "coracle/errors.hpp"
#include "coracle/frames.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace coracle {

namespace detail {
struct RoomTicket;
}

// The response of a transport to an envelope.
enum class Verdict : std::uint8_t {
  carried,    // taken: it will have exactly one outcome
  no_credit,  // left untouched: the route or the mailbox has no room now; await credit
  full,  // left untouched: the target's policy is to fail, or too much waits for an absent name
};

// Is woken once when a retry is worthwhile; it is a part of the object that waits.
class CreditWaiter {
 public:
  // Called on the thread that waits. When `granted` is false, the refusal is final: the mailbox is
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
  // Wakes `waiter` once when `envelope` may be delivered: a slot is reserved for it. Until then, or
  // until forget(), the envelope must stay at its address.
  virtual void await_room(Envelope& envelope, CreditWaiter& waiter) = 0;
  // Forgets `waiter`; afterwards it is not woken.
  virtual void forget(CreditWaiter& waiter) noexcept = 0;

 protected:
  ~Inbound() = default;
};

// Its first part carries envelopes within a node, its second part frames between nodes. A
// realization of several nodes derives from LocalTransport and overrides the second part.
class Transport {
 public:
  virtual ~Transport() = default;

  // --- Within the node. The sender's worker calls; several workers may call at once. ---

  // Called once, before anything else, by the node that this transport serves.
  virtual void bind(Inbound& inbound) = 0;
  // Returns whether all targets live on that node and try_carry() only delivers; the node may then
  // deliver by itself.
  virtual bool only_delivers() const noexcept { return false; }
  // Takes charge of `envelope` if its route has credit; from then on it has exactly one outcome.
  // Envelopes from one sender to one target keep their order. Never waits: unless the verdict is
  // `carried`, the envelope is untouched.
  virtual Verdict try_carry(Envelope& envelope) = 0;
  // Wakes `waiter` once when the route of `envelope` may have credit.
  virtual void await_credit(Envelope& envelope, CreditWaiter& waiter) = 0;
  // Forgets `waiter`; afterwards it is not woken.
  virtual void forget(CreditWaiter& waiter) noexcept = 0;

  // --- Between nodes. Safe to call from every thread. ---
  // As long as two nodes live, each frame from one to the other arrives exactly once and in order,
  // except for frames that are sent apart, however often their connection breaks.

  // Returns whether there can be other nodes. When it returns false, nothing below is called.
  virtual bool connects_nodes() const noexcept { return false; }
  // Called by the node when it has its lease, and again for each later lease. From then on only
  // frames to that lease come to the receiver.
  virtual void attach(FrameReceiver& receiver, LeaseId self) {
    static_cast<void>(receiver), static_cast<void>(self);
  }
  // After it has returned, no call comes to the receiver.
  virtual void detach() noexcept {}
  // Sends a frame of the lease `self`, and keeps `content` until it is no longer needed. False asks
  // the caller to send no more messages until on_room(); answers to messages may always be sent.
  // Does nothing when the peer is gone, or when `self` is an earlier lease of the node.
  // With `apart`, frames that are sent later may overtake a large one, unless they are sent apart
  // too and their pair meets its own. So the meaning of a frame that is sent apart must not depend
  // on the frames before it.
  virtual bool send(LeaseId self, LeaseId to, std::span<const std::byte> frame,
                    const Content& content, const Apart* apart) {
    static_cast<void>(self), static_cast<void>(to), static_cast<void>(frame);
    static_cast<void>(content), static_cast<void>(apart);
    return true;
  }
  // Returns whether frames that are sent apart can be overtaken; else all arrive in order.
  virtual bool sends_apart() const noexcept { return false; }
  // Called after on_back(): the node has forgotten everything about `peer`, too. Frames that it
  // sends from now on reach the peer.
  virtual void meet(LeaseId self, LeaseId peer) {
    static_cast<void>(self), static_cast<void>(peer);
  }
  // Returns whether each peer that is not gone has received all frames. Called while nobody sends.
  virtual bool all_acknowledged() { return true; }
  // `peer` sent a frame that makes no sense: ends the link to it, for that reason.
  virtual void refuse(LeaseId peer, std::string_view reason) {
    static_cast<void>(peer), static_cast<void>(reason);
  }
};

// The transport within a node: an envelope that it carries is delivered at once. It connects no
// other nodes; a class that does so overrides the second part. It serves one node; bind() fails
// with Errc::bad_realization for a second one.
class LocalTransport : public Transport {
 public:
  void bind(Inbound& inbound) override;
  bool only_delivers() const noexcept override { return true; }
  Verdict try_carry(Envelope& envelope) override;
  void await_credit(Envelope& envelope, CreditWaiter& waiter) override;
  void forget(CreditWaiter& waiter) noexcept override;

 private:
  Inbound* inbound_ = nullptr;
};

}  // namespace coracle
