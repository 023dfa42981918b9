// What is kept of a decision, so that anybody can count it again. Contract:
// caf/tests/recounting_test.cpp.
#pragma once

#include "coracle/caf/charter.hpp"
#include "coracle/caf/decision.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coracle::caf {

// Whose a ballot is when the record does not say.
inline constexpr std::uint32_t anonymous = ~std::uint32_t{0};

// An alternative, and the member that offered it; of several, the most senior. `anonymous`: it
// came with the motion.
struct Alternative {
  std::string text;
  std::uint32_t proposer = anonymous;

  friend bool operator==(const Alternative&, const Alternative&) = default;
};

// A ballot that was cast.
struct CastBallot {
  // The number of the member. An anonymous ballot carries its whole weight, with that of absent
  // members for whom it counts.
  std::uint32_t member = anonymous;
  Ballot ballot;
  std::uint64_t nonce = 0;
  std::uint64_t salt = 0;
  // Whether it is the chair's.
  bool chair = false;

  friend bool operator==(const CastBallot&, const CastBallot&) = default;
};

// What a member committed to.
struct Committed {
  std::uint32_t member = 0;
  std::string digest;

  friend bool operator==(const Committed&, const Committed&) = default;
};

// One vote of a decision.
struct Poll {
  // Places of the alternatives in Record::alternatives.
  std::vector<std::uint32_t> agenda;
  std::vector<Committed> commitments;
  // In the order of the members; of a secret ballot, in an order that tells nothing.
  std::vector<CastBallot> ballots;
  // How many members took part, and their weight: what a quorum is judged by.
  std::uint32_t present = 0;
  Fraction present_weight = 0;

  friend bool operator==(const Poll&, const Poll&) = default;
};

// Something that had no effect, or an effect worth knowing: a late, contradictory or invalid
// ballot, a member who did not open its commitment.
struct Incident {
  std::string who;
  std::string what;
  std::string reason;
  // Time since the decision began.
  Duration at{};

  friend bool operator==(const Incident&, const Incident&) = default;
};

// What the charter said.
struct Terms {
  std::string rule;
  std::string ties;
  Quorum voting;
  Secrecy secrecy = Secrecy::open;
  Absent absent = Absent::abstains;
  std::string chair;
  // The scores that the status quo and the others get by a member whose silence counts for it.
  Fraction lowest_score = 0;
  Fraction highest_score = 10;

  friend bool operator==(const Terms&, const Terms&) = default;
};

// The electorate, shared by the decisions that it takes.
class Roll {
 public:
  Roll() = default;
  Roll(std::shared_ptr<const Electorate> electorate) : electorate_(std::move(electorate)) {}
  const Electorate& operator*() const noexcept { return *electorate_; }
  const Electorate* operator->() const noexcept { return electorate_.get(); }
  // Whether there is one.
  explicit operator bool() const noexcept { return electorate_ != nullptr; }

 private:
  std::shared_ptr<const Electorate> electorate_;
};

// As content: the members.
void encode(Encoder& encoder, const Roll& roll);
void decode(Decoder& decoder, Roll& roll);

// Everything about one decision.
struct Record {
  static constexpr std::string_view content_type = "coracle/caf/record/v2";

  // What was decided, by whom, and by which terms.
  DecisionId id = 0;
  std::string council;
  std::string subject;
  std::string incumbent;
  Terms terms;
  Roll roll;
  // In alphabetical order.
  std::vector<Alternative> alternatives;
  std::vector<Poll> polls;
  std::vector<Incident> incidents;
  // What came of it.
  Decision decision;
  // digest_of() the record before this one, in the same council.
  std::string previous;
  // What came after the decision; no part of the digest.
  std::vector<Incident> afterwards;
};

// A hash of all of a record but `afterwards`: 64 hexadecimal digits.
std::string digest_of(const Record& record);

// What counting again has found.
struct Recount {
  Decision decision;
  // What is wrong with the record; empty when it supports its decision.
  std::vector<std::string> faults;
};

// Counts the record again: ballots of strangers, two of one member, alternatives that were not on
// the agenda, a commitment that is not kept, another result. Fails with Errc::bad_options when the
// rule or tie strategy is none that has a name here; then give them.
Recount recount(const Record& record);
Recount recount(const Record& record, const Rule& rule, const Ties& ties);

}  // namespace coracle::caf
