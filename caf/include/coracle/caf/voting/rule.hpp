// Rules: the functions by which ballots make winners. A rule gives the winners and never breaks a
// tie between them; a tie strategy does that (ties.hpp). Every rule works with every tie strategy.
// Tests: caf/tests/voting/rules_test.cpp, by definition, on every small profile.
#pragma once

#include "coracle/caf/voting/profile.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// One round of a rule that counts in several.
struct Round {
  // The exact tally of each candidate, as text; empty for candidates that have left.
  std::vector<std::string> tally;
  // The candidates that won a seat in this round, and those that left.
  std::vector<Candidate> elected;
  std::vector<Candidate> eliminated;

  friend bool operator==(const Round&, const Round&) = default;
};

// The result of a rule for a profile.
struct Tally {
  // All winners, in ascending order; several are a tie. If there is none, `why` contains the
  // reason. By the built-in rules, nobody wins where every ballot abstains or has no weight.
  std::vector<Candidate> co_winners;
  std::string why;
  // The score of each candidate, where the rule has such a number.
  std::vector<Fraction> scores;
  // The rounds, where there are several; with ties broken in the stated order.
  std::vector<Round> rounds;
  // The possible sets of seats, each in ascending order; only for rules with seats.
  std::vector<std::vector<Candidate>> committees;
  // If true, `co_winners` are the winners over every way to break the ties between rounds.
  // Otherwise they are the winners of the stated order: where a candidate must go, the last one
  // listed goes; where a comparison is locked first, it is that of the first one listed.
  bool every_way = true;
};

// Up to this many candidates, a rule that eliminates or locks with ties tries every way to break
// them. Finding these winners is NP-hard; so with more candidates, the rule keeps to the stated
// order.
inline constexpr std::uint32_t every_way_limit = 10;
// With more candidates than this, kemeny() fails with Errc::limit_reached.
inline constexpr std::uint32_t kemeny_limit = 15;
// With more seats than this, stv() fails, because its exact fractions double in length with each
// seat.
inline constexpr std::uint32_t seats_limit = 12;

// A rule: a name and a function. Copies share the function.
class Rule {
 public:
  // A function that counts votes exactly.
  using Count = std::function<Tally(const Profile&)>;

  // A rule of the user's own. Records contain `name`.
  Rule(std::string name, Count count);
  // Returns the rule of that name, with its parameter after a colon: "irv", "supermajority:2/3",
  // "stv:3". Fails with Errc::bad_options and a list of the existing names.
  static Result<Rule> named(std::string_view text);

  // The rule's name, in the form that named() takes.
  const std::string& name() const noexcept { return name_; }
  // Counts `profile`. Fails with Errc::limit_reached where the rule documents it, never because of
  // the contents of ballots.
  Tally count(const Profile& profile) const { return (*count_)(profile); }

 private:
  std::string name_;
  std::shared_ptr<const Count> count_;
};

// The names of the built-in rules without parameters, in a fixed order.
const std::vector<std::string>& rule_names();

// --- one choice: the first of each ranking ---

// The candidate with most first places.
Rule plurality();
// The candidate with more than half of the first places, or nobody.
Rule majority();
// The candidate with at least that share of the first places (above 1/2, at most 1), or nobody.
Rule supermajority(Fraction share);
// The candidate with all first places, or nobody.
Rule unanimity();
// The two candidates with most first places, compared by all rankings.
Rule runoff();
// The candidate with fewest last places; candidates that a ballot leaves out are all in its last
// place.
Rule antiplurality();

// --- rankings ---

// A candidate gets a point for each candidate ranked behind; candidates left out share what is
// left.
Rule borda();
// The candidate with the fewest first places leaves, until one has more than half.
Rule irv();
// The candidate with the most last places leaves, until one has more than half of the first places.
Rule coombs();
// The candidate that beats every other, or nobody.
Rule condorcet();
// The candidate that beats most others; a draw counts as a half.
Rule copeland();
// The candidate with the smallest worst defeat, by margins.
Rule minimax();
// The candidate with the widest beat paths, by margins.
Rule schulze();
// Comparisons are locked from the widest margin down, except those that would close a cycle.
Rule ranked_pairs();
// The candidate that beats every other, otherwise borda().
Rule black();
// The head of a ranking that contradicts the fewest preferences.
Rule kemeny();

// --- approval, scores, numbers, seats ---

// The candidate with most approvals.
Rule approval();
// The candidate with the greatest sum of scores.
Rule score();
// The median of the first choices among candidates that stand for numbers (Profile::stand_for); two
// candidates where the median lies between two.
Rule median();
// Single transferable vote for that many seats. A candidate with more than the quota is elected.
// The quota is the exact weight of all ballots that rank anybody / (seats + 1), whatever weights
// are counted in. The surplus of all candidates elected in a round passes on at its exact value
// (weighted inclusive Gregory).
Rule stv(std::uint32_t seats = 1);

}  // namespace coracle::caf
