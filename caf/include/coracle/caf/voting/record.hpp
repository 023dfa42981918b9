// The record of a decision, by which anybody can count it again. Tests:
// caf/tests/voting/recounting_test.cpp.
#pragma once

#include "coracle/caf/common/incident.hpp"
#include "coracle/caf/voting/charter.hpp"
#include "coracle/caf/voting/decision.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coracle::caf {

// The voter of a ballot whose voter the record does not contain.
inline constexpr std::uint32_t anonymous = ~std::uint32_t{0};

// An alternative, and the member that offered it; if several did, the most senior of them.
// `anonymous`: the alternative came with the motion.
struct Alternative {
  std::string text;
  std::uint32_t proposer = anonymous;

  friend bool operator==(const Alternative&, const Alternative&) = default;
};

// A ballot that was cast.
struct CastBallot {
  // The number of the member. An anonymous ballot carries its whole weight, including that of
  // absent members for whom it counts.
  std::uint32_t member = anonymous;
  Ballot ballot;
  std::uint64_t nonce = 0;
  std::uint64_t salt = 0;
  // True if it is the chair's ballot.
  bool chair = false;

  friend bool operator==(const CastBallot&, const CastBallot&) = default;
};

// The commitment of a member.
struct Committed {
  std::uint32_t member = 0;
  std::string digest;

  friend bool operator==(const Committed&, const Committed&) = default;
};

// One vote of a decision.
struct Poll {
  // The indices of the alternatives in Record::alternatives.
  std::vector<std::uint32_t> agenda;
  std::vector<Committed> commitments;
  // The ballots in the order of the members; those of a secret ballot in an order that reveals
  // nothing.
  std::vector<CastBallot> ballots;
  // The number of members that took part, and their weight. A quorum is judged by these.
  std::uint32_t present = 0;
  Fraction present_weight = 0;

  friend bool operator==(const Poll&, const Poll&) = default;
};

// The terms of the charter.
struct Terms {
  std::string rule;
  std::string ties;
  Quorum voting;
  Secrecy secrecy = Secrecy::open;
  Absent absent = Absent::abstains;
  std::string chair;
  // The scores that a ballot for the status quo gives, for a member whose silence counts for it:
  // the highest to the status quo, the lowest to all others.
  Fraction lowest_score = 0;
  Fraction highest_score = 10;

  friend bool operator==(const Terms&, const Terms&) = default;
};

// The electorate, shared by the decisions that it makes.
class Roll {
 public:
  Roll() = default;
  Roll(std::shared_ptr<const Electorate> electorate) : electorate_(std::move(electorate)) {}
  const Electorate& operator*() const noexcept { return *electorate_; }
  const Electorate* operator->() const noexcept { return electorate_.get(); }
  // True if there is an electorate.
  explicit operator bool() const noexcept { return electorate_ != nullptr; }

 private:
  std::shared_ptr<const Electorate> electorate_;
};

// The content is the list of members.
void encode(Encoder& encoder, const Roll& roll);
void decode(Decoder& decoder, Roll& roll);

// Everything about one decision.
struct Record {
  static constexpr std::string_view content_type = "coracle/caf/record/v2";

  // The number of the decision, the council, the motion, the terms, and the electorate.
  DecisionId id = 0;
  std::string council;
  std::string subject;
  std::string incumbent;
  Terms terms;
  Roll roll;
  // The alternatives in alphabetical order.
  std::vector<Alternative> alternatives;
  std::vector<Poll> polls;
  std::vector<Incident> incidents;
  // The result.
  Decision decision;
  // digest_of() the record before this one, in the same council.
  std::string previous;
  // Incidents after the decision. They are no part of the digest.
  std::vector<Incident> afterwards;
};

// Returns a hash of the whole record except `afterwards`: 64 hexadecimal digits.
std::string digest_of(const Record& record);

// The result of a recount.
struct Recount {
  Decision decision;
  // The faults of the record; empty when the record supports its decision.
  std::vector<std::string> faults;
};

// Counts the record again. Faults are ballots of strangers, two ballots of one member, alternatives
// that were not on the agenda, a commitment that was not kept, and a different result. Fails with
// Errc::bad_options when the rule or a tie strategy is not built in; then pass them.
Recount recount(const Record& record);
Recount recount(const Record& record, const Rule& rule, const Ties& ties);

}  // namespace coracle::caf
