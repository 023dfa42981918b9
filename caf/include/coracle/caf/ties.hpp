// Tie strategies: what a Council does when a rule has several winners (the paper's kinds of
// Council, section 2.3). Each narrows the tie or leaves it as it is; in a chain, the next one sees
// what the one before has left. Contract: caf/tests/ties_test.cpp.
#pragma once

#include "coracle/caf/rule.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::caf {

// What a tie strategy may look at.
struct TieContext {
  // The profile that was counted.
  const Profile* profile = nullptr;
  // What random() chooses by. In a Council: a hash of the decision's number and a number from each
  // voter, so that nobody chooses it alone.
  std::string seed;
  // What holds now, for status_quo().
  Candidate incumbent = nobody;
  // The chair's ballot, if there is a chair and it has voted.
  const Ballot* chair = nullptr;
  // For seniority(): a smaller number goes first. Empty: the order of the candidates.
  std::vector<std::uint32_t> seniority;
  // How many new votes were held already, for revote().
  unsigned revotes = 0;
};

// One strategy: a name and what it does. Copies share it.
class TieStrategy {
 public:
  // Gives those of `tied` that are left, at least one.
  using Narrow =
      std::function<std::vector<Candidate>(const std::vector<Candidate>& tied, const TieContext&)>;

  // A strategy of one's own.
  TieStrategy(std::string name, Narrow narrow);
  // The strategy of that name, with its parameter behind a colon: "chair", "runoff:irv". Fails with
  // Errc::bad_options, naming those that exist.
  static Result<TieStrategy> named(std::string_view text);

  // Its name, as named() takes it.
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

// One of the tied, by the seed.
TieStrategy random();
// What holds now, if it is among the tied.
TieStrategy status_quo();
// What the chair's ballot likes best among the tied.
TieStrategy chair();
// New ballots about the tied alone, up to that many times. Where nobody can be asked again, as in a
// recount or a file of ballots, it leaves the tie.
TieStrategy revote(unsigned rounds = 1);
// The same ballots counted again by `rule` as if only the tied stood.
TieStrategy runoff_among_tied(Rule rule);
// What `rule` makes of the whole profile: those of the tied who win there; if none does, those with
// the best score there. Without either, the tie stays.
TieStrategy second_rule(Rule rule);
// The first in the order of candidates. In a Council: of the alternatives' texts.
TieStrategy lexical();
// The one that was proposed by the most senior peer; a Council's order of members is seniority.
TieStrategy seniority();
// No decision: the tie stays, and no later strategy is asked.
TieStrategy no_decision();

// What a chain made of a tie.
struct TieOutcome {
  // Who is left: one, unless it could not be decided.
  std::vector<Candidate> left;
  // Whether new ballots about those are wanted.
  bool revote = false;
  // The strategies that narrowed it.
  std::vector<std::string> by;
};

// Strategies, one after the other.
class Ties {
 public:
  // Without any, a tie stays.
  Ties(std::vector<TieStrategy> chain = {}) : chain_(std::move(chain)) {}
  // A chain as text: "status_quo,chair,random". Fails as TieStrategy::named() does.
  static Result<Ties> named(std::string_view text);

  // Its text, as named() takes it.
  std::string name() const;
  // Whether random() may be asked.
  bool needs_seed() const noexcept;
  // Narrows `tied`. Fails as a rule's count() does.
  TieOutcome settle(std::vector<Candidate> tied, const TieContext& context) const;

 private:
  std::vector<TieStrategy> chain_;
};

}  // namespace coracle::caf
