// Rules that compare every two candidates.
#include "rules.hpp"

#include <algorithm>

namespace coracle::caf {

namespace {

// Returns the candidate that beats every other, or none.
std::vector<Candidate> beats_all(const Margins& margins) {
  for (Candidate a = 0; a < margins.candidates(); ++a) {
    bool all = true;
    for (Candidate b = 0; all && b < margins.candidates(); ++b) all = a == b || margins(a, b) > 0;
    if (all) return {a};
  }
  return {};
}

Tally count_condorcet(const Profile& profile) {
  Tally tally;
  tally.co_winners = beats_all(profile.margins());
  if (tally.co_winners.empty()) tally.why = "nobody beats everybody else";
  return tally;
}

Tally count_copeland(const Profile& profile) {
  const Margins& margins = profile.margins();
  std::vector<std::int64_t> halves(margins.candidates());
  for (Candidate a = 0; a < margins.candidates(); ++a) {
    for (Candidate b = 0; b < margins.candidates(); ++b) {
      if (a != b) halves[a] += margins(a, b) > 0 ? 2 : margins(a, b) == 0 ? 1 : 0;
    }
  }
  Tally tally;
  tally.co_winners = greatest(halves);
  for (const std::int64_t each : halves) tally.scores.emplace_back(each, 2);
  return tally;
}

Tally count_minimax(const Profile& profile) {
  const Margins& margins = profile.margins();
  std::vector<std::int64_t> worst(margins.candidates());
  for (Candidate a = 0; a < margins.candidates(); ++a) {
    for (Candidate b = 0; b < margins.candidates(); ++b) {
      worst[a] = std::min(worst[a], margins(a, b));
    }
  }
  Tally tally;
  tally.co_winners = greatest(worst);
  tally.scores = as_votes(profile, worst);
  return tally;
}

Tally count_black(const Profile& profile) {
  Tally tally = borda().count(profile);
  std::vector<Candidate> winner = beats_all(profile.margins());
  if (!winner.empty()) tally.co_winners = std::move(winner);
  return tally;
}

}  // namespace

// Finds the strengths of the widest paths along victories. A path whose narrowest part is no
// victory does not count, so only positive margins matter.
Tally count_schulze(const Profile& profile) {
  const Margins& margins = profile.margins();
  const std::size_t size = margins.candidates();
  std::vector<std::int64_t> widest(size * size);
  for (Candidate a = 0; a < size; ++a) {
    for (Candidate b = 0; b < size; ++b) {
      widest[a * size + b] = std::max<std::int64_t>(0, margins(a, b));
    }
  }
  for (std::size_t via = 0; via < size; ++via) {
    const std::int64_t* out = &widest[via * size];
    for (std::size_t a = 0; a < size; ++a) {
      std::int64_t* row = &widest[a * size];
      const std::int64_t in = row[via];
      if (in == 0 || a == via) continue;
      for (std::size_t b = 0; b < size; ++b) row[b] = std::max(row[b], std::min(in, out[b]));
    }
  }
  Tally tally;
  for (Candidate a = 0; a < size; ++a) {
    bool wins = true;
    for (std::size_t b = 0; wins && b < size; ++b) {
      wins = b == a || widest[a * size + b] >= widest[b * size + a];
    }
    if (wins) tally.co_winners.push_back(a);
  }
  return tally;
}

Tally count_runoff(const Profile& profile) {
  const std::vector<std::int64_t> first = first_places(profile);
  Tally tally;
  tally.scores = as_votes(profile, first);
  std::vector<Candidate> leading = greatest(first);
  std::vector<Candidate> following = leading;
  if (leading.size() == 1) {
    std::vector<std::int64_t> others = first;
    others[leading.front()] = -1;
    following = greatest(others);
    if (profile.candidates() == 1) {
      tally.co_winners = leading;
      return tally;
    }
  }
  std::vector<bool> wins(profile.candidates());
  for (const Candidate a : leading) {
    for (const Candidate b : following) {
      if (a == b) continue;
      const std::int64_t margin = profile.margins()(a, b);
      if (margin >= 0) wins[a] = true;
      if (margin <= 0) wins[b] = true;
    }
  }
  for (Candidate c = 0; c < wins.size(); ++c) {
    if (wins[c]) tally.co_winners.push_back(c);
  }
  return tally;
}

Rule runoff() { return built_in("runoff", Counts::rankings, count_runoff); }
Rule condorcet() { return built_in("condorcet", Counts::rankings, count_condorcet); }
Rule copeland() { return built_in("copeland", Counts::rankings, count_copeland); }
Rule minimax() { return built_in("minimax", Counts::rankings, count_minimax); }
Rule schulze() { return built_in("schulze", Counts::rankings, count_schulze); }
Rule black() { return built_in("black", Counts::rankings, count_black); }

}  // namespace coracle::caf
