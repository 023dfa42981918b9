// A user's own Transport, Queue and Directory, and wrappers from which tests build others.
#pragma once

#include "coracle/directory_filter.hpp"
#include "coracle/realization.hpp"
#include "coracle/transport_filter.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>

namespace coracle::conformance {

// Stands between a transport and the node. A test plants a mutation by overriding a function.
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

// A transport in which messages are overtaken: it keeps a message that `comes_late` until the next
// message of the same sender has gone.
class OvertakingTransport : public TransportFilter {
 public:
  using TransportFilter::TransportFilter;
  Verdict try_carry(Envelope& envelope) override;

 protected:
  // Called only while no other message is kept.
  virtual bool comes_late(const Envelope& envelope) = 0;

 private:
  Envelope late_;
};

// A directory that forwards every request to another one. It cannot reply to a claim at once.
class OwnDirectory : public DirectoryFilter {
 public:
  using DirectoryFilter::DirectoryFilter;
  std::optional<Result<Incarnation>> try_claim(Claim&) override { return std::nullopt; }
};

// A queue that forwards every call to another queue.
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

// Makes a second envelope of the same message, which no part of a realization may do.
Envelope copy_of(const Envelope& envelope);

// A user's own transport: each call moves its envelope through a deque of its own and delivers it
// from there to the node.
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

// A user's own queue: the simplest possible queue.
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

}  // namespace coracle::conformance
