// What clients and bidders say to each other (the paper's Contract, section 2.3): typed content, so
// that anybody can take part. One contract is: Contract to each bidder, a Bid or Decline from each,
// Award to the winner, Acceptance, Lease, Reports, Settled; Rejection to the others.
#pragma once

#include "coracle/caf/auction.hpp"
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
// Counts the awards of one contract. Only the one that holds an item now can do anything about it.
using AwardNumber = std::uint32_t;

// What it costs to break one's word (leveled commitment, Sandholm & Lesser).
struct Penalty {
  Amount fixed = 0;
  // And for each second since the award was accepted.
  Amount per_second = 0;

  // What is due after that time, never more than amount_limit.
  Amount after(Duration since) const noexcept;

  friend bool operator==(const Penalty&, const Penalty&) = default;
};

// A contract that another one is part of.
struct Ancestor {
  std::string client;
  ContractId id = 0;

  friend bool operator==(const Ancestor&, const Ancestor&) = default;
};

// To bidders: who would do this? What is left out has these defaults; the client numbers it.
struct Contract {
  static constexpr std::string_view content_type = "coracle/caf/contract/v1";

  // Which one it is, and which call for bids: a call that follows another replaces it.
  ContractId id = 0;
  std::uint32_t round = 1;
  // What kind of task it is, and which.
  std::string kind;
  std::string subject;
  // What can be bid for in bundles; none: it goes to one bidder as a whole.
  std::vector<std::string> items;
  // How much of a bidder's capacity each item takes.
  std::uint32_t size = 1;
  // How long bids are taken.
  Duration bid_within = std::chrono::seconds(5);
  // How long a bid must be kept up after it was made; longer than bids are taken.
  Duration bid_holds = std::chrono::seconds(30);
  // An awardee that is not heard of for that long has lost the contract, and knows it.
  Duration lease = std::chrono::seconds(10);
  // What the client pays for terminating the contract, and an awardee for giving it back.
  Penalty client_penalty;
  Penalty bidder_penalty;
  // Those that it is part of, the outermost first.
  std::vector<Ancestor> ancestry;

  // All there is to bid for.
  Items all() const noexcept { return all_items(items.empty() ? 1 : items.size()); }

  friend bool operator==(const Contract&, const Contract&) = default;
};

// An amount for some items.
struct Offering {
  Items items = 1;
  Amount amount = 0;

  friend bool operator==(const Offering&, const Offering&) = default;
};

// From a bidder: what it would do it for. Of several offerings at most one wins. A second bid of
// the same round replaces the first.
struct Bid {
  static constexpr std::string_view content_type = "coracle/caf/bid/v1";

  // Which call it answers; whoever answers need not fill that in.
  ContractId contract = 0;
  std::uint32_t round = 0;
  std::vector<Offering> offerings;
  // What else speaks for it.
  std::string text;

  // A bid for all of `contract`.
  static Bid of(const Contract& contract, Amount amount) {
    return {0, 0, {{contract.all(), amount}}, {}};
  }
};

// From a bidder: not for me. It takes back a bid of this round, too.
struct Decline {
  static constexpr std::string_view content_type = "coracle/caf/decline/v1";

  // Which call it answers, and why.
  ContractId contract = 0;
  std::uint32_t round = 0;
  std::string reason;
};

// To a bidder: some items are yours, if you still want them.
struct Award {
  static constexpr std::string_view content_type = "coracle/caf/award/v1";

  // Of which contract and call, and the award's number.
  ContractId contract = 0;
  std::uint32_t round = 0;
  AwardNumber award = 0;
  Items items = 1;
  // What was offered, and what is paid.
  Amount amount = 0;
  Amount price = 0;
};

// From an awardee: I will do it (Renewal: I am doing it). It may act once it has a Lease for it.
struct Acceptance {
  static constexpr std::string_view content_type = "coracle/caf/acceptance/v1";

  // Which award; `asked` is the awardee's own time, which the Lease repeats.
  ContractId contract = 0;
  AwardNumber award = 0;
  std::int64_t asked = 0;
  // A number that no other agent has, even under the same name: what follows must come from it.
  std::uint64_t holder = 0;
  // In which life of its name that agent is, so that its client knows it by its Ending.
  Incarnation life = {};
};

// To an awardee: the items are yours until Contract::lease after `asked`, by your clock.
struct Lease {
  static constexpr std::string_view content_type = "coracle/caf/lease/v1";

  // As in Acceptance.
  ContractId contract = 0;
  AwardNumber award = 0;
  std::int64_t asked = 0;
};

// From an awardee: it cannot take the award after all, or gives it back and owes the penalty.
struct Withdrawal {
  static constexpr std::string_view content_type = "coracle/caf/withdrawal/v1";

  // Which award, and why.
  ContractId contract = 0;
  AwardNumber award = 0;
  std::string reason;
  // Zero: it had not accepted it.
  std::uint64_t holder = 0;
};

// From an awardee: how far it is, or what came of it.
struct Report {
  static constexpr std::string_view content_type = "coracle/caf/report/v1";

  // Of which award.
  ContractId contract = 0;
  AwardNumber award = 0;
  // Whether it is the last one, and if so, whether it is done.
  bool final = false;
  bool done = false;
  std::string text;
  std::uint64_t holder = 0;
};

// To a bidder: this call is over and you have got nothing (any more).
struct Rejection {
  static constexpr std::string_view content_type = "coracle/caf/rejection/v1";

  // Of which contract, up to which call, and why.
  ContractId contract = 0;
  std::uint32_t round = 0;
  std::string reason;
};

// To an awardee: stop; it is not yours any more. The client owes `penalty`.
struct Termination {
  static constexpr std::string_view content_type = "coracle/caf/termination/v1";

  // Of which award, and why.
  ContractId contract = 0;
  AwardNumber award = 0;
  std::string reason;
  Amount penalty = 0;
};

// From an awardee: I have stopped.
struct Released {
  static constexpr std::string_view content_type = "coracle/caf/released/v1";

  // Of which award.
  ContractId contract = 0;
  AwardNumber award = 0;
  std::uint64_t holder = 0;
};

// To an awardee: your last word was taken; `price` is what was agreed, or `penalty` what you owe.
struct Settled {
  static constexpr std::string_view content_type = "coracle/caf/settled/v1";

  // Of which award.
  ContractId contract = 0;
  AwardNumber award = 0;
  Amount price = 0;
  Amount penalty = 0;
};

// To whoever sent something that has no effect: what, and why.
struct Objection {
  static constexpr std::string_view content_type = "coracle/caf/objection/v1";

  // Of which contract and award, if any.
  ContractId contract = 0;
  AwardNumber award = 0;
  std::string what;
  std::string reason;
  // Whether that award is not the sender's any more.
  bool is_lost = false;
};

// To a client: tell me of your contracts (or no longer). Answered if it is a request.
struct Registration {
  static constexpr std::string_view content_type = "coracle/caf/registration/v1";

  // Whether it ends, and what the bidder says of itself.
  bool leaves = false;
  std::map<std::string, Value> properties;
};

// What is wrong with a bid as such; empty when nothing is.
std::string fault_of(const Bid& bid, const Contract& contract);

}  // namespace coracle::caf
