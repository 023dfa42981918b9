// A user's own Transport, Queue and Directory, and wrappers to build others from.
#pragma once

#include "coracle/realization.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

namespace coracle::contract {

// Stands between a transport and the node. Overriding a function is how a fault is planted.
class InboundFilter : public Inbound {
 public:
  explicit InboundFilter(Inbound& next) : next_(next) {}
  Verdict deliver(Envelope& envelope) override { return next_.deliver(envelope); }
  void give_up(Envelope&& envelope, Outcome outcome) noexcept override {
    next_.give_up(std::move(envelope), outcome);
  }
  void await_room(Envelope& envelope, CreditWaiter& waiter) override {
    next_.await_room(envelope, waiter);
  }
  void forget(CreditWaiter& waiter) noexcept override { next_.forget(waiter); }

 protected:
  ~InboundFilter() = default;
  Inbound& next_;
};

// A transport that leaves the work to another one.
class TransportFilter : public Transport {
 public:
  explicit TransportFilter(std::shared_ptr<Transport> next) : next_(std::move(next)) {}
  void bind(Inbound& inbound) override { next_->bind(inbound); }
  Verdict try_carry(Envelope& envelope) override { return next_->try_carry(envelope); }
  void await_credit(Envelope& envelope, CreditWaiter& waiter) override {
    next_->await_credit(envelope, waiter);
  }
  void forget(CreditWaiter& waiter) noexcept override { next_->forget(waiter); }

 protected:
  std::shared_ptr<Transport> next_;
};

// A transport whose messages are overtaken: one that `comes_late` is kept until its sender's next
// one has gone.
class OvertakingTransport : public TransportFilter {
 public:
  using TransportFilter::TransportFilter;
  Verdict try_carry(Envelope& envelope) override;

 protected:
  // Asked while no other one is kept.
  virtual bool comes_late(const Envelope& envelope) = 0;

 private:
  Envelope late_;
};

// A directory that leaves the work to another one and counts what it was asked.
class DirectoryFilter : public Directory {
 public:
  explicit DirectoryFilter(std::shared_ptr<Directory> next) : next_(std::move(next)) {}

  Task<Result<LeaseId>> open_lease(std::string identity, Duration term) override;
  Task<Result<void>> renew(LeaseId lease) override;
  Task<Result<void>> close_lease(LeaseId lease, EndReason reason) override;
  Task<Result<Incarnation>> claim(Claim claim) override;
  Task<Result<Incarnation>> take_over(Claim claim) override;
  Task<Result<void>> leave(Name name, Incarnation incarnation, Ending ending) override;
  Task<Result<void>> describe(Name name, Incarnation incarnation, Properties properties) override;
  Task<std::optional<Entry>> look_up(Name name) override;
  std::optional<std::optional<Entry>> try_look_up(const Name& name) override;
  Task<std::vector<LeaseId>> leases() override;
  bool may_speak_as(LeaseId lease, const Name& source) override {
    return next_->may_speak_as(lease, source);
  }
  Task<bool> find_speaker(LeaseId lease, Name source) override {
    return next_->find_speaker(lease, std::move(source));
  }
  Task<Result<void>> may_overhear(LeaseId lease, Name hearer) override {
    return next_->may_overhear(lease, std::move(hearer));
  }
  Task<Result<void>> may_look(LeaseId lease, Name name) override {
    return next_->may_look(lease, std::move(name));
  }
  Task<> catch_up() override { return next_->catch_up(); }
  bool is_custodian(LeaseId lease) override { return next_->is_custodian(lease); }
  void has_custody(LeaseId lease) override { next_->has_custody(lease); }
  Task<std::vector<Entry>> search(Query query) override;
  Task<Result<void>> join(Name group, Name member) override;
  Task<Result<void>> leave_group(Name group, Name member) override;
  Task<std::shared_ptr<const std::vector<Name>>> members(Name group) override;
  Task<std::uint64_t> watch(Name prefix, DirectoryWatcher& watcher) override;
  Task<void> unwatch(std::uint64_t watch) override;
  Task<Result<void>> delegate(Name prefix, std::shared_ptr<Directory> child) override;

  // How often anything was asked.
  std::uint64_t asked() const noexcept { return asked_; }

 protected:
  Directory& next();

 private:
  std::shared_ptr<Directory> next_;
  std::atomic<std::uint64_t> asked_ = 0;
};

// A queue that leaves the work to another one.
class QueueFilter : public Queue {
 public:
  explicit QueueFilter(std::unique_ptr<Queue> next) : next_(std::move(next)) {}
  void put(Envelope envelope) override { next_->put(std::move(envelope)); }
  void put_back(Envelope envelope) override { next_->put_back(std::move(envelope)); }
  Envelope take(const Match& match) override { return next_->take(match); }
  std::size_t count(const Match& match) const override { return next_->count(match); }
  void each(const std::function<void(const Envelope&)>& show) const override { next_->each(show); }
  std::size_t size() const noexcept override { return next_->size(); }
  std::size_t bytes() const noexcept override { return next_->bytes(); }

 protected:
  std::unique_ptr<Queue> next_;
};

// What no part may do: makes another one of the same message.
Envelope copy_of(const Envelope& envelope);

// A user's own transport: what is under way lies in a deque of its own, with a limited credit for
// each of the threads that use it, and is delivered from there in order.
class OwnTransport final : public Transport {
 public:
  void bind(Inbound& inbound) override { inbound_ = &inbound; }
  Verdict try_carry(Envelope& envelope) override;
  void await_credit(Envelope& envelope, CreditWaiter& waiter) override;
  void forget(CreditWaiter& waiter) noexcept override { inbound_->forget(waiter); }

  std::uint64_t carried() const noexcept { return carried_; }
  std::uint64_t waited() const noexcept { return waited_; }

 private:
  Inbound* inbound_ = nullptr;
  std::atomic<std::uint64_t> carried_ = 0;
  std::atomic<std::uint64_t> waited_ = 0;
};

// A user's own queue: the simplest one that can be.
class OwnQueue final : public Queue {
 public:
  void put(Envelope envelope) override;
  void put_back(Envelope envelope) override;
  Envelope take(const Match& match) override;
  std::size_t count(const Match& match) const override;
  void each(const std::function<void(const Envelope&)>& show) const override;
  std::size_t size() const noexcept override { return messages_.size(); }
  std::size_t bytes() const noexcept override { return bytes_; }

 private:
  std::deque<Envelope> messages_;
  std::size_t bytes_ = 0;
};

}  // namespace coracle::contract
