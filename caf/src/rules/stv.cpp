// Single transferable vote. Ballots that were passed on by the same winners in the same rounds have
// the same value. So fractions are kept once for each such class, and ballots are counted in whole
// units.
#include "rules.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace coracle::caf {

namespace {

using Exact = boost::multiprecision::cpp_rational;

// The greatest number of states that are examined; if there are more, the stated order decides.
constexpr std::size_t states_limit = 20'000;

std::string text_of(const Exact& value) {
  std::string text = numerator(value).str();
  if (denominator(value) != 1) text += '/' + denominator(value).str();
  // Tallies are exact, but this text is for people: an exact tally may need hundreds of digits.
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

// The state of a count.
struct State {
  std::vector<bool> standing;
  std::vector<Candidate> elected;
  std::vector<std::uint32_t> value_of;  // the class of each bundle of ballots
  std::vector<std::uint32_t> at;        // the index of each bundle in its ranking
  std::vector<Candidate> top;           // the candidate there; nobody when the ballot is exhausted
  std::vector<Exact> values;            // the value of each class
  // The candidates that stood at each election so far. Together with `standing`, they determine
  // everything else.
  std::vector<std::vector<bool>> history;
};

class Transfer {
 public:
  Transfer(const Profile& profile, std::uint32_t seats)
      : profile_(profile), bundles_(bundled(profile)), seats_(seats) {
    std::int64_t units = 0;
    for (const Bundle& each : bundles_) units += each.units;
    quota_ = Exact(units, std::int64_t{seats} + 1);
  }

  State beginning() const {
    State state;
    state.standing.assign(profile_.candidates(), true);
    state.value_of.assign(bundles_.size(), 0);
    state.at.assign(bundles_.size(), 0);
    for (const Bundle& each : bundles_) state.top.push_back(each.ranking->front());
    state.values = {Exact(1)};
    return state;
  }

  // Counts one round. If candidates are elected, nobody leaves and the result is empty. Otherwise
  // returns the candidates that may have to leave.
  std::vector<Candidate> advance(State& state, Round* round) const {
    std::vector<Candidate> standing;
    for (Candidate c = 0; c < state.standing.size(); ++c) {
      if (state.standing[c]) standing.push_back(c);
    }
    const std::vector<Exact> tally = count(state);
    if (round != nullptr) note(state, tally, *round);
    if (state.elected.size() + standing.size() <= seats_) {
      elect(state, standing, round);
      return {};
    }
    std::vector<Candidate> reached;
    for (const Candidate each : standing) {
      if (tally[each] > quota_) reached.push_back(each);
    }
    if (!reached.empty()) {
      state.history.push_back(state.standing);
      pass_on(state, tally, reached);
      elect(state, reached, round);
      return {};
    }
    std::vector<Candidate> fewest;
    for (const Candidate each : standing) {
      if (!fewest.empty() && tally[each] > tally[fewest.front()]) continue;
      if (!fewest.empty() && tally[each] < tally[fewest.front()]) fewest.clear();
      fewest.push_back(each);
    }
    return fewest;
  }

  bool is_done(const State& state) const {
    return state.elected.size() >= seats_ ||
           std::none_of(state.standing.begin(), state.standing.end(), [](bool s) { return s; });
  }

 private:
  std::vector<Exact> count(State& state) const {
    const std::size_t size = state.standing.size();
    std::vector<std::int64_t> units(state.values.size() * size);
    for (std::size_t i = 0; i < bundles_.size(); ++i) {
      Candidate& top = state.top[i];
      if (top != nobody && !state.standing[top]) {
        const std::vector<Candidate>& ranking = *bundles_[i].ranking;
        std::uint32_t& at = state.at[i];
        while (at < ranking.size() && !state.standing[ranking[at]]) ++at;
        top = at < ranking.size() ? ranking[at] : nobody;
      }
      if (top != nobody) units[state.value_of[i] * size + top] += bundles_[i].units;
    }
    std::vector<Exact> tally(size);
    for (std::size_t value = 0; value < state.values.size(); ++value) {
      for (std::size_t c = 0; c < size; ++c) {
        const std::int64_t each = units[value * size + c];
        if (each != 0) tally[c] += state.values[value] * each;
      }
    }
    return tally;
  }

  void note(const State& state, const std::vector<Exact>& tally, Round& round) const {
    for (Candidate c = 0; c < tally.size(); ++c) {
      const Exact votes = tally[c] / profile_.unit();
      round.tally.push_back(state.standing[c] ? text_of(votes) : "");
    }
  }

  // Passes on the surplus over the quota with the ballots that brought it.
  void pass_on(State& state, const std::vector<Exact>& tally,
               const std::vector<Candidate>& reached) const {
    std::vector<bool> is_reached(state.standing.size());
    for (const Candidate each : reached) is_reached[each] = true;
    std::map<std::pair<std::uint32_t, Candidate>, std::uint32_t> classes;
    for (std::size_t i = 0; i < bundles_.size(); ++i) {
      const Candidate winner = state.top[i];
      if (winner == nobody || !is_reached[winner]) continue;
      const auto next = static_cast<std::uint32_t>(state.values.size());
      const auto [found, is_new] = classes.try_emplace({state.value_of[i], winner}, next);
      if (is_new) {
        const Exact factor = (tally[winner] - quota_) / tally[winner];
        state.values.push_back(state.values[state.value_of[i]] * factor);
      }
      state.value_of[i] = found->second;
    }
  }

  static void elect(State& state, const std::vector<Candidate>& winners, Round* round) {
    for (const Candidate each : winners) {
      state.standing[each] = false;
      state.elected.push_back(each);
    }
    if (round != nullptr) round->elected = winners;
  }

  const Profile& profile_;
  std::vector<Bundle> bundles_;
  std::uint32_t seats_;
  // The quota as a share, so that it does not depend on the unit of weights. At most as many
  // candidates as there are seats can have more than this.
  Exact quota_;
};

// Returns every committee that results from some way to break the ties. `complete` becomes false
// when there are too many ways.
std::set<std::vector<Candidate>> every_committee(const Transfer& transfer, bool& complete) {
  std::set<std::vector<Candidate>> committees;
  std::set<std::pair<std::vector<bool>, std::vector<std::vector<bool>>>> seen;
  std::vector<State> open = {transfer.beginning()};
  complete = true;
  while (!open.empty()) {
    State state = std::move(open.back());
    open.pop_back();
    while (!transfer.is_done(state)) {
      if (!seen.emplace(state.standing, state.history).second) break;
      if (seen.size() > states_limit) {
        complete = false;
        return committees;
      }
      const std::vector<Candidate> leaving = transfer.advance(state, nullptr);
      for (std::size_t i = 1; i < leaving.size(); ++i) {
        open.push_back(state);
        open.back().standing[leaving[i]] = false;
      }
      if (!leaving.empty()) state.standing[leaving.front()] = false;
    }
    if (!transfer.is_done(state)) continue;
    std::sort(state.elected.begin(), state.elected.end());
    committees.insert(std::move(state.elected));
  }
  return committees;
}

}  // namespace

Tally count_stv(const Profile& profile, std::uint32_t seats) {
  const Transfer transfer(profile, seats);
  Tally tally;
  State state = transfer.beginning();
  while (!transfer.is_done(state)) {
    Round round;
    const std::vector<Candidate> leaving = transfer.advance(state, &round);
    if (!leaving.empty()) {
      round.eliminated = {leaving.back()};
      state.standing[leaving.back()] = false;
    }
    tally.rounds.push_back(std::move(round));
  }
  std::sort(state.elected.begin(), state.elected.end());
  tally.committees = {state.elected};
  tally.every_way = profile.candidates() <= every_way_limit;
  if (tally.every_way) {
    const auto all = every_committee(transfer, tally.every_way);
    if (tally.every_way) tally.committees.assign(all.begin(), all.end());
  }
  std::vector<bool> elected(profile.candidates());
  for (const auto& committee : tally.committees) {
    for (const Candidate each : committee) elected[each] = true;
  }
  for (Candidate c = 0; c < elected.size(); ++c) {
    if (elected[c]) tally.co_winners.push_back(c);
  }
  return tally;
}

Rule stv(std::uint32_t seats) {
  if (seats == 0 || seats > seats_limit) {
    throw Error(Errc::bad_options, "stv cannot fill " + std::to_string(seats) +
                                       " seats; give a number from 1 to " +
                                       std::to_string(seats_limit));
  }
  const std::string name = seats == 1 ? "stv" : "stv:" + std::to_string(seats);
  return built_in(name, Counts::rankings,
                  [seats](const Profile& profile) { return count_stv(profile, seats); });
}

}  // namespace coracle::caf
