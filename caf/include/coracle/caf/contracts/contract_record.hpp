// The record of a contract, by which anybody can check who was awarded what, and why. Tests:
// caf/tests/contracts/tender_test.cpp.
#pragma once

#include "coracle/caf/common/incident.hpp"
#include "coracle/caf/contracts/contract.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace coracle::caf {

// The state of an award.
enum class AwardState : std::uint8_t {
  offered,   // the bidder has not replied
  running,   // the bidder has accepted, and has a lease
  revoking,  // the bidder was sent a termination, and has not replied
  // An award in one of the following states has ended.
  fulfilled,
  refused,     // the bidder did not want the award any more
  lapsed,      // the bidder did not reply in time
  failed,      // by the bidder's last report
  expired,     // the lease expired
  released,    // the bidder has stopped after a termination
  withdrawn,   // the bidder gave the award back
  terminated,  // the contract ended earlier
  gone,        // the agent that had the award has ended
};

// Returns "offered", "running", …
const char* to_string(AwardState state) noexcept;
// Returns whether the award holds its items now. A fulfilled award is not live.
constexpr bool is_live(AwardState state) noexcept { return state <= AwardState::revoking; }

// The end of a contract.
enum class Ended : std::uint8_t {
  fulfilled,  // all items
  partly,     // some of the items
  no_bids,    // nobody bid
  rejected,   // there were bids, and the client accepted none
  failed,     // no awardee has done the work
  cancelled,  // the client cancelled it
};

// Returns "fulfilled", "partly", …
const char* to_string(Ended ended) noexcept;

// Stands for a choice that has not been made yet.
inline constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

// A bid that the client accepted for consideration.
struct TakenBid {
  // The bidder's index among the invited, and the call that the bid replies to.
  std::uint32_t bidder = 0;
  std::uint32_t round = 0;
  std::vector<Offering> offerings;
  std::string text;
  // The time since the contract was announced.
  Duration at{};
  // The number of choices that were made before the bid was replaced or taken back.
  std::uint32_t until = never;

  friend bool operator==(const TakenBid&, const TakenBid&) = default;
};

// An award, and its history.
struct MadeAward {
  AwardNumber number = 0;
  // The number of the choice, counted from one, and the bidder's index among the invited.
  std::uint32_t choice = 0;
  std::uint32_t bidder = 0;
  // The agent that has accepted, among those that had the bidder's name.
  std::uint64_t holder = 0;
  Items items = 0;
  Amount amount = 0;
  Amount price = 0;
  AwardState state = AwardState::offered;
  // The times at which the award was made, began to run, and ended; and the number of choices that
  // were made before it ended.
  Duration made{};
  Duration begun{};
  Duration ended{};
  std::uint32_t until = never;
  // The last report, or the reason of the end.
  std::string text;
  Amount client_owes = 0;
  Amount bidder_owes = 0;

  friend bool operator==(const MadeAward&, const MadeAward&) = default;
};

// An interim report.
struct Progressed {
  AwardNumber award = 0;
  std::string text;
  Duration at{};

  friend bool operator==(const Progressed&, const Progressed&) = default;
};

// The result of a contract for its client.
struct Settlement {
  static constexpr std::string_view content_type = "coracle/caf/settlement/v1";

  // The work of one bidder.
  struct Part {
    std::string bidder;
    Items items = 0;
    Amount price = 0;
    std::string result;

    friend bool operator==(const Part&, const Part&) = default;
  };

  // The contract, and how it ended.
  ContractId id = 0;
  Ended ended = Ended::no_bids;
  std::vector<Part> parts;
  std::string why;
  // The sums of penalties.
  Amount client_owes = 0;
  Amount bidders_owe = 0;

  friend bool operator==(const Settlement&, const Settlement&) = default;
};

// Everything about one contract.
struct ContractRecord {
  static constexpr std::string_view content_type = "coracle/caf/contract-record/v1";

  // The client, and the last version of the contract.
  std::string client;
  Contract contract;
  // The rule of the choice and its parameters.
  std::string rule;
  Pricing pricing = Pricing::first_price;
  std::optional<Amount> reserve;
  std::uint64_t seed = 0;
  // The bidders that were invited, and their bids.
  std::vector<std::string> invited;
  std::vector<TakenBid> bids;
  // For each choice, the call whose bids it was made of.
  std::vector<std::uint32_t> choices;
  std::vector<MadeAward> awards;
  std::vector<Progressed> progress;
  std::vector<Incident> incidents;
  Settlement settlement;
};

// The offers among which the client can choose at some moment.
struct Standing {
  Items free = 0;
  std::vector<Offer> offers;
  // For each offer, the bid that it belongs to.
  std::vector<std::uint32_t> bids;
};

// Returns the offers from which choice number `choice` (from one) of a record was, or will be,
// made.
Standing standing_at(const ContractRecord& record, std::uint32_t choice);

// Makes every choice of a record again and returns the faults of the record; nothing when the
// record supports its settlement. Fails with Errc::bad_options when the rule is not built in; then
// pass the rule.
std::vector<std::string> retrace(const ContractRecord& record);
std::vector<std::string> retrace(const ContractRecord& record, const AwardRule& rule);

}  // namespace coracle::caf
