// A base for transports that leave the work to another one: derive from it and override what is to
// differ. Recorders, tests and the bench do so.
#pragma once

#include "coracle/transport.hpp"

#include <memory>
#include <utility>

namespace coracle {

// Passes every call on to the transport that it was given.
class TransportFilter : public Transport {
 public:
  explicit TransportFilter(std::shared_ptr<Transport> next) : next_(std::move(next)) {}

  void bind(Inbound& inbound) override { next_->bind(inbound); }
  Verdict try_carry(Envelope& envelope) override { return next_->try_carry(envelope); }
  void await_credit(Envelope& envelope, CreditWaiter& waiter) override {
    next_->await_credit(envelope, waiter);
  }
  void forget(CreditWaiter& waiter) noexcept override { next_->forget(waiter); }
  bool connects_nodes() const noexcept override { return next_->connects_nodes(); }
  void attach(FrameReceiver& receiver, LeaseId self) override { next_->attach(receiver, self); }
  void detach() noexcept override { next_->detach(); }
  bool send(LeaseId self, LeaseId to, std::span<const std::byte> frame, const Content& content,
            const Apart* apart) override {
    return next_->send(self, to, frame, content, apart);
  }
  bool sends_apart() const noexcept override { return next_->sends_apart(); }
  void meet(LeaseId self, LeaseId peer) override { next_->meet(self, peer); }
  bool all_acknowledged() override { return next_->all_acknowledged(); }
  void refuse(LeaseId peer, std::string_view reason) override { next_->refuse(peer, reason); }

 protected:
  // The transport that does the work.
  std::shared_ptr<Transport> next_;
};

}  // namespace coracle
