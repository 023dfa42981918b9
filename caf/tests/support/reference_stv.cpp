// Single transferable vote, ballot by ballot.
#include "reference.hpp"

#include "coracle/caf/common/fraction.hpp"

#include <algorithm>

namespace coracle::caf::reference {

namespace {

struct Paper {
  Ranking ranking;
  Fraction value = 1;
};

Fraction divided(const Fraction& a, const Fraction& b) {
  return a * Fraction(b.denominator(), b.numerator());
}

struct Hall {
  std::vector<Paper> papers;
  std::set<unsigned> standing;
  std::vector<unsigned> elected;

  // Returns the candidate that a paper is for now; -1 if there is none.
  int on_top(const Paper& paper) const {
    for (const unsigned each : paper.ranking) {
      if (standing.count(each) != 0) return static_cast<int>(each);
    }
    return -1;
  }
  Fraction votes(unsigned candidate) const {
    Fraction sum = 0;
    for (const Paper& each : papers) {
      if (on_top(each) == static_cast<int>(candidate)) sum = sum + each.value;
    }
    return sum;
  }
};

void go_on(Hall hall, unsigned seats, const Fraction& quota,
           std::set<std::vector<unsigned>>& committees) {
  if (hall.elected.size() + hall.standing.size() <= seats) {
    hall.elected.insert(hall.elected.end(), hall.standing.begin(), hall.standing.end());
    hall.standing.clear();
  }
  if (hall.elected.size() >= seats || hall.standing.empty()) {
    std::sort(hall.elected.begin(), hall.elected.end());
    committees.insert(hall.elected);
    return;
  }
  std::set<unsigned> winners;
  for (const unsigned each : hall.standing) {
    if (hall.votes(each) > quota) winners.insert(each);
  }
  if (!winners.empty()) {
    Hall next = hall;
    for (std::size_t i = 0; i < hall.papers.size(); ++i) {
      const int top = hall.on_top(hall.papers[i]);
      if (top < 0 || winners.count(static_cast<unsigned>(top)) == 0) continue;
      const Fraction votes = hall.votes(static_cast<unsigned>(top));
      next.papers[i].value = hall.papers[i].value * divided(votes - quota, votes);
    }
    for (const unsigned each : winners) {
      next.standing.erase(each);
      next.elected.push_back(each);
    }
    return go_on(std::move(next), seats, quota, committees);
  }
  for (const unsigned each : hall.standing) {
    bool fewest = true;
    for (const unsigned other : hall.standing) fewest &= hall.votes(each) <= hall.votes(other);
    if (!fewest) continue;
    Hall next = hall;
    next.standing.erase(each);
    go_on(std::move(next), seats, quota, committees);
  }
}

}  // namespace

std::set<std::vector<unsigned>> committees(unsigned candidates, const Ballots& ballots,
                                           unsigned seats) {
  Hall hall;
  std::int64_t cast = 0;
  for (const Ranking& each : ballots) {
    hall.papers.push_back({each});
    cast += each.empty() ? 0 : 1;
  }
  for (unsigned c = 0; c < candidates; ++c) hall.standing.insert(c);
  std::set<std::vector<unsigned>> all;
  if (cast > 0) go_on(std::move(hall), seats, Fraction(cast, seats + 1), all);
  return all;
}

}  // namespace coracle::caf::reference
