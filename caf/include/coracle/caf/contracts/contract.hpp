// The messages between clients and bidders (the paper's Contract, section 2.3). Their content is
// typed, so that any agent can take part. One contract consists of: Contract to each bidder, a Bid
// or Decline from each, Award to the winner, Acceptance, Lease, Reports, Settled; Rejection to the
// others.
#pragma once

#include "coracle/caf/contracts/auction.hpp"
#include "coracle/clock.hpp"
#include "coracle/ending.hpp"
#include "coracle/query.hpp"
#include "coracle/typed.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// The number of a contract, which no other contract of the same client has.
using ContractId = std::uint64_t;
// Counts the awards of one contract. Only messages about the award that holds an item now have an
// effect on this item.
using AwardNumber = std::uint32_t;

// The price of breaking a promise (leveled commitment, Sandholm & Lesser).
struct Penalty {
  Amount fixed = 0;
  // The additional amount for each second since the award was accepted.
  Amount per_second = 0;

  // Returns the amount that is due after time `since`, never more than amount_limit.
  Amount after(Duration since) const noexcept;

  friend bool operator==(const Penalty&, const Penalty&) = default;
};

// A contract that another one is part of.
struct Ancestor {
  std::string client;
  ContractId id = 0;

  friend bool operator==(const Ancestor&, const Ancestor&) = default;
};

// From a client to bidders: an invitation to bid. A member that is not set has the default given
// here. The client assigns `id`.
struct Contract {
  static constexpr std::string_view content_type = "coracle/caf/contract/v1";

  // The contract's number, and the number of the call for bids. A later call replaces an earlier
  // one.
  ContractId id = 0;
  std::uint32_t round = 1;
  // The kind of the task, and its subject.
  std::string kind;
  std::string subject;
  // The items that can be bid for in bundles. If there are none, the whole contract goes to one
  // bidder.
  std::vector<std::string> items;
  // The units of a bidder's capacity that each item takes.
  std::uint32_t size = 1;
  // The time for which the client takes bids.
  Duration bid_within = std::chrono::seconds(5);
  // The time for which a bidder must keep its bid up. It is longer than `bid_within`.
  Duration bid_holds = std::chrono::seconds(30);
  // The duration of a lease. An awardee whose client receives no renewal for that long has lost the
  // contract, and both know it.
  Duration lease = std::chrono::seconds(10);
  // The penalty that the client pays for terminating the contract, and the penalty that an awardee
  // pays for giving an award back.
  Penalty client_penalty;
  Penalty bidder_penalty;
  // The contracts that this contract is part of, the outermost first.
  std::vector<Ancestor> ancestry;

  // All items of the contract.
  Items all() const noexcept { return all_items(items.empty() ? 1 : items.size()); }

  friend bool operator==(const Contract&, const Contract&) = default;
};

// An amount for some items.
struct Offering {
  Items items = 1;
  Amount amount = 0;

  friend bool operator==(const Offering&, const Offering&) = default;
};

// From a bidder to a client: the amounts for which it would do the work. Of several offerings, at
// most one wins. A second bid of the same round replaces the first.
struct Bid {
  static constexpr std::string_view content_type = "coracle/caf/bid/v1";

  // The call that this bid replies to. Bidder fills it in.
  ContractId contract = 0;
  std::uint32_t round = 0;
  std::vector<Offering> offerings;
  // Further arguments for this bid.
  std::string text;

  // A bid for all of `contract`.
  static Bid of(const Contract& contract, Amount amount) {
    return {0, 0, {{contract.all(), amount}}, {}};
  }
};

// From a bidder to a client: the bidder does not bid. A Decline also takes back a bid of this
// round.
struct Decline {
  static constexpr std::string_view content_type = "coracle/caf/decline/v1";

  // The call that this message replies to, and the reason.
  ContractId contract = 0;
  std::uint32_t round = 0;
  std::string reason;
};

// From a client to a bidder: an award of some items, if the bidder still accepts them.
struct Award {
  static constexpr std::string_view content_type = "coracle/caf/award/v1";

