#include "coracle/caf/voting/decision.hpp"
#include "decisions/contents.hpp"
#include "decisions/decisions.hpp"

#include <algorithm>
#include <utility>

namespace coracle::view {

namespace {

// The alternatives of a ballot, the best first.
std::vector<std::string> choices_in(const caf::Ballot& ballot,
                                    const std::vector<std::string>& alternatives) {
  std::vector<caf::Candidate> chosen = ballot.ranking;
  if (chosen.empty() && ballot.approved) chosen = *ballot.approved;
  if (chosen.empty() && ballot.scores) {
    for (caf::Candidate i = 0; i < ballot.scores->size(); ++i) chosen.push_back(i);
    std::stable_sort(chosen.begin(), chosen.end(), [&](caf::Candidate a, caf::Candidate b) {
      return (*ballot.scores)[a] > (*ballot.scores)[b];
    });
  }
  std::vector<std::string> texts;
  for (const caf::Candidate each : chosen) {
    if (texts.size() == most_shown) break;
    texts.push_back(each < alternatives.size() ? alternatives[each] : std::to_string(each));
  }
  return texts;
}

}  // namespace

void Decisions::council(const Seen& message, std::string_view type) {
  constexpr std::string_view kind = "council";
  const std::string_view from = message.from.view();
  if (type == "call/v1") {
    if (const auto call = content_as<caf::Call>(message))
      record(message, kind, id_of(message.from, call->id), "call",
             {{"council", from}, {"subject", shown(call->subject)}, {"to", message.to.view()}});
  } else if (type == "proposals/v1") {
    if (const auto proposals = content_as<caf::Proposals>(message))
      record(message, kind, id_of(message.to, proposals->id), "proposals",
             {{"council", message.to.view()},
              {"from", from},
              {"alternatives", some(proposals->alternatives)}});
  } else if (type == "agenda/v1") {
    const auto agenda = content_as<caf::Agenda>(message);
    if (!agenda) return;
    const std::string id = id_of(message.from, agenda->id);
    Ballots& ballots = state_of(ballots_, id);
    if (agenda->round != ballots.round || ballots.alternatives.empty()) {
      ballots = {agenda->alternatives, {}, agenda->round};
      if (ballots.alternatives.size() > most_shown) ballots.alternatives.resize(most_shown);
    }
    record(message, kind, id, "agenda",
           {{"council", from},
            {"to", message.to.view()},
            {"subject", shown(agenda->subject)},
            {"round", agenda->round},
            {"alternatives", some(agenda->alternatives)}});
  } else if (type == "vote/v1") {
    const auto vote = content_as<caf::Vote>(message);
    if (!vote) return;
    const std::string id = id_of(message.to, vote->id);
    Ballots& ballots = state_of(ballots_, id);
    const std::vector<std::string> choices = choices_in(vote->ballot, ballots.alternatives);
    constexpr std::size_t most_voters = 1000;
    const bool has_room =
        ballots.votes.size() < most_voters || ballots.votes.contains(std::string(from));
    if (has_room && vote->round == ballots.round) ballots.votes[std::string(from)] = choices;
    std::map<std::string, std::uint64_t> first;  // the voters that prefer an alternative
    for (const std::string& each : ballots.alternatives) first[each] = 0;
    for (const auto& [voter, order] : ballots.votes)
      if (!order.empty()) ++first[order.front()];
    json::array tally;
    for (const auto& [alternative, count] : first)
      tally.push_back(json::array{shown(alternative), count});
    record(message, kind, id, "vote",
           {{"council", message.to.view()},
            {"from", from},
            {"round", vote->round},
            {"ballot", some(choices)},
            {"tally", std::move(tally)},
            {"votes", ballots.votes.size()}});
  } else if (type == "decision/v1") {
    const auto decision = content_as<caf::Decision>(message);
    if (!decision) return;
    json::object more{
        {"council", from}, {"subject", shown(decision->subject)}, {"decided", decision->decided}};
    if (decision->decided) more["winner"] = shown(decision->winner);
    if (decision->co_winners.size() > 1) more["tied"] = some(decision->co_winners);
    if (!decision->why.empty()) more["why"] = shown(decision->why);
    record(message, kind, id_of(message.from, decision->id), "decision", std::move(more));
  }
}

}  // namespace coracle::view
