#include "coracle/transport.hpp"

namespace coracle {

namespace {

class LocalTransport final : public Transport {
 public:
  void bind(Inbound& inbound) override {
    if (inbound_ != nullptr) {
      throw Error(Errc::bad_realization,
                  "a local realization serves one node; open another one for the second node");
    }
    inbound_ = &inbound;
  }
  bool only_delivers() const noexcept override { return true; }
  Verdict try_carry(Envelope& envelope) override { return inbound_->deliver(envelope); }
  void await_credit(Envelope& envelope, CreditWaiter& waiter) override {
    inbound_->await_room(envelope, waiter);
  }
  void forget(CreditWaiter& waiter) noexcept override { inbound_->forget(waiter); }

 private:
  Inbound* inbound_ = nullptr;
};

}  // namespace

std::shared_ptr<Transport> local_transport() { return std::make_shared<LocalTransport>(); }

}  // namespace coracle
