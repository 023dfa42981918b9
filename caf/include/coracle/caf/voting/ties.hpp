// Tie strategies: the ways in which a Council proceeds when a rule has several winners (the paper's
// kinds of Council, section 2.3). Each strategy narrows the tie or leaves it as it is. In a chain,
// each strategy gets the result of the one before. Tests: caf/tests/voting/ties_test.cpp.
#pragma once

#include "coracle/caf/voting/rule.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// The data that a tie strategy may use.
struct TieContext {
  // The profile that was counted.
  const Profile* profile = nullptr;
  // The seed of random(). In a Council, it is a hash of the decision's number and a number from
  // each voter, so that nobody can choose the seed alone.
  std::string seed;
  // The alternative that holds now, for status_quo().
  Candidate incumbent = nobody;
  // The chair's ballot, if there is a chair and it has voted.
  const Ballot* chair = nullptr;
  // For seniority(): a smaller number goes first. Empty: the order of the candidates.
  std::vector<std::uint32_t> seniority;
  // The number of revotes held so far, for revote().
  unsigned revotes = 0;
};

// One strategy: a name and a function. Copies share the function.
class TieStrategy {
 public:
  // Returns the candidates of `tied` that remain, at least one.
  using Narrow =
      std::function<std::vector<Candidate>(const std::vector<Candidate>& tied, const TieContext&)>;

  // A strategy of the user's own.
  TieStrategy(std::string name, Narrow narrow);
  // Returns the strategy of that name, with its parameter after a colon: "chair", "runoff:irv".
  // Fails with Errc::bad_options and a list of the existing names.
  static Result<TieStrategy> named(std::string_view text);

  // The strategy's name, in the form that named() takes.
  const std::string& name() const noexcept { return name_; }

 private:
  friend class Ties;
  friend TieStrategy revote(unsigned rounds);
  friend TieStrategy no_decision();
  std::string name_;
  std::shared_ptr<const Narrow> narrow_;
  unsigned revotes_ = 0;
  bool stops_ = false;
};

// Chooses one of the tied, by the seed.
TieStrategy random();
// Chooses the alternative that holds now, if it is among the tied.
TieStrategy status_quo();
// Chooses the candidate among the tied that the chair's ballot prefers.
TieStrategy chair();
// Takes new ballots about the tied alone, up to that many times. Where no voter can vote again, as
// in a recount or a file of ballots, the tie stays.
TieStrategy revote(unsigned rounds = 1);
// Counts the same ballots again by `rule` as if only the tied stood.
TieStrategy runoff_among_tied(Rule rule);
// Counts the whole profile by `rule`, and keeps those of the tied who win; if none does, those with
// the best score. If the rule gives neither, the tie stays.
TieStrategy second_rule(Rule rule);
// Chooses the first in the order of candidates. In a Council, this is the order of the
// alternatives' texts.
TieStrategy lexical();
// Chooses the candidate that the most senior peer proposed; a Council's order of members is
// seniority.
TieStrategy seniority();
// Makes no decision: the tie stays, and no later strategy is used.
TieStrategy no_decision();

// The result of a chain for a tie.
struct TieOutcome {
  // The remaining candidates: one, unless the tie could not be decided.
  std::vector<Candidate> left;
  // True if new ballots about the remaining candidates are wanted.
  bool revote = false;
  // The names of the strategies that narrowed the tie.
  std::vector<std::string> by;
};

// A chain of strategies, which are used one after the other.
class Ties {
 public:
  // With an empty chain, a tie stays.
  Ties(std::vector<TieStrategy> chain = {}) : chain_(std::move(chain)) {}
  // Returns the chain in a text such as "status_quo,chair,random". Fails as TieStrategy::named()
  // does.
  static Result<Ties> named(std::string_view text);

  // The chain as text, in the form that named() takes.
  std::string name() const;
  // Returns true if random() may be used.
  bool needs_seed() const noexcept;
  // Narrows `tied`. Fails as a rule's count() does.
  TieOutcome settle(std::vector<Candidate> tied, const TieContext& context) const;

 private:
  std::vector<TieStrategy> chain_;
};

}  // namespace coracle::caf
