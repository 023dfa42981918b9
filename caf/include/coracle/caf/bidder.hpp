// Who does something for others (the paper's Bidder, section 2.3): derive, and say what you bid for
// and how you do it. Contract: tests/contracts/contracts_test.cpp.
#pragma once

#include "coracle/caf/commitments.hpp"
#include "coracle/caf/contractor.hpp"
#include "coracle/caf/engagement.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace coracle::caf {

// An agent that bids. It may be at work on several contracts at a time, but never has promised more
// than its capacity. Where contracts may interest it, say so by describe(), and clients find it.
class Bidder : public virtual Contractor {
 public:
  // `capacity` counts units as Contract::size does.
  // `random` outlives the bidder.
  explicit Bidder(std::uint64_t capacity = 1, Promises promises = Promises::at_award,
                  Random& random = machine_random());
  ~Bidder() override;

 protected:
  // What it bids, if there is room for that; nothing: it declines.
  virtual std::optional<Bid> bid_for(const Name& client, const Contract& contract);
  // The same, for a bidder that must ask others first, also by contracts of its own, or compute for
  // long. Otherwise it calls the one above. It is not called once the bidding is over.
  virtual Task<std::optional<Bid>> consider(const Name& client, const Contract& contract);
  // Does the work, in a task of its own; it may have parts of it done by others. Look now and then
  // whether the engagement holds: if not, nobody will hear the result.
  virtual Task<Fulfilment> fulfil(Engagement work) = 0;
  // Told that nothing has come of a bid: its call is over, it was not considered in time, the
  // client does not answer, there was no room for the award, or the award was taken back before the
  // work began. It may be told of what it has not bid for.
  virtual void on_rejection(const Name& client, ContractId contract, const std::string& reason);
  // Told that an engagement has ended before its last report, and why; the client owes `penalty`.
  virtual void on_lost(const Engagement& work, const std::string& reason, Amount penalty);
  // Told that the client has taken its last word.
  virtual void on_settled(const Name& client, const Settled& settled);

  // Wants to be told of the contracts of `client`. Fails as ask() does: with Errc::refused and the
  // reason when that does not want it.
  Task<> register_with(Name client, Properties about = {}, Deadline deadline = Deadline::never());
  // Does not want to any more; what it has bid is taken back.
  Task<> leave(Name client);
  // Tells the client how far it is. False when the engagement does not hold any more.
  Task<bool> report(Engagement work, std::string text);
  // Gives an engagement back and owes the penalty.
  Task<> withdraw(Engagement work, std::string reason);
  // What it has promised.
  const Commitments& commitments() const noexcept;

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace coracle::caf
