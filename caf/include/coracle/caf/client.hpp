// An agent that has work done by others (the paper's Client, section 2.3). Derive from it and put
// contracts to bidding. Tests: tests/contracts/contracts_test.cpp.
#pragma once

#include "coracle/caf/contractor.hpp"
#include "coracle/caf/contracts/engagement.hpp"
#include "coracle/caf/contracts/tender.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::caf {

// The agents that are invited to bid, each once.
struct Invitation {
  Invitation() = default;

  // Names given explicitly.
  std::vector<Name> bidders;
  // If true, the agents that have registered with this client.
  bool registered = true;
  // A search in the directory for agents that might be interested.
  std::optional<Query> interested;
  // The condition that agents must meet if they were registered or found by the search.
  Condition eligible;
};

// An agent with contracts, several at a time if it likes. Each contract ends in every case: bids,
// acceptances, reports and leases have time limits, and the number of calls is limited.
class Client : public virtual Contractor {
 public:
  // The numbers of its contracts begin at a random number, so that no two clients under one name
  // use the same numbers. `random` outlives the client.
  explicit Client(Random& random = machine_random());
  ~Client() override;

 protected:
  // Announces `what`, awards it and returns the settlement. `part_of` is the engagement that needs
  // this contract: when that engagement ends, the contract ends too. It can be called from act(),
  // fulfil(), a handler, or another task of the agent; the agent continues to serve meanwhile.
  // Fails with Errc::bad_options for a contract that cannot be announced.
  Task<Settlement> contract(Contract what, Invitation whom = {}, Procedure how = {},
                            Engagement part_of = {});
  // Returns a number for Contract::id, for a client that needs to know the number beforehand.
  ContractId number();
  // Ends a contract. Bidders at work receive a termination and are paid the penalty. Returns false
  // when there is no such contract, or when it has already ended.
  bool cancel(ContractId id, std::string reason);
  // Does the same for one award. Its items go to another bidder, or are announced again.
  bool terminate(ContractId id, AwardNumber award, std::string reason);
  // Returns the record of one of the last contracts, or nullptr.
  const ContractRecord* record_of(ContractId id) const;

  // Called when the bidding is over, and when all awards have ended and some items are not done. An
  // override calls award(), announce_again() or end(). By default the client awards by the rule; if
  // the rule accepts nothing, the client announces the same contract again as often as the
  // procedure allows.
  virtual void decide(Tender& tender);
  // Called with each interim report.
  virtual void on_progress(const ContractRecord& record, const Report& report);
  // Called with each record when its contract is over.
  virtual void on_record(const ContractRecord& record);
  // Returns whether `bidder` may register.
  virtual bool admits(const Name& bidder, const Properties& properties);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coracle::caf
