// Counting one poll of a record: the same function for a council and for whoever counts again.
#pragma once

#include "coracle/caf/record.hpp"

#include <string>
#include <vector>

namespace coracle::caf {

// What a poll came to, in places of the poll's agenda.
struct Counted {
  std::vector<Candidate> co_winners;
  TieOutcome outcome;
  // Why there is no winner.
  std::string why;
};

// Counts the last poll of `record`, whose earlier polls were revotes. Never fails.
Counted count_last_poll(const Record& record, const Rule& rule, const Ties& ties);

// What is to be counted of a poll: its ballots in their order, each with the weight of all for whom
// it counts, and maybe one more for those who are absent.
std::vector<Ballot> counted_ballots(const Record& record, const Poll& poll);

// Puts the result of a count into words.
Decision decision_of(const Record& record, const Counted& counted);

// Whether those present suffice; otherwise why not.
std::string missing_quorum(const Quorum& quorum, const Electorate& electorate,
                           std::uint32_t present, Fraction weight);

// Writes down in `poll`, whose ballots say whose they are, how many take part, by themselves or by
// their proxy.
void count_presence(const Electorate& electorate, Absent absent, Poll& poll);

// Whose ballot counts for a member: its own number, a proxy's, or `anonymous` for none. `voted`
// says who has a ballot.
std::uint32_t voice_of(const Electorate& electorate, std::uint32_t member,
                       const std::vector<bool>& voted, Absent absent);

}  // namespace coracle::caf
