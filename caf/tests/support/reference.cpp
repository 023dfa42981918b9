#include "reference.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace coracle::caf::reference {

namespace {

// Returns the place of a candidate on a ballot; candidates left out share the place after the
// others.
unsigned place(const Ranking& ballot, unsigned candidate) {
  return static_cast<unsigned>(std::find(ballot.begin(), ballot.end(), candidate) - ballot.begin());
}

// Returns a margin. The margins of the last profile are kept, because they are used very often.
int margin(const Ballots& ballots, unsigned a, unsigned b) {
  static Ballots known;
  static std::map<std::pair<unsigned, unsigned>, int> margins;
  if (known != ballots) margins.clear();
  if (known != ballots) known = ballots;
  const auto [found, is_new] = margins.try_emplace({a, b}, 0);
  if (!is_new) return found->second;
  for (const Ranking& each : ballots) {
    const unsigned of_a = place(each, a);
    const unsigned of_b = place(each, b);
    found->second += of_a < of_b ? 1 : of_a > of_b ? -1 : 0;
  }
  return found->second;
}

Winners everybody(unsigned candidates) {
  Winners all;
  for (unsigned c = 0; c < candidates; ++c) all.insert(c);
  return all;
}

Winners with_most(unsigned candidates, const std::function<double(unsigned)>& value) {
  std::vector<double> values;
  for (unsigned c = 0; c < candidates; ++c) values.push_back(value(c));
  Winners best;
  for (unsigned c = 0; c < candidates; ++c) {
    if (values[c] == *std::max_element(values.begin(), values.end())) best.insert(c);
  }
  return best;
}

// Returns the remaining ranking of a ballot among `standing`.
Ranking left_of(const Ranking& ballot, const Winners& standing) {
  Ranking left;
  for (const unsigned each : ballot) {
    if (standing.count(each) != 0) left.push_back(each);
  }
  return left;
}

int firsts(const Ballots& ballots, const Winners& standing, unsigned candidate) {
  int count = 0;
  for (const Ranking& each : ballots) {
    const auto top =
        std::find_if(each.begin(), each.end(), [&](unsigned c) { return standing.count(c) != 0; });
    count += top != each.end() && *top == candidate ? 1 : 0;
  }
  return count;
}

int lasts(const Ballots& ballots, const Winners& standing, unsigned candidate) {
  int count = 0;
  for (const Ranking& each : ballots) {
    const Ranking left = left_of(each, standing);
    if (left.empty()) continue;
    const bool complete = left.size() == standing.size();
    const bool named = std::find(left.begin(), left.end(), candidate) != left.end();
    count += complete ? (left.back() == candidate ? 1 : 0) : (named ? 0 : 1);
  }
  return count;
}

Winners eliminate(const Ballots& ballots, const Winners& standing, bool by_last) {
  int cast = 0;
  for (const unsigned c : standing) cast += firsts(ballots, standing, c);
  for (const unsigned c : standing) {
    if (standing.size() == 1 || 2 * firsts(ballots, standing, c) > cast) return {c};
  }
  const auto badness = [&](unsigned c) {
    return by_last ? lasts(ballots, standing, c) : -firsts(ballots, standing, c);
  };
  Winners winners;
  for (const unsigned c : standing) {
    bool worst = true;
    for (const unsigned other : standing) worst &= badness(c) >= badness(other);
    if (!worst) continue;
    Winners rest = standing;
    rest.erase(c);
    winners.merge(eliminate(ballots, rest, by_last));
  }
  return winners;
}

double borda_points(const Ballots& ballots, unsigned candidates, unsigned c) {
  double points = 0;
  for (const Ranking& each : ballots) {
    if (each.empty()) continue;
    for (unsigned other = 0; other < candidates; ++other) {
      if (other == c) continue;
      if (place(each, c) < place(each, other)) points += 1;
      if (place(each, c) == place(each, other)) points += 0.5;
    }
  }
  return points;
}

Winners condorcet(unsigned candidates, const Ballots& ballots) {
  Winners winners;
  for (unsigned c = 0; c < candidates; ++c) {
    bool all = true;
    for (unsigned other = 0; other < candidates; ++other) {
      all &= other == c || margin(ballots, c, other) > 0;
    }
    if (all) winners.insert(c);
  }
  return winners;
}

// Returns the width of the widest path from a to b whose every step is a victory; 0 if there is
// none.
int widest(const Ballots& ballots, unsigned candidates, unsigned a, unsigned b, Winners seen) {
  seen.insert(a);
  int best = std::max(0, margin(ballots, a, b));
  for (unsigned via = 0; via < candidates; ++via) {
    if (via == b || seen.count(via) != 0) continue;
    const int rest = widest(ballots, candidates, via, b, seen);
    best = std::max(best, std::min(margin(ballots, a, via), rest));
  }
  return best;
}

Winners schulze(unsigned candidates, const Ballots& ballots) {
  Winners winners;
  for (unsigned a = 0; a < candidates; ++a) {
    bool wins = true;
    for (unsigned b = 0; b < candidates; ++b) {
      wins &=
          a == b || widest(ballots, candidates, a, b, {}) >= widest(ballots, candidates, b, a, {});
    }
    if (wins) winners.insert(a);
  }
  return winners;
}

using Pairs = std::set<std::pair<unsigned, unsigned>>;

bool reaches(const Pairs& locked, unsigned a, unsigned b, Winners seen = {}) {
  if (a == b) return true;
  seen.insert(a);
  return std::any_of(locked.begin(), locked.end(), [&](const auto& pair) {
    return pair.first == a && seen.count(pair.second) == 0 && reaches(locked, pair.second, b, seen);
  });
}

// Locks the remaining pairs in every order that goes from wide to narrow.
void lock_pairs(const Ballots& ballots, unsigned candidates, Pairs left, const Pairs& locked,
          Winners& winners, std::set<std::pair<Pairs, Pairs>>& seen) {
  if (!seen.emplace(left, locked).second) return;
  if (left.empty()) {
    for (unsigned c = 0; c < candidates; ++c) {
      const bool beaten = std::any_of(locked.begin(), locked.end(),
                                      [&](const auto& pair) { return pair.second == c; });
      if (!beaten) winners.insert(c);
    }
    return;
  }
  int most = 0;
  for (const auto& [a, b] : left) most = std::max(most, margin(ballots, a, b));
  for (const auto& pair : Pairs(left)) {
    if (margin(ballots, pair.first, pair.second) != most) continue;
    Pairs rest = left;
    rest.erase(pair);
    Pairs now = locked;
    if (!reaches(locked, pair.second, pair.first)) now.insert(pair);
    lock_pairs(ballots, candidates, rest, now, winners, seen);
  }
}

Winners ranked_pairs(unsigned candidates, const Ballots& ballots) {
  Pairs victories;
  for (unsigned a = 0; a < candidates; ++a) {
    for (unsigned b = 0; b < candidates; ++b) {
      if (margin(ballots, a, b) > 0) victories.emplace(a, b);
    }
  }
  Winners winners;
  std::set<std::pair<Pairs, Pairs>> seen;
  lock_pairs(ballots, candidates, victories, {}, winners, seen);
  return winners;
}

Winners kemeny(unsigned candidates, const Ballots& ballots) {
  Ranking order(candidates);
  std::iota(order.begin(), order.end(), 0U);
  std::map<int, Winners> heads;
  do {
    int contradicted = 0;
    for (unsigned i = 0; i < candidates; ++i) {
      for (unsigned j = i + 1; j < candidates; ++j) {
        for (const Ranking& each : ballots) {
          contradicted += place(each, order[j]) < place(each, order[i]) ? 1 : 0;
        }
      }
    }
    heads[contradicted].insert(order.front());
  } while (std::next_permutation(order.begin(), order.end()));
  return heads.begin()->second;
}

Winners runoff(unsigned candidates, const Ballots& ballots) {
  const Winners all = everybody(candidates);
  if (candidates == 1) return all;
  Winners winners;
  for (const unsigned a : all) {
    for (const unsigned b : all) {
      if (a == b) continue;
      // Tests whether a and b may be the first two.
      bool first = true;
      for (const unsigned c : all) {
        const int has = firsts(ballots, all, c);
        if (c != a) first &= has <= firsts(ballots, all, a);
        if (c != a && c != b) first &= has <= firsts(ballots, all, b);
      }
      if (!first) continue;
      if (margin(ballots, a, b) >= 0) winners.insert(a);
      if (margin(ballots, a, b) <= 0) winners.insert(b);
    }
  }
  return winners;
}

using Rule = Winners (*)(unsigned, const Ballots&);

const std::map<std::string, Rule>& table() {
  static const std::map<std::string, Rule> all = {
      {"plurality",
       [](unsigned n, const Ballots& b) {
         return with_most(n, [&](unsigned c) { return firsts(b, everybody(n), c); });
       }},
      {"antiplurality",
       [](unsigned n, const Ballots& b) {
         return with_most(n, [&](unsigned c) { return -lasts(b, everybody(n), c); });
       }},
      {"borda",
       [](unsigned n, const Ballots& b) {
         return with_most(n, [&](unsigned c) { return borda_points(b, n, c); });
       }},
      {"runoff", runoff},
      {"irv", [](unsigned n, const Ballots& b) { return eliminate(b, everybody(n), false); }},
      {"coombs", [](unsigned n, const Ballots& b) { return eliminate(b, everybody(n), true); }},
      {"condorcet", condorcet},
      {"copeland",
       [](unsigned n, const Ballots& b) {
         return with_most(n, [&](unsigned c) {
           double score = 0;
           for (unsigned other = 0; other < n; ++other) {
             score += margin(b, c, other) > 0 ? 1 : margin(b, c, other) < 0 ? -1 : 0;
           }
           return score;
         });
       }},
      {"minimax",
       [](unsigned n, const Ballots& b) {
         return with_most(n, [&](unsigned c) {
           int worst = 0;
           for (unsigned other = 0; other < n; ++other)
             worst = std::max(worst, margin(b, other, c));
           return -worst;
         });
       }},
      {"schulze", schulze},
      {"ranked_pairs", ranked_pairs},
      {"black",
       [](unsigned n, const Ballots& b) {
         Winners winner = condorcet(n, b);
         return winner.empty() ? table().at("borda")(n, b) : winner;
       }},
      {"kemeny", kemeny}};
  return all;
}

}  // namespace

