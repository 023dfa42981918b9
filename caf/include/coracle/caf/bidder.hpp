// An agent that works for others under contracts (the paper's Bidder, section 2.3). Derive from it
// and define its bids and its work. Tests: tests/contracts/contracts_test.cpp.
#pragma once

#include "coracle/caf/contractor.hpp"
#include "coracle/caf/contracts/commitments.hpp"
#include "coracle/caf/contracts/engagement.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace coracle::caf {

// An agent that bids. It may work on several contracts at a time, but never promises more than its
// capacity. If it publishes by describe() that it is interested in contracts, clients find it.
class Bidder : public virtual Contractor {
 public:
  // `capacity` counts the units of Contract::size. `random` outlives the bidder.
  explicit Bidder(std::uint64_t capacity = 1, Promises promises = Promises::at_award,
                  Random& random = machine_random());
  ~Bidder() override;

 protected:
  // Returns the agent's bid, which is sent if the capacity suffices. An empty result declines.
  virtual std::optional<Bid> bid_for(const Name& client, const Contract& contract);
  // The same as bid_for(), for a bidder that must first request something of others, also by
  // contracts of its own, or that computes for long. By default it calls bid_for(). It is not
  // called once the bidding is over.
  virtual Task<std::optional<Bid>> consider(const Name& client, const Contract& contract);
  // Does the work, in a task of its own; others may do parts of it. The function should check from
  // time to time whether the engagement still holds. If it does not, nobody receives the result.
  virtual Task<Fulfilment> fulfil(Engagement work) = 0;
  // Called when a bid has come to nothing. There are five reasons: its call is over; it was not
  // considered in time; the client does not reply; there was no capacity for the award; or the
  // award was taken back before the work began. It may also be called for a contract that this
  // bidder did not bid for.
  virtual void on_rejection(const Name& client, ContractId contract, const std::string& reason);
  // Called when an engagement has ended before its last report, with the reason. The client owes
  // `penalty`.
  virtual void on_lost(const Engagement& work, const std::string& reason, Amount penalty);
  // Called when the client has settled this bidder's last report or withdrawal.
  virtual void on_settled(const Name& client, const Settled& settled);

  // Registers for the contracts of `client`. Fails as ask() does: with Errc::refused and the reason
  // when the client does not admit this bidder.
  Task<> register_with(Name client, Properties about = {}, Deadline deadline = Deadline::never());
  // Cancels the registration; the bids to this client are taken back.
  Task<> leave(Name client);
  // Sends the client an interim report. Returns false when the engagement does not hold any more.
  Task<bool> report(Engagement work, std::string text);
  // Gives an engagement back; this bidder then owes the penalty.
  Task<> withdraw(Engagement work, std::string reason);
  // The commitments of this bidder.
  const Commitments& commitments() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coracle::caf
