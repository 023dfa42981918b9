// Counting one poll of a record. A council and a recount use the same function.
#pragma once

#include "coracle/caf/voting/record.hpp"

#include <string>
#include <vector>

namespace coracle::caf {

// The result of a poll, in indices of the poll's agenda.
struct Counted {
  std::vector<Candidate> co_winners;
  TieOutcome outcome;
  // The reason why there is no winner.
  std::string why;
};

// Counts the last poll of `record`, whose earlier polls were revotes. Never fails.
Counted count_last_poll(const Record& record, const Rule& rule, const Ties& ties);

// Returns the ballots of a poll that are to be counted: the cast ballots in their order, each with
// the weight of all members for whom it counts, and possibly one more ballot for absent members.
std::vector<Ballot> counted_ballots(const Record& record, const Poll& poll);

// Returns the result of a count as a decision.
Decision decision_of(const Record& record, const Counted& counted);

// Returns nothing if the members present suffice; otherwise the reason.
std::string missing_quorum(const Quorum& quorum, const Electorate& electorate,
                           std::uint32_t present, Fraction weight);

// Writes into `poll` how many members take part, by themselves or by their proxy. The ballots of
// `poll` must have their members' numbers.
void count_presence(const Electorate& electorate, Absent absent, Poll& poll);

// Returns the number of the member whose ballot counts for `member`: its own number, a proxy's, or
// `anonymous` for none. `voted` contains which members have a ballot.
std::uint32_t voice_of(const Electorate& electorate, std::uint32_t member,
                       const std::vector<bool>& voted, Absent absent);

}  // namespace coracle::caf
