// What is kept of a contract, so that anybody can check who had it, and why. Contract:
// caf/tests/tender_test.cpp.
#pragma once

#include "coracle/caf/contract.hpp"
#include "coracle/caf/record.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace coracle::caf {

// How far an award has come.
enum class AwardState : std::uint8_t {
  offered,   // the bidder has not answered
  running,   // it has accepted, and has a lease
  revoking,  // it is told to stop, and has not answered
  // What follows has ended.
  fulfilled,
  refused,     // it did not want it any more
  lapsed,      // it did not answer in time
  failed,      // its last report says so
  expired,     // its lease ran out
  released,    // it has stopped, as it was told
  withdrawn,   // it gave it back
  terminated,  // the contract ended before
  gone,        // the agent that had it has ended
};

// "offered", "running", …
const char* to_string(AwardState state) noexcept;
// Whether it holds its items: now, or for ever.
constexpr bool is_live(AwardState state) noexcept { return state <= AwardState::revoking; }

// How a contract ended.
enum class Ended : std::uint8_t {
  fulfilled,  // all of it
  partly,     // some items
  no_bids,    // nobody wanted it
  rejected,   // there were bids, and the client took none
  failed,     // nobody who had it has done it
  cancelled,  // by the client
};

// "fulfilled", "partly", …
const char* to_string(Ended ended) noexcept;

// Not yet.
inline constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

// A bid that was taken.
struct TakenBid {
  // Its place among those invited, and the call that it answers.
  std::uint32_t bidder = 0;
  std::uint32_t round = 0;
  std::vector<Offering> offerings;
  std::string text;
  // Time since the contract was announced.
  Duration at{};
  // How many choices were made before it was replaced or taken back.
  std::uint32_t until = never;

  friend bool operator==(const TakenBid&, const TakenBid&) = default;
};

// An award that was made.
struct MadeAward {
  AwardNumber number = 0;
  // By which choice, counted from one, to whom, of what.
  std::uint32_t choice = 0;
  std::uint32_t bidder = 0;
  // Of the agents that had the bidder's name, the one that has accepted.
  std::uint64_t holder = 0;
  Items items = 0;
  Amount amount = 0;
  Amount price = 0;
  AwardState state = AwardState::offered;
  // When it was made, since when it ran, and when it ended; likewise how many choices were made
  // before that.
  Duration made{};
  Duration begun{};
  Duration ended{};
  std::uint32_t until = never;
  // Its last report, or why it ended.
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

// What a client gets of its contract.
struct Settlement {
  static constexpr std::string_view content_type = "coracle/caf/settlement/v1";

  // What one bidder has done.
  struct Part {
    std::string bidder;
    Items items = 0;
    Amount price = 0;
    std::string result;

    friend bool operator==(const Part&, const Part&) = default;
  };

  // Of which contract, and how it ended.
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

  // Whose it was, and what it said at last.
  std::string client;
  Contract contract;
  // By what was chosen.
  std::string rule;
  Pricing pricing = Pricing::first_price;
  std::optional<Amount> reserve;
  std::uint64_t seed = 0;
  // Who was asked, and what came of it.
  std::vector<std::string> invited;
  std::vector<TakenBid> bids;
  // Of each choice, the call whose bids it was made of.
  std::vector<std::uint32_t> choices;
  std::vector<MadeAward> awards;
  std::vector<Progressed> progress;
  std::vector<Incident> incidents;
  Settlement settlement;
};

// What can be chosen from at some moment.
struct Standing {
  Items free = 0;
  std::vector<Offer> offers;
  // Of each offer, the bid that it belongs to.
  std::vector<std::uint32_t> bids;
};

// What choice number `choice` (from one) of a record was, or will be, made from.
Standing standing_at(const ContractRecord& record, std::uint32_t choice);

// Makes every choice of a record again and says what is wrong with it; nothing when it supports its
// settlement. Fails with Errc::bad_options when the rule has no name here; then give it.
std::vector<std::string> retrace(const ContractRecord& record);
std::vector<std::string> retrace(const ContractRecord& record, const AwardRule& rule);

}  // namespace coracle::caf
