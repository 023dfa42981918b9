// Every rule by its definition, as plainly as possible and without anything of the library's own
// counting: every path, every order, every way to break a tie is tried.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace coracle::caf::reference {

using Ranking = std::vector<unsigned>;
using Ballots = std::vector<Ranking>;
using Winners = std::set<unsigned>;

// The winners by a rule of that name among `candidates`, each ballot counting once.
Winners winners(const std::string& rule, unsigned candidates, const Ballots& ballots);
// The committees that are possible by single transferable vote.
std::set<std::vector<unsigned>> committees(unsigned candidates, const Ballots& ballots,
                                           unsigned seats);
// The names of the rules on rankings that it knows.
const std::vector<std::string>& rules();

// Calls `see` with every multiset of `ballots` of the `choices`.
void every_profile(const Ballots& choices, std::size_t ballots,
                   const std::function<void(const Ballots&)>& see);
// All complete rankings; all that leave some out, the empty one included.
Ballots complete_rankings(unsigned candidates);
Ballots all_rankings(unsigned candidates);

}  // namespace coracle::caf::reference
