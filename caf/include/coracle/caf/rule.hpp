// Rules: how ballots become winners. A rule says who won and never breaks a tie between them: that
// is what a tie strategy is for (ties.hpp). Every rule goes with every tie strategy.
// Contract: caf/tests/rules_test.cpp, by definition, on every small profile.
#pragma once

#include "coracle/caf/profile.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// One round of a rule that counts in several.
struct Round {
  // What each candidate had, exactly, as text; empty for those no longer in it.
  std::vector<std::string> tally;
  // Who won a seat in it, and who left.
  std::vector<Candidate> elected;
  std::vector<Candidate> eliminated;

  friend bool operator==(const Round&, const Round&) = default;
};

// What a rule makes of a profile.
struct Tally {
  // All who won, in ascending order; several are a tie. Empty: nobody, and `why` says why. By the
  // rules here, nobody wins where every ballot abstains or has no weight.
  std::vector<Candidate> co_winners;
  std::string why;
  // What each candidate has reached, where the rule has such a number.
  std::vector<Fraction> scores;
  // The rounds, where there are several; with ties broken in the stated order.
  std::vector<Round> rounds;
  // The sets of seats that are possible, each in ascending order; only of rules with seats.
  std::vector<std::vector<Candidate>> committees;
  // Whether `co_winners` are those of every way to break the ties on the way. Otherwise they are
  // those of the stated order: where somebody must go, the last one listed goes; where a
  // comparison is locked first, it is that of the first one listed.
  bool every_way = true;
};

// Up to this many candidates, a rule that eliminates or locks with ties tries every way to break
// them; deciding that is NP-hard, so above it keeps to the stated order.
inline constexpr std::uint32_t every_way_limit = 10;
// Above this many candidates, kemeny() refuses with Errc::limit_reached.
inline constexpr std::uint32_t kemeny_limit = 15;
// More seats than this, stv() refuses: its exact fractions double in length with each seat.
inline constexpr std::uint32_t seats_limit = 12;

// A rule: a name and what it does. Copies share it.
class Rule {
 public:
  // How votes are counted: exactly.
  using Count = std::function<Tally(const Profile&)>;

  // A rule of one's own. `name` says it in records.
  Rule(std::string name, Count count);
  // The rule of that name, with its parameter behind a colon: "irv", "supermajority:2/3", "stv:3".
  // Fails with Errc::bad_options, naming those that exist.
  static Result<Rule> named(std::string_view text);

  // Its name, as named() takes it.
  const std::string& name() const noexcept { return name_; }
  // Counts. Fails with Errc::limit_reached where it says so, never for what ballots hold.
  Tally count(const Profile& profile) const { return (*count_)(profile); }

 private:
  std::string name_;
  std::shared_ptr<const Count> count_;
};

// The rules that named() knows and that need no parameter, in a fixed order.
const std::vector<std::string>& rule_names();

// --- one choice: the first of each ranking ---

// Most first places.
Rule plurality();
// More than half of the first places, or nobody.
Rule majority();
// At least that share of the first places (above 1/2, at most 1), or nobody.
Rule supermajority(Fraction share);
// All first places, or nobody.
Rule unanimity();
// The two with most first places, compared by all rankings.
Rule runoff();
// Fewest last places; candidates that a ballot leaves out are all in its last place.
Rule antiplurality();

// --- rankings ---

// A point for each candidate behind; those left out share what is left.
Rule borda();
// The one with the fewest first places leaves, until one has more than half.
Rule irv();
// The one with the most last places leaves, until one has more than half of the first places.
Rule coombs();
// Who beats everybody else, or nobody.
Rule condorcet();
// Most candidates beaten; a draw is a half.
Rule copeland();
// The smallest worst defeat, by margins.
Rule minimax();
// The widest beat paths, by margins.
Rule schulze();
// Comparisons are locked from the widest margin down, unless they would close a cycle.
Rule ranked_pairs();
// Who beats everybody else, otherwise borda().
Rule black();
// The head of a ranking that contradicts the fewest preferences.
Rule kemeny();

// --- approval, scores, numbers, seats ---

// Most approvals.
Rule approval();
// The greatest sum of scores.
Rule score();
// The median of the first choices among candidates that stand for numbers
// (Profile::stand_for); two where it lies between two.
Rule median();
// Single transferable vote for that many seats. Who has more than the quota is elected: the exact
// weight of all ballots that rank anybody / (seats + 1), whatever weights are counted in. The
// surplus of all who are elected in a round passes on at its exact value (weighted inclusive
// Gregory).
Rule stv(std::uint32_t seats = 1);

}  // namespace coracle::caf