  // The contract, the call, and the award's number.
  ContractId contract = 0;
  std::uint32_t round = 0;
  AwardNumber award = 0;
  Items items = 1;
  // The amount that was offered, and the price that is paid.
  Amount amount = 0;
  Amount price = 0;
};

// From an awardee to a client: it accepts the award, or renews its lease. The awardee may act once
// it has a Lease for the award.
struct Acceptance {
  static constexpr std::string_view content_type = "coracle/caf/acceptance/v1";

  // The award. `asked` is the time of the awardee's own clock; the Lease repeats it.
  ContractId contract = 0;
  AwardNumber award = 0;
  std::int64_t asked = 0;
  // A number that no other agent has, even under the same name. Later messages about this award
  // must come from the agent with this number.
  std::uint64_t holder = 0;
  // The incarnation of that agent under its name, by which the client recognizes the agent's
  // Ending.
  Incarnation life = {};
};

// From a client to an awardee: the items are the awardee's until Contract::lease after `asked`, by
// the awardee's clock.
struct Lease {
  static constexpr std::string_view content_type = "coracle/caf/lease/v1";

  // The award and the time, as in Acceptance.
  ContractId contract = 0;
  AwardNumber award = 0;
  std::int64_t asked = 0;
};

// From an awardee to a client: it cannot take the award after all, or it gives the award back and
// owes the penalty.
struct Withdrawal {
  static constexpr std::string_view content_type = "coracle/caf/withdrawal/v1";

  // The award, and the reason.
  ContractId contract = 0;
  AwardNumber award = 0;
  std::string reason;
  // As in Acceptance; zero if the bidder had not accepted the award.
  std::uint64_t holder = 0;
};

// From an awardee to a client: its progress, or its result.
struct Report {
  static constexpr std::string_view content_type = "coracle/caf/report/v1";

  // The award.
  ContractId contract = 0;
  AwardNumber award = 0;
  // `final` is true in the last report. `done` is then true if the work is done.
  bool final = false;
  bool done = false;
  std::string text;
  std::uint64_t holder = 0;
};

// From a client to a bidder: this call is over, and the bidder has no award of it, or has none any
// more.
struct Rejection {
  static constexpr std::string_view content_type = "coracle/caf/rejection/v1";

  // The contract, the last call that this message covers, and the reason.
  ContractId contract = 0;
  std::uint32_t round = 0;
  std::string reason;
};

// From a client to an awardee: it must stop, because it has lost the award. The client owes
// `penalty`.
struct Termination {
  static constexpr std::string_view content_type = "coracle/caf/termination/v1";

  // The award, and the reason.
  ContractId contract = 0;
  AwardNumber award = 0;
  std::string reason;
  Amount penalty = 0;
};

// From an awardee to a client: it has stopped.
struct Released {
  static constexpr std::string_view content_type = "coracle/caf/released/v1";

  // The award.
  ContractId contract = 0;
  AwardNumber award = 0;
  std::uint64_t holder = 0;
};

// From a client to an awardee: it acknowledges the last report or withdrawal. `price` is the agreed
// price, or `penalty` is the penalty that the awardee owes.
struct Settled {
  static constexpr std::string_view content_type = "coracle/caf/settled/v1";

  // The award.
  ContractId contract = 0;
  AwardNumber award = 0;
  Amount price = 0;
  Amount penalty = 0;
};

// To the sender of a message that has no effect: what the message was, and the reason.
struct Objection {
  static constexpr std::string_view content_type = "coracle/caf/objection/v1";

  // The contract and the award, if any.
  ContractId contract = 0;
  AwardNumber award = 0;
  std::string what;
  std::string reason;
  // True if the sender has lost that award.
  bool is_lost = false;
};

// From a bidder to a client: it registers for the client's contracts, or cancels its registration.
// The client replies if it is a request.
struct Registration {
  static constexpr std::string_view content_type = "coracle/caf/registration/v1";

  // True if the registration ends; and the properties of the bidder.
  bool leaves = false;
  std::map<std::string, Value> properties;
};

// Returns the fault of a bid by itself; empty when there is none.
std::string fault_of(const Bid& bid, const Contract& contract);

}  // namespace coracle::caf
