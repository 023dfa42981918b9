// Instant runoff and Coombs: in each round one candidate leaves, until one has more than half.
#include "rules.hpp"

#include <algorithm>
#include <string>

namespace coracle::caf {

namespace {

// Counts the remaining part of each ballot when only some candidates stand.
class Count {
 public:
  explicit Count(const Profile& profile)
      : bundles_(bundled(profile)), at_(bundles_.size()), top_(bundles_.size()) {
    rewind();
  }

  // Returns the first places among `standing`. From call to call, `standing` may only shrink,
  // unless rewind() is called.
  std::vector<std::int64_t> first(const std::vector<bool>& standing) {
    std::vector<std::int64_t> units(standing.size());
    for (std::size_t i = 0; i < bundles_.size(); ++i) {
      Candidate& top = top_[i];
      if (top != nobody && !standing[top]) {
        const std::vector<Candidate>& ranking = *bundles_[i].ranking;
        std::uint32_t& at = at_[i];
        while (at < ranking.size() && !standing[ranking[at]]) ++at;
        top = at < ranking.size() ? ranking[at] : nobody;
      }
      if (top != nobody) units[top] += bundles_[i].units;
    }
    return units;
  }
  void rewind() {
    std::fill(at_.begin(), at_.end(), 0U);
    for (std::size_t i = 0; i < bundles_.size(); ++i) top_[i] = bundles_[i].ranking->front();
  }

  // Returns the last places among `standing`. If a ballot ranks some of these candidates, all that
  // it leaves out are in its last place.
  std::vector<std::int64_t> last(const std::vector<bool>& standing) const {
    const auto left = static_cast<std::size_t>(std::count(standing.begin(), standing.end(), true));
    std::vector<std::int64_t> units(standing.size());
    for (const Bundle& bundle : bundles_) {
      std::size_t named = 0;
      Candidate lowest = nobody;
      for (const Candidate each : *bundle.ranking) {
        if (standing[each]) lowest = each, ++named;
      }
      if (named == 0) continue;
      if (named == left) {
        units[lowest] += bundle.units;
        continue;
      }
      for (Candidate c = 0; c < standing.size(); ++c) {
        if (standing[c]) units[c] += bundle.units;
      }
      for (const Candidate each : *bundle.ranking) {
        if (standing[each]) units[each] -= bundle.units;
      }
    }
    return units;
  }

 private:
  std::vector<Bundle> bundles_;
  std::vector<std::uint32_t> at_;  // the index in each ranking; top_ is the candidate there
  std::vector<Candidate> top_;
};

// The result of a round: the winner, or else the candidates that may have to leave.
struct Finding {
  std::vector<Candidate> winner;
  std::vector<Candidate> leaving;
  std::vector<std::int64_t> first;
};

class Elimination {
 public:
  Elimination(const Profile& profile, bool by_last) : count_(profile), by_last_(by_last) {}

  Finding look(const std::vector<bool>& standing) {
    Finding found;
    found.first = count_.first(standing);
    std::int64_t cast = 0;
    std::size_t left = 0;
    for (Candidate c = 0; c < standing.size(); ++c) {
      cast += found.first[c];
      left += standing[c] ? 1 : 0;
    }
    for (Candidate c = 0; c < standing.size(); ++c) {
      if (standing[c] && (left == 1 || 2 * found.first[c] > cast)) {
        found.winner = {c};
        return found;
      }
    }
    std::vector<std::int64_t> badness = by_last_ ? count_.last(standing) : found.first;
    for (Candidate c = 0; c < standing.size(); ++c) {
      if (!by_last_) badness[c] = -badness[c];
      if (!standing[c]) badness[c] = INT64_MIN;
    }
    found.leaving = greatest(badness);
    return found;
  }

  // Returns every candidate that wins in some way, for few candidates.
  std::vector<Candidate> every_way(std::uint32_t candidates) {
    std::vector<bool> wins(candidates);
    std::vector<bool> seen(std::size_t{1} << candidates);
    std::vector<Mask> open = {(Mask{1} << candidates) - 1};
    while (!open.empty()) {
      const Mask set = open.back();
      open.pop_back();
      if (seen[set]) continue;
      seen[set] = true;
      std::vector<bool> standing(candidates);
      for (const Candidate each : members_of(set)) standing[each] = true;
      count_.rewind();
      const Finding found = look(standing);
      for (const Candidate each : found.winner) wins[each] = true;
      for (const Candidate each : found.leaving) open.push_back(set & ~(Mask{1} << each));
    }
    std::vector<Candidate> winners;
    for (Candidate c = 0; c < candidates; ++c) {
      if (wins[c]) winners.push_back(c);
    }
    return winners;
  }

 private:
  Count count_;
  bool by_last_;
};

Tally eliminate(const Profile& profile, bool by_last) {
  const std::uint32_t size = profile.candidates();
  Elimination elimination(profile, by_last);
  Tally tally;
  std::vector<bool> standing(size, true);
  for (;;) {
    Finding found = elimination.look(standing);
    Round round;
    for (Candidate c = 0; c < size; ++c) {
      round.tally.push_back(standing[c] ? profile.votes(found.first[c]).str() : "");
    }
    round.elected = found.winner;
    const bool done = !found.winner.empty();
    if (!done) {
      round.eliminated = {found.leaving.back()};
      standing[found.leaving.back()] = false;
    }
    tally.rounds.push_back(std::move(round));
    if (!done) continue;
    tally.co_winners = std::move(found.winner);
    break;
  }
  tally.every_way = size <= every_way_limit;
  if (tally.every_way) tally.co_winners = elimination.every_way(size);
  return tally;
}

}  // namespace

std::vector<Bundle> bundled(const Profile& profile) {
  std::vector<Bundle> bundles;
  bundles.reserve(profile.ballots().size());
  for (std::size_t i = 0; i < profile.ballots().size(); ++i) {
    const std::vector<Candidate>& ranking = profile.ballots()[i].ranking;
    if (ranking.empty() || profile.units(i) == 0) continue;
    std::uint64_t hash = 0;
    for (const Candidate each : ranking) hash = (hash ^ (each + 1)) * 0x9e3779b97f4a7c15U;
    bundles.push_back({&ranking, profile.units(i), hash});
  }
  // The order is that of hashes, because comparing long rankings takes much longer than hashing
  // them.
  std::sort(bundles.begin(), bundles.end(),
            [](const Bundle& a, const Bundle& b) { return a.hash < b.hash; });
  std::size_t kept = 0;
  for (std::size_t i = 1; i < bundles.size(); ++i) {
    const bool same =
        bundles[i].hash == bundles[kept].hash && *bundles[i].ranking == *bundles[kept].ranking;
    if (same) bundles[kept].units += bundles[i].units;
    else bundles[++kept] = bundles[i];
  }
  if (!bundles.empty()) bundles.resize(kept + 1);
  return bundles;
}

Tally count_irv(const Profile& profile) { return eliminate(profile, false); }
Tally count_coombs(const Profile& profile) { return eliminate(profile, true); }

Rule irv() { return built_in("irv", Counts::rankings, count_irv); }
Rule coombs() { return built_in("coombs", Counts::rankings, count_coombs); }

}  // namespace coracle::caf
