// Who has something done by others (the paper's Client, section 2.3): derive, and put contracts to
// bidding. Contract: tests/contracts/contracts_test.cpp.
#pragma once

#include "coracle/caf/contractor.hpp"
#include "coracle/caf/engagement.hpp"
#include "coracle/caf/tender.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::caf {

// Who is asked to bid; each once.
struct Invitation {
  Invitation() = default;

  // Those.
  std::vector<Name> bidders;
  // Who has registered with this client.
  bool registered = true;
  // Who is found in the directory by that search: who might be interested.
  std::optional<Query> interested;
  // Of those who have registered or were found, only who is like that.
  Condition eligible;
};

// An agent with contracts, several at a time if it likes. A contract ends in every case: bids,
// acceptances, reports and leases have their times, and there is an end to calls.
class Client : public virtual Contractor {
 public:
  // The numbers of its contracts begin at a random one, so that no two clients under one name have
  // the same. `random` outlives the client.
  explicit Client(Random& random = machine_random());
  ~Client() override;

 protected:
  // Announces `what`, awards it and gives what came of it. `part_of` is the engagement that needs
  // it: when that ends, so does this. Called from act(), fulfil(), a handler, or another task of
  // the agent, which goes on serving meanwhile. Fails with Errc::bad_options for what cannot be
  // announced.
  Task<Settlement> contract(Contract what, Invitation whom = {}, Procedure how = {},
                            Engagement part_of = {});
  // A number for Contract::id, for a client that wants to know it beforehand.
  ContractId number();
  // Ends a contract; who is at work is told to stop, and paid the penalty. False when there is no
  // such contract, or none any more.
  bool cancel(ContractId id, std::string reason);
  // The same for one award; its items go to somebody else, or are announced again.
  bool terminate(ContractId id, AwardNumber award, std::string reason);
  // What is known of one of the last contracts, or nullptr.
  const ContractRecord* record_of(ContractId id) const;

  // What to do when the bidding is over, and when all awards have ended and something is left to be
  // done: award(), announce_again() or end(). Otherwise it awards by the rule; where that takes
  // nothing, it announces the same again as often as the procedure says.
  virtual void decide(Tender& tender);
  // Told of each interim report.
  virtual void on_progress(const ContractRecord& record, const Report& report);
  // Told of each record when its contract is over.
  virtual void on_record(const ContractRecord& record);
  // Whether a bidder may register.
  virtual bool admits(const Name& bidder, const Properties& properties);

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace coracle::caf
