// Every rule by its definition, as plainly as possible and without any of the library's own
// counting code: every path, every order, and every way to break a tie is tried.
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

// Returns the winners by the rule of that name among `candidates`, where each ballot counts once.
Winners winners(const std::string& rule, unsigned candidates, const Ballots& ballots);
// Returns the possible committees by single transferable vote.
std::set<std::vector<unsigned>> committees(unsigned candidates, const Ballots& ballots,
                                           unsigned seats);
// Returns the names of the rules on rankings that are implemented here.
const std::vector<std::string>& rules();

// Calls `see` with every multiset of `ballots` of the `choices`.
void every_profile(const Ballots& choices, std::size_t ballots,
                   const std::function<void(const Ballots&)>& see);
// The first returns all complete rankings; the second also returns all incomplete ones, including
// the empty one.
Ballots complete_rankings(unsigned candidates);
Ballots all_rankings(unsigned candidates);

}  // namespace coracle::caf::reference
