// The input of a rule: ballots over numbered candidates. Tests: caf/tests/voting/rules_test.cpp.
#pragma once

#include "coracle/caf/common/fraction.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace coracle::caf {

// A candidate, counted from zero. In a Council's decision, it is an alternative on the agenda.
using Candidate = std::uint32_t;

// No candidate at all.
inline constexpr Candidate nobody = ~Candidate{0};

// The vote of one voter. The fields that a rule does not use may stay empty; a ballot without the
// field that the rule uses abstains. A ballot that approves of nobody, or gives all candidates the
// same score, does not abstain: it treats all candidates as equal.
struct Ballot {
  // The weight of the ballot.
  Fraction weight = 1;
  // Candidates, best first; candidates left out share the last place. A single choice is a ranking
  // of one.
  std::vector<Candidate> ranking;
  // The candidates that are good enough.
  std::optional<std::vector<Candidate>> approved;
  // A score for each candidate.
  std::optional<std::vector<Fraction>> scores;

  friend bool operator==(const Ballot&, const Ballot&) = default;
};

// A ballot for one candidate.
Ballot choose(Candidate best);
// A ballot that ranks candidates, best first.
Ballot rank(std::vector<Candidate> best_first);
// A ballot that approves of candidates.
Ballot approve(std::vector<Candidate> good_enough);
// A ballot with a score for each candidate.
Ballot grade(std::vector<Fraction> scores);

// Returns the reason why `ballot` cannot be counted among `candidates` candidates; empty if it can.
// Faults are an unknown candidate, a candidate that is named twice, a negative weight, and a wrong
// number of scores.
std::string fault_of(const Ballot& ballot, std::uint32_t candidates);

// The number of voters that prefer one candidate to another, less those who prefer the other; in
// units of Profile::unit().
class Margins {
 public:
  Margins(std::uint32_t candidates, std::vector<std::int64_t> values)
      : candidates_(candidates), values_(std::move(values)) {}
  // The number of candidates.
  std::uint32_t candidates() const noexcept { return candidates_; }
  // Positive when `a` beats `b`.
  std::int64_t operator()(Candidate a, Candidate b) const noexcept {
    return values_[std::size_t{a} * candidates_ + b];
  }

 private:
  std::uint32_t candidates_;
  std::vector<std::int64_t> values_;
};

// Ballots that were checked, ready to be counted. Only one thread at a time may use a Profile.
class Profile {
 public:
  // The greatest number of candidates.
  static constexpr std::uint32_t max_candidates = 2000;

  // Fails with Errc::bad_options and the number of the ballot that has a fault, and with
  // Errc::limit_reached when the tallies could not be exact.
  Profile(std::uint32_t candidates, std::vector<Ballot> ballots);

  // The number of candidates, and the ballots.
  std::uint32_t candidates() const noexcept { return candidates_; }
  const std::vector<Ballot>& ballots() const noexcept { return ballots_; }
  // The numbers that the candidates stand for; empty if they stand for none.
  const std::vector<Fraction>& numbers() const noexcept { return numbers_; }
  // Makes the candidates stand for numbers, one for each. Fails with Errc::bad_options.
  Profile& stand_for(std::vector<Fraction> numbers);

  // The weight of a ballot in units, and the number of units in a vote: a unit is 1/unit() of a
  // vote.
  std::int64_t units(std::size_t ballot) const noexcept { return units_[ballot]; }
  std::int64_t unit() const noexcept { return unit_; }
  // The weight of all ballots, in units.
  std::int64_t total() const noexcept { return total_; }
  // Converts a number of units to votes.
  Fraction votes(std::int64_t units) const { return Fraction(units, unit_); }

  // The comparison of every two candidates by the rankings. It is counted once.
  const Margins& margins() const;
  // Returns the same ballots with only the candidates of `left`, which get numbers from zero in
  // this order.
  Profile among(const std::vector<Candidate>& left) const;

 private:
  std::uint32_t candidates_;
  std::vector<Ballot> ballots_;
  std::vector<Fraction> numbers_;
  std::vector<std::int64_t> units_;
  std::int64_t unit_ = 1;
  std::int64_t total_ = 0;
  mutable std::shared_ptr<const Margins> margins_;
};

}  // namespace coracle::caf
