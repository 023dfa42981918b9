#include "coracle/transport.hpp"

namespace coracle {

void LocalTransport::bind(Inbound& inbound) {
  if (inbound_ != nullptr) {
    throw Error(Errc::bad_realization,
                "a local realization serves one node; open another one for the second node");
  }
  inbound_ = &inbound;
}

Verdict LocalTransport::try_carry(Envelope& envelope) { return inbound_->deliver(envelope); }

void LocalTransport::await_credit(Envelope& envelope, CreditWaiter& waiter) {
  inbound_->await_room(envelope, waiter);
}

void LocalTransport::forget(CreditWaiter& waiter) noexcept { inbound_->forget(waiter); }

}  // namespace coracle
