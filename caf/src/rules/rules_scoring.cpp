// Rules that give each candidate a number once.
#include "common/wide.hpp"
#include "rules.hpp"

#include <algorithm>
#include <numeric>

namespace coracle::caf {

namespace {

Tally best_of(const Profile& profile, const std::vector<std::int64_t>& units) {
  Tally tally;
  tally.co_winners = greatest(units);
  tally.scores = as_votes(profile, units);
  return tally;
}

// Returns the candidates with at least (or more than) `share` of the votes that were cast.
Tally reaching(const Profile& profile, Fraction share, bool more) {
  const std::vector<std::int64_t> first = first_places(profile);
  const std::int64_t cast = std::accumulate(first.begin(), first.end(), std::int64_t{0});
  Tally tally;
  tally.scores = as_votes(profile, first);
  for (Candidate c = 0; c < first.size(); ++c) {
    const Wide has = Wide{first[c]} * share.denominator();
    const Wide needs = Wide{cast} * share.numerator();
    if (cast != 0 && (more ? has > needs : has >= needs)) tally.co_winners.push_back(c);
  }
  if (tally.co_winners.empty()) {
    tally.why = std::string("nobody has ") + (more ? "more than " : "") + share.str() +
                " of the votes cast";
  }
  return tally;
}

Tally count_antiplurality(const Profile& profile) {
  const std::uint32_t size = profile.candidates();
  std::vector<std::int64_t> last(size);
  for (std::size_t i = 0; i < profile.ballots().size(); ++i) {
    const std::vector<Candidate>& ranking = profile.ballots()[i].ranking;
    if (ranking.empty()) continue;
    if (ranking.size() == size) {
      last[ranking.back()] -= profile.units(i);
      continue;
    }
    for (std::int64_t& each : last) each -= profile.units(i);
    for (const Candidate each : ranking) last[each] += profile.units(i);
  }
  return best_of(profile, last);
}

Tally count_approval(const Profile& profile) {
  std::vector<std::int64_t> units(profile.candidates());
  for (std::size_t i = 0; i < profile.ballots().size(); ++i) {
    if (!profile.ballots()[i].approved) continue;
    for (const Candidate each : *profile.ballots()[i].approved) units[each] += profile.units(i);
  }
  return best_of(profile, units);
}

Tally count_score(const Profile& profile) {
  Tally tally;
  tally.scores.resize(profile.candidates());
  for (const Ballot& ballot : profile.ballots()) {
    if (!ballot.scores) continue;
    for (std::size_t c = 0; c < tally.scores.size(); ++c) {
      tally.scores[c] = tally.scores[c] + ballot.weight * (*ballot.scores)[c];
    }
  }
  tally.co_winners = greatest(tally.scores);
  return tally;
}

Tally count_borda(const Profile& profile) {
  const std::vector<std::int64_t> halves = borda_points(profile);
  Tally tally;
  tally.co_winners = greatest(halves);
  for (const std::int64_t each : halves) {
    tally.scores.push_back(profile.votes(each) * Fraction(1, 2));
  }
  return tally;
}

// Returns the candidate at which the votes, in the order of the numbers, first reach `half` (or
// exceed it). Candidates without votes do not count.
Candidate reach(const std::vector<Candidate>& order, const std::vector<std::int64_t>& first,
                Wide half, bool beyond) {
  Wide sum = 0;
  for (const Candidate each : order) {
    sum += first[each];
    if (first[each] > 0 && (beyond ? 2 * sum > half : 2 * sum >= half)) return each;
  }
  return order.back();
}

Tally count_median(const Profile& profile) {
  Tally tally;
  if (profile.numbers().empty()) {
    tally.why = "the candidates are no numbers, which a median is taken of";
    return tally;
  }
  const std::vector<std::int64_t> first = first_places(profile);
  const std::int64_t cast = std::accumulate(first.begin(), first.end(), std::int64_t{0});
  tally.scores = as_votes(profile, first);
  std::vector<Candidate> order(profile.candidates());
  std::iota(order.begin(), order.end(), Candidate{0});
  std::stable_sort(order.begin(), order.end(), [&](Candidate a, Candidate b) {
    return profile.numbers()[a] < profile.numbers()[b];
  });
  tally.co_winners = {reach(order, first, cast, false), reach(order, first, cast, true)};
  std::sort(tally.co_winners.begin(), tally.co_winners.end());
  if (tally.co_winners[0] == tally.co_winners[1]) tally.co_winners.pop_back();
  return tally;
}

}  // namespace

std::vector<Fraction> as_votes(const Profile& profile, const std::vector<std::int64_t>& units) {
  std::vector<Fraction> votes;
  votes.reserve(units.size());
  for (const std::int64_t each : units) votes.push_back(profile.votes(each));
  return votes;
}

std::vector<std::int64_t> first_places(const Profile& profile) {
  std::vector<std::int64_t> units(profile.candidates());
  for (std::size_t i = 0; i < profile.ballots().size(); ++i) {
    const std::vector<Candidate>& ranking = profile.ballots()[i].ranking;
    if (!ranking.empty()) units[ranking.front()] += profile.units(i);
  }
  return units;
}

std::vector<std::int64_t> borda_points(const Profile& profile) {
  const auto size = static_cast<std::int64_t>(profile.candidates());
  std::vector<std::int64_t> halves(profile.candidates());
  for (std::size_t i = 0; i < profile.ballots().size(); ++i) {
    const std::vector<Candidate>& ranking = profile.ballots()[i].ranking;
    if (ranking.empty()) continue;
    const auto behind = size - static_cast<std::int64_t>(ranking.size());
    // Candidates left out would have 0 … behind - 1 points; each gets the average of these.
    for (std::int64_t& each : halves) each += profile.units(i) * (behind - 1);
    std::int64_t points = 2 * (size - 1);
    for (const Candidate each : ranking) {
      halves[each] += profile.units(i) * (points - behind + 1);
      points -= 2;
    }
  }
  return halves;
}

Rule plurality() {
  return built_in("plurality", Counts::rankings,
                  [](const Profile& profile) { return best_of(profile, first_places(profile)); });
}

Rule majority() {
  return built_in("majority", Counts::rankings,
                  [](const Profile& profile) { return reaching(profile, Fraction(1, 2), true); });
}

Rule supermajority(Fraction share) {
  if (share <= Fraction(1, 2) || share > Fraction(1)) {
    throw Error(Errc::bad_options,
                "a super-majority of " + share.str() + " is none; give a share above 1/2, up to 1");
  }
  return built_in("supermajority:" + share.str(), Counts::rankings,
                  [share](const Profile& profile) { return reaching(profile, share, false); });
}

Rule unanimity() {
  return built_in("unanimity", Counts::rankings,
                  [](const Profile& profile) { return reaching(profile, Fraction(1), false); });
}

Rule antiplurality() { return built_in("antiplurality", Counts::rankings, count_antiplurality); }
Rule approval() { return built_in("approval", Counts::approvals, count_approval); }
Rule score() { return built_in("score", Counts::scores, count_score); }
Rule borda() { return built_in("borda", Counts::rankings, count_borda); }
Rule median() { return built_in("median", Counts::rankings, count_median); }

}  // namespace coracle::caf