Winners winners(const std::string& rule, unsigned candidates, const Ballots& ballots) {
  const bool has_voted = std::any_of(ballots.begin(), ballots.end(),
                                     [](const Ranking& each) { return !each.empty(); });
  return has_voted ? table().at(rule)(candidates, ballots) : Winners();
}

const std::vector<std::string>& rules() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, rule] : table()) all.push_back(name);
    return all;
  }();
  return names;
}

void every_profile(const Ballots& choices, std::size_t ballots,
                   const std::function<void(const Ballots&)>& see) {
  std::vector<std::size_t> chosen(ballots, 0);
  for (;;) {
    Ballots profile;
    for (const std::size_t each : chosen) profile.push_back(choices[each]);
    see(profile);
    std::size_t i = ballots;
    while (i > 0 && chosen[i - 1] + 1 == choices.size()) --i;
    if (i == 0) return;
    const std::size_t next = chosen[i - 1] + 1;
    for (std::size_t k = i - 1; k < ballots; ++k) chosen[k] = next;
  }
}

Ballots complete_rankings(unsigned candidates) {
  Ranking order(candidates);
  std::iota(order.begin(), order.end(), 0U);
  Ballots all;
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return all;
}

Ballots all_rankings(unsigned candidates) {
  std::set<Ranking> all;
  for (Ranking each : complete_rankings(candidates)) {
    for (;; each.pop_back()) {
      all.insert(each);
      if (each.empty()) break;
    }
  }
  return Ballots(all.begin(), all.end());
}

}  // namespace coracle::caf::reference
