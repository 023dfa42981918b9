// The common parts of the rules, and the functions behind them.
#pragma once

#include "coracle/caf/voting/rule.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::caf {

// A set of candidates as bits, where there are few candidates.
using Mask = std::uint32_t;

// Returns the candidates with the greatest value, in ascending order.
template <class T>
std::vector<Candidate> greatest(const std::vector<T>& values) {
  std::vector<Candidate> best;
  for (Candidate c = 0; c < values.size(); ++c) {
    if (!best.empty() && values[c] < values[best.front()]) continue;
    if (!best.empty() && values[best.front()] < values[c]) best.clear();
    best.push_back(c);
  }
  return best;
}

// Returns the candidates of a set.
inline std::vector<Candidate> members_of(Mask set) {
  std::vector<Candidate> all;
  for (Candidate c = 0; set != 0; ++c, set >>= 1) {
    if ((set & 1) != 0) all.push_back(c);
  }
  return all;
}

// Converts `units` of the profile for each candidate to votes.
std::vector<Fraction> as_votes(const Profile& profile, const std::vector<std::int64_t>& units);
// Returns the first places of each candidate, in units.
std::vector<std::int64_t> first_places(const Profile& profile);
// Returns the points of borda(), in halves of a unit.
std::vector<std::int64_t> borda_points(const Profile& profile);

// The part of a ballot that a rule counts. A ballot without it abstains.
enum class Counts : std::uint8_t { rankings, approvals, scores };

// Makes a built-in rule: nobody wins where every ballot abstains or has no weight.
Rule built_in(std::string name, Counts what, Rule::Count count);

// The ballots with the same ranking, combined; ballots with empty rankings are left out.
struct Bundle {
  const std::vector<Candidate>* ranking = nullptr;
  std::int64_t units = 0;
  std::uint64_t hash = 0;  // of the ranking
};
std::vector<Bundle> bundled(const Profile& profile);

Tally count_irv(const Profile& profile);
Tally count_coombs(const Profile& profile);
Tally count_runoff(const Profile& profile);
Tally count_ranked_pairs(const Profile& profile);
Tally count_schulze(const Profile& profile);
Tally count_kemeny(const Profile& profile);
Tally count_stv(const Profile& profile, std::uint32_t seats);

}  // namespace coracle::caf
