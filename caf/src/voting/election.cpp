#include "coracle/caf/voting/election.hpp"

#include "counting.hpp"

#include <algorithm>
#include <string>
#include <tuple>

namespace coracle::caf {

namespace {

constexpr std::uint32_t unset = anonymous;
// The greatest number of incidents that are recorded.
constexpr std::size_t incident_limit = 1000;

bool same_vote(const CastBallot& cast, const Vote& vote) {
  return cast.ballot == vote.ballot && cast.nonce == vote.nonce && cast.salt == vote.salt;
}

// Returns why a message comes at the wrong moment; empty when it does not.
std::string wrong_moment(Phase present, Phase wanted, std::uint32_t present_round,
                         std::uint32_t round) {
  if (present == Phase::closed || round < present_round ||
      (round == present_round && present > wanted)) {
    return "it came too late: that part of the decision is over";
  }
  if (round > present_round || present < wanted) {
    return "it came too early: wait until you are asked";
  }
  return {};
}

}  // namespace

Election::Election(std::shared_ptr<const Charter> charter,
                   std::shared_ptr<const Electorate> electorate, Progress beginning,
                   std::vector<std::string> alternatives, Time now)
    : charter_(std::move(charter)), progress_(std::move(beginning)), begin_(now) {
  Record& record = progress_.record;
  record.roll = Roll(std::move(electorate));
  record.terms = {charter_->rule.name(),  charter_->ties.name(),  charter_->voting,
                  charter_->secrecy,      charter_->absent,       charter_->chair,
                  charter_->lowest_score, charter_->highest_score};
  std::sort(alternatives.begin(), alternatives.end());
  alternatives.erase(std::unique(alternatives.begin(), alternatives.end()), alternatives.end());
  for (std::string& each : alternatives) record.alternatives.push_back({std::move(each)});
  begin_phase(Phase::proposing, now);
  if (!progress_.call_peers || waiting_ == 0) end_proposals(now);
}

Election::Election(std::shared_ptr<const Charter> charter, Progress so_far, Time now)
    : charter_(std::move(charter)), progress_(std::move(so_far)), begin_(now) {
  if (phase() == Phase::closed) return;
  if (!progress_.record.polls.empty()) {
    poll().ballots.clear();
    if (phase() == Phase::committing) poll().commitments.clear();
  }
  begin_phase(phase(), now);
}

std::vector<std::string> Election::agenda() const {
  std::vector<std::string> texts;
  texts.reserve(poll().agenda.size());
  for (const std::uint32_t each : poll().agenda) {
    texts.push_back(progress_.record.alternatives[each].text);
  }
  return texts;
}

void Election::note(std::string_view who, std::string_view what, std::string reason, Time now) {
  Record& record = progress_.record;
  std::vector<Incident>& list = phase() == Phase::closed ? record.afterwards : record.incidents;
  if (list.size() >= incident_limit) return;
  list.push_back({std::string(who), std::string(what), std::move(reason), now - begin_});
}

Answer Election::refuse(std::string_view who, std::string_view what, std::string reason, Time now) {
  note(who, what, reason, now);
  return {Answer::Kind::refused, std::move(reason)};
}

Answer Election::refuse(std::uint32_t member, std::string_view what, std::string reason, Time now) {
  return refuse(electorate().members()[member].name, what, std::move(reason), now);
}

void Election::begin_phase(Phase phase, Time now) {
  progress_.phase = phase;
  ++steps_;
  if (phase == Phase::closed) {
    deadline_ = Time::max();
    return;
  }
  const Duration within =
      phase == Phase::proposing ? charter_->propose_within : charter_->vote_within;
  deadline_ = Deadline(within).at(now);
  const std::uint32_t size = electorate().size();
  done_.assign(size, false);
  waiting_ = size;
  if (phase == Phase::proposing) {
    offers_.assign(size, {});
    offered_.assign(size, false);
    return;
  }
  ballot_of_.assign(size, unset);
  commitment_of_.assign(size, unset);
  const std::vector<Committed>& commitments = poll().commitments;
  for (std::uint32_t i = 0; i < commitments.size(); ++i) {
    if (commitments[i].member < size) commitment_of_[commitments[i].member] = i;
  }
  if (phase != Phase::voting || charter_->secrecy != Secrecy::commit_reveal) return;
  for (std::uint32_t member = 0; member < size; ++member) {
    if (commitment_of_[member] != unset) continue;
    done_[member] = true;
    --waiting_;
  }
  if (waiting_ == 0) end_phase(now);
}

void Election::heard_from(std::uint32_t member, Time now) {
  if (done_[member]) return;
  done_[member] = true;
  if (--waiting_ == 0) end_phase(now);
}

void Election::give_up(std::uint32_t member, std::string_view why, Time now) {
  if (phase() == Phase::closed || done_[member]) return;
  note(electorate().members()[member].name, "absent", std::string(why), now);
  heard_from(member, now);
}

void Election::on_time(Time now) {
  // The loop also ends a phase at once that begins at its own deadline, because it has no time at
  // all.
  while (phase() != Phase::closed && now >= deadline_) end_phase(now);
}

void Election::end_phase(Time now) {
  if (phase() == Phase::proposing) return end_proposals(now);
  if (phase() == Phase::committing) return begin_phase(Phase::voting, now);
  end_voting(now);
}

Answer Election::propose(std::uint32_t member, const std::vector<std::string>& alternatives,
                         Time now) {
  std::string wrong = wrong_moment(phase(), Phase::proposing, 0, 0);
  if (!wrong.empty()) return refuse(member, "proposals", std::move(wrong), now);
  if (offered_[member]) {
    if (offers_[member] == alternatives) return {Answer::Kind::repeated, {}};
    return refuse(member, "proposals", "you have offered others already, and those count", now);
  }
  if (alternatives.size() > charter_->alternatives_each) {
    return refuse(member, "proposals",
                  "these are " + std::to_string(alternatives.size()) + ", and at most " +
                      std::to_string(charter_->alternatives_each) + " of each peer are taken",
                  now);
  }
  for (const std::string& each : alternatives) {
    if (each.empty() || each.size() > charter_->text_limit) {
      return refuse(member, "proposals",
                    "an alternative has 1 to " + std::to_string(charter_->text_limit) +
                        " bytes, and this one has " + std::to_string(each.size()),
                    now);
    }
    if (charter_->rule.name() == "median" && !Fraction::parse(each)) {
      return refuse(member, "proposals", "'" + each.substr(0, 40) + "' is not a number", now);
    }
  }
  offers_[member] = alternatives;
  offered_[member] = true;
  ++offering_;
  offering_weight_ = offering_weight_ + electorate().members()[member].weight;
  heard_from(member, now);
  return {};
}

void Election::end_proposals(Time now) {
  Record& record = progress_.record;
  std::string why;
  if (progress_.call_peers) {
    why = missing_quorum(charter_->proposing, electorate(), offering_, offering_weight_);
  }
  std::vector<Alternative>& all = record.alternatives;
  std::size_t count = all.size() + 1;
  for (const auto& offered : offers_) count += offered.size();
  all.reserve(count);
  for (std::uint32_t member = 0; member < offers_.size(); ++member) {
    for (std::string& each : offers_[member]) all.push_back({std::move(each), member});
  }
  if (charter_->none_of_these) all.push_back({std::string(none_of_these)});
  // Of equal alternatives, that of the most senior proposer is kept; an alternative of the motion
  // comes before all of them.
  std::sort(all.begin(), all.end(), [](const Alternative& a, const Alternative& b) {
    const int order = a.text.compare(b.text);
    return order != 0 ? order < 0 : a.proposer + 1 < b.proposer + 1;
  });
  all.erase(
      std::unique(all.begin(), all.end(),
                  [](const Alternative& a, const Alternative& b) { return a.text == b.text; }),
      all.end());
  if (why.empty() && all.empty()) why = "nothing was proposed";
  if (why.empty() && all.size() > charter_->agenda_limit) {
    why = std::to_string(all.size()) + " alternatives were proposed, and an agenda has at most " +
          std::to_string(charter_->agenda_limit);
  }
  if (!why.empty()) {
    Decision decision;
    decision.why = std::move(why);
    return close(std::move(decision), now);
  }
  std::vector<std::uint32_t> agenda(all.size());
  for (std::uint32_t i = 0; i < agenda.size(); ++i) agenda[i] = i;
  begin_poll(std::move(agenda), now);
}

void Election::begin_poll(std::vector<std::uint32_t> agenda, Time now) {
  Poll poll;
  poll.agenda = std::move(agenda);
  poll.ballots.reserve(electorate().size());
  progress_.record.polls.push_back(std::move(poll));
  const bool commit = charter_->secrecy == Secrecy::commit_reveal;
  begin_phase(commit ? Phase::committing : Phase::voting, now);
}

Answer Election::commit(std::uint32_t member, const Commitment& commitment, Time now) {
  std::string wrong = charter_->secrecy == Secrecy::commit_reveal
                          ? wrong_moment(phase(), Phase::committing, round(), commitment.round)
                          : "this council does not ask for commitments";
  if (wrong.empty() && commitment.digest.size() != 64) wrong = "it is not a SHA-256 in hexadecimal";
  if (!wrong.empty()) return refuse(member, "commitment", std::move(wrong), now);
  if (commitment_of_[member] != unset) {
    std::string& before = poll().commitments[commitment_of_[member]].digest;
    if (before == commitment.digest) return {Answer::Kind::repeated, {}};
    if (charter_->repeated == Repeated::first_counts) {
      return refuse(member, "commitment", "it contradicts your first one, which counts", now);
    }
    note(electorate().members()[member].name, "commitment", "it replaced an earlier one", now);
    before = commitment.digest;
    return {Answer::Kind::replaced, {}};
  }
  commitment_of_[member] = static_cast<std::uint32_t>(poll().commitments.size());
  poll().commitments.push_back({member, commitment.digest});
  heard_from(member, now);
  return {};
}

std::string Election::fault_of_vote(std::uint32_t member, const Vote& vote) const {
  const auto size = static_cast<std::uint32_t>(poll().agenda.size());
  std::string fault = fault_of(vote.ballot, size);
  if (!fault.empty()) return fault;
  if (vote.ballot.weight != Fraction(1)) {
    return "it claims a weight of " + vote.ballot.weight.str() + ", which only the council gives";
  }
  if (vote.ballot.scores) {
    for (const Fraction& each : *vote.ballot.scores) {
      if (each < charter_->lowest_score || each > charter_->highest_score ||
          1000 % each.denominator() != 0) {
        return "the score " + each.str() + " is not from " + charter_->lowest_score.str() + " to " +
               charter_->highest_score.str() + " in steps of 1/1000";
      }
    }
  }
  if (charter_->secrecy != Secrecy::commit_reveal) return {};
  if (commitment_of_[member] == unset) return "you have not committed to a vote";
  const std::string& promised = poll().commitments[commitment_of_[member]].digest;
  if (commitment_to(vote, electorate().members()[member].name) != promised) {
    return "it is not the vote that you have committed to";
  }
  return {};
}

Answer Election::repeat(std::uint32_t member, const Vote& vote, Time now) {
  CastBallot& before = poll().ballots[ballot_of_[member]];
  if (same_vote(before, vote)) return {Answer::Kind::repeated, {}};
  if (charter_->repeated == Repeated::first_counts) {
    return refuse(member, "vote", "it contradicts your first one, which counts", now);
  }
  note(electorate().members()[member].name, "vote", "it replaced an earlier one", now);
  before.ballot = vote.ballot;
  before.nonce = vote.nonce;
  before.salt = vote.salt;
  return {Answer::Kind::replaced, {}};
}

Answer Election::vote(std::uint32_t member, const Vote& vote, Time now) {
  std::string wrong = wrong_moment(phase(), Phase::voting, round(), vote.round);
  if (wrong.empty()) wrong = fault_of_vote(member, vote);
  if (!wrong.empty()) return refuse(member, "vote", std::move(wrong), now);
  if (ballot_of_[member] != unset) return repeat(member, vote, now);
  ballot_of_[member] = static_cast<std::uint32_t>(poll().ballots.size());
  const bool chair = electorate().members()[member].name == charter_->chair;
  poll().ballots.push_back({member, vote.ballot, vote.nonce, vote.salt, chair});
  heard_from(member, now);
  return {};
}

// Records which members took part. Then sorts the ballots in the order of the members, or hides
// this order.
void Election::seal_poll() {
  Poll& sealed = poll();
  count_presence(electorate(), charter_->absent, sealed);
  if (charter_->secrecy != Secrecy::tally_only) {
    std::sort(sealed.ballots.begin(), sealed.ballots.end(),
              [](const CastBallot& a, const CastBallot& b) { return a.member < b.member; });
    return;
  }
  std::vector<Ballot> counted = counted_ballots(progress_.record, sealed);
  sealed.ballots.resize(counted.size());
  for (std::size_t i = 0; i < counted.size(); ++i) {
    sealed.ballots[i].member = anonymous;
    sealed.ballots[i].ballot = std::move(counted[i]);
  }
  std::sort(sealed.ballots.begin(), sealed.ballots.end(),
            [](const CastBallot& a, const CastBallot& b) {
              const auto key = [](const CastBallot& each) {
                return std::tie(each.ballot.ranking, each.ballot.approved, each.ballot.scores,
                                each.ballot.weight, each.nonce, each.chair);
              };
              return key(a) < key(b);
            });
}

void Election::end_voting(Time now) {
  if (charter_->secrecy == Secrecy::commit_reveal) {
    for (const Committed& each : poll().commitments) {
      if (ballot_of_[each.member] != unset) continue;
      note(electorate().members()[each.member].name, "vote", "it was committed to but not opened",
           now);
    }
  }
  seal_poll();
  const Counted counted = count_last_poll(progress_.record, charter_->rule, charter_->ties);
  if (!counted.outcome.revote) return close(decision_of(progress_.record, counted), now);
  std::vector<std::uint32_t> agenda;
  for (const Candidate each : counted.outcome.left) agenda.push_back(poll().agenda[each]);
  begin_poll(std::move(agenda), now);
}

void Election::close(Decision decision, Time now) {
  decision.id = progress_.record.id;
  decision.subject = progress_.record.subject;
  progress_.record.decision = std::move(decision);
  begin_phase(Phase::closed, now);
}

}  // namespace coracle::caf
