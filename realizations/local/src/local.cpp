#include "coracle/realizations/local.hpp"

#include <atomic>

namespace coracle::local {

namespace {

// Everything is in one process: what is carried is there.
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

Realization realization(Options options) {
  Realization made;
  made.name = "local:";
  made.transport = std::make_shared<LocalTransport>();
  made.clock = options.clock;
  Clock& clock = made.clock ? *made.clock : steady_clock();
  made.directory = local_directory(clock, 1, options.directory);
  made.queue = mail_queues();
  return made;
}

}  // namespace coracle::local
