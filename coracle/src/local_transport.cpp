#include "coracle/links.hpp"
#include "coracle/reactor.hpp"
#include "coracle/transport.hpp"

#include <utility>

namespace coracle {

namespace {

class LocalTransport final : public Transport {
 public:
  LocalTransport(std::shared_ptr<Links> links, std::shared_ptr<Reactor> reactor)
      : links_(std::move(links)), reactor_(std::move(reactor)) {}

  void bind(Inbound& inbound) override {
    if (inbound_ != nullptr) {
      throw Error(Errc::bad_realization,
                  "a local realization serves one node; open another one for the second node");
    }
    inbound_ = &inbound;
  }
  bool only_delivers() const noexcept override { return true; }
  Links* links() noexcept override { return links_.get(); }
  std::shared_ptr<Reactor> reactor() override { return reactor_; }
  Verdict try_carry(Envelope& envelope) override { return inbound_->deliver(envelope); }
  void await_credit(Envelope& envelope, CreditWaiter& waiter) override {
    inbound_->await_room(envelope, waiter);
  }
  void forget(CreditWaiter& waiter) noexcept override { inbound_->forget(waiter); }

 private:
  const std::shared_ptr<Links> links_;
  const std::shared_ptr<Reactor> reactor_;
  Inbound* inbound_ = nullptr;
};

}  // namespace

std::shared_ptr<Transport> local_transport(std::shared_ptr<Links> links,
                                           std::shared_ptr<Reactor> reactor) {
  return std::make_shared<LocalTransport>(std::move(links), std::move(reactor));
}

}  // namespace coracle
