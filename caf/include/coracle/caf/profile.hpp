// What a rule counts: ballots over numbered candidates. Contract: caf/tests/rules_test.cpp.
#pragma once

#include "coracle/caf/fraction.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace coracle::caf {

// A candidate, counted from zero. In a Council's decision: an alternative on the agenda.
using Candidate = std::uint32_t;

// No candidate at all.
inline constexpr Candidate nobody = ~Candidate{0};

// What one voter says. The fields that a rule does not look at may stay empty; a ballot without
// the field that it does look at abstains. One that approves of nobody, or gives all the same
// score, does not abstain: it says that all are the same to it.
struct Ballot {
  // How much it counts.
  Fraction weight = 1;
  // Candidates, best first; those left out share the last place. One choice is a ranking of one.
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

// Why `ballot` cannot be counted among that many candidates; empty if it can: an unknown candidate,
// one that is named twice, a negative weight, a wrong number of scores.
std::string fault_of(const Ballot& ballot, std::uint32_t candidates);

// How many prefer one candidate to another, less those who prefer the other; in units of
// Profile::unit().
class Margins {
 public:
  Margins(std::uint32_t candidates, std::vector<std::int64_t> values)
      : candidates_(candidates), values_(std::move(values)) {}
  // How many candidates there are.
  std::uint32_t candidates() const noexcept { return candidates_; }
  // Positive when `a` beats `b`.
  std::int64_t operator()(Candidate a, Candidate b) const noexcept {
    return values_[std::size_t{a} * candidates_ + b];
  }

 private:
  std::uint32_t candidates_;
  std::vector<std::int64_t> values_;
};

// Ballots that were checked, ready to be counted. One thread at a time uses a Profile.
class Profile {
 public:
  // More candidates than this are refused.
  static constexpr std::uint32_t max_candidates = 2000;

  // Fails with Errc::bad_options and the number of the ballot that is at fault, and with
  // Errc::limit_reached when the tallies could not be exact.
  Profile(std::uint32_t candidates, std::vector<Ballot> ballots);

  // How many candidates there are, and who voted how.
  std::uint32_t candidates() const noexcept { return candidates_; }
  const std::vector<Ballot>& ballots() const noexcept { return ballots_; }
  // What the candidates stand for, where they are numbers; empty otherwise.
  const std::vector<Fraction>& numbers() const noexcept { return numbers_; }
  // The same profile, of candidates that are numbers: one for each. Fails with Errc::bad_options.
  Profile& stand_for(std::vector<Fraction> numbers);

  // The weight of a ballot in units, and what a unit is: 1/unit() of a vote.
  std::int64_t units(std::size_t ballot) const noexcept { return units_[ballot]; }
  std::int64_t unit() const noexcept { return unit_; }
  // The weight of all ballots, in units.
  std::int64_t total() const noexcept { return total_; }
  // A number of units as votes.
  Fraction votes(std::int64_t units) const { return Fraction(units, unit_); }

  // The comparison of every two candidates by the rankings; counted once.
  const Margins& margins() const;
  // The same ballots when only `left` stand, which are numbered in this order from zero.
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
