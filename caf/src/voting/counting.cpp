#include "counting.hpp"

#include "common/digest.hpp"

#include <algorithm>
#include <string>

namespace coracle::caf {

namespace {

// Returns the index of the alternative that holds now on a poll's agenda.
Candidate incumbent_of(const Record& record, const Poll& poll) {
  for (std::size_t place = 0; place < poll.agenda.size(); ++place) {
    const std::string& text = record.alternatives[poll.agenda[place]].text;
    if (!record.incumbent.empty() && text == record.incumbent) {
      return static_cast<Candidate>(place);
    }
  }
  return nobody;
}

// Returns a ballot that prefers one candidate to all others, by every kind of rule.
Ballot ballot_for(Candidate best, std::size_t candidates, const Terms& terms) {
  Ballot ballot = choose(best);
  ballot.approved = ballot.ranking;
  ballot.scores.emplace(candidates, terms.lowest_score);
  if (best < candidates) (*ballot.scores)[best] = terms.highest_score;
  return ballot;
}

// Returns a hash of contributions of every voter. The order of the ballots does not change it.
std::string seed_of(const Record& record, const Poll& poll) {
  std::vector<std::uint64_t> nonces;
  for (const CastBallot& cast : poll.ballots) nonces.push_back(cast.nonce);
  std::sort(nonces.begin(), nonces.end());
  std::string text =
      record.council + ' ' + std::to_string(record.id) + ' ' + std::to_string(record.polls.size());
  for (const std::uint64_t each : nonces) text += ' ' + std::to_string(each);
  return hex(sha256(text));
}

TieContext context_of(const Record& record, const Poll& poll, const Profile& profile,
                      const Ties& ties) {
  TieContext context;
  context.profile = &profile;
  context.incumbent = incumbent_of(record, poll);
  context.revotes = static_cast<unsigned>(record.polls.size() - 1);
  for (const CastBallot& cast : poll.ballots) {
    if (cast.chair) context.chair = &cast.ballot;
  }
  for (const std::uint32_t each : poll.agenda) {
    // The alternatives of the motion come before any proposal.
    const std::uint32_t proposer = record.alternatives[each].proposer;
    context.seniority.push_back(proposer == anonymous ? 0 : proposer + 1);
  }
  if (ties.needs_seed()) context.seed = seed_of(record, poll);
  return context;
}

}  // namespace

std::vector<Ballot> counted_ballots(const Record& record, const Poll& poll) {
  const Electorate& roll = *record.roll;
  std::vector<Ballot> ballots;
  ballots.reserve(poll.ballots.size() + 1);
  std::vector<bool> voted(roll.size());
  std::vector<std::size_t> place(roll.size());
  bool is_secret = false;
  for (const CastBallot& cast : poll.ballots) {
    ballots.push_back(cast.ballot);
    is_secret |= cast.member == anonymous;
    if (cast.member >= roll.size()) continue;
    ballots.back().weight = roll.members()[cast.member].weight;
    voted[cast.member] = true;
    place[cast.member] = ballots.size() - 1;
  }
  if (is_secret || record.terms.absent == Absent::abstains) return ballots;

  const Candidate incumbent = incumbent_of(record, poll);
  Ballot for_incumbent = ballot_for(incumbent, poll.agenda.size(), record.terms);
  for_incumbent.weight = 0;
  for (std::uint32_t member = 0; member < roll.size(); ++member) {
    if (voted[member]) continue;
    const Fraction& weight = roll.members()[member].weight;
    if (record.terms.absent == Absent::status_quo) {
      for_incumbent.weight = for_incumbent.weight + weight;
      continue;
    }
    const std::uint32_t voice = voice_of(roll, member, voted, record.terms.absent);
    if (voice == anonymous) continue;
    Ballot& ballot = ballots[place[voice]];
    ballot.weight = ballot.weight + weight;
  }
  if (incumbent != nobody && for_incumbent.weight > Fraction(0)) ballots.push_back(for_incumbent);
  return ballots;
}

std::uint32_t voice_of(const Electorate& electorate, std::uint32_t member,
                       const std::vector<bool>& voted, Absent absent) {
  if (absent != Absent::proxy) return voted[member] ? member : anonymous;
  for (std::uint32_t steps = 0; steps < electorate.size(); ++steps) {
    if (voted[member]) return member;
    const std::string& proxy = electorate.members()[member].proxy;
    const Result<Name> name = Name::parse(proxy);
    const auto next = name ? electorate.find(*name) : std::nullopt;
    if (!next) return anonymous;
    member = *next;
  }
  return anonymous;
}

void count_presence(const Electorate& electorate, Absent absent, Poll& poll) {
  std::vector<bool> voted(electorate.size());
  for (const CastBallot& each : poll.ballots) voted[each.member] = true;
  poll.present = 0;
  poll.present_weight = 0;
  for (std::uint32_t member = 0; member < electorate.size(); ++member) {
    if (voice_of(electorate, member, voted, absent) == anonymous) continue;
    ++poll.present;
    poll.present_weight = poll.present_weight + electorate.members()[member].weight;
  }
}

std::string missing_quorum(const Quorum& quorum, const Electorate& electorate,
                           std::uint32_t present, Fraction weight) {
  bool met = true;
  if (quorum.kind == Quorum::Kind::heads) met = Fraction(present) >= quorum.amount;
  if (quorum.kind == Quorum::Kind::share_of_heads) {
    met = Fraction(present) >= quorum.amount * Fraction(electorate.size());
  }
  if (quorum.kind == Quorum::Kind::share_of_weight) {
    met = weight >= quorum.amount * electorate.weight();
  }
  if (met) return {};
  const bool by_weight = quorum.kind == Quorum::Kind::share_of_weight;
  std::string all = std::to_string(electorate.size()) + " members";
  if (by_weight) all = "a weight of " + electorate.weight().str();
  return "no quorum: " + (by_weight ? weight.str() : std::to_string(present)) + " of " + all +
         " took part, and " + quorum.amount.str() +
         (quorum.kind == Quorum::Kind::heads ? "" : " of all") + " is needed";
}

Counted count_last_poll(const Record& record, const Rule& rule, const Ties& ties) {
  const Poll& poll = record.polls.back();
  Counted counted;
  counted.why =
      missing_quorum(record.terms.voting, *record.roll, poll.present, poll.present_weight);
  if (!counted.why.empty()) return counted;
  std::vector<Ballot> ballots = counted_ballots(record, poll);
  if (ballots.empty()) {
    counted.why = "nobody has voted";
    return counted;
  }
  try {
    Profile profile(static_cast<std::uint32_t>(poll.agenda.size()), std::move(ballots));
    if (rule.name() == "median") {
      std::vector<Fraction> numbers;
      for (const std::uint32_t each : poll.agenda) {
        numbers.push_back(Fraction::parse(record.alternatives[each].text).value());
      }
      profile.stand_for(std::move(numbers));
    }
    Tally tally = rule.count(profile);
    counted.co_winners = std::move(tally.co_winners);
    counted.why = std::move(tally.why);
    counted.outcome.left = counted.co_winners;
    if (counted.co_winners.size() > 1) {
      counted.outcome = ties.settle(counted.co_winners, context_of(record, poll, profile, ties));
    }
  } catch (const Error& error) {
    counted = Counted();
    counted.why = error.sentence();
  }
  return counted;
}

Decision decision_of(const Record& record, const Counted& counted) {
  const Poll& poll = record.polls.back();
  const auto text = [&](Candidate each) -> const std::string& {
    return record.alternatives[poll.agenda[each]].text;
  };
  Decision decision;
  decision.id = record.id;
  decision.subject = record.subject;
  decision.why = counted.why;
  for (const Candidate each : counted.co_winners) decision.co_winners.push_back(text(each));
  if (counted.outcome.left.size() == 1) {
    decision.decided = true;
    decision.winner = text(counted.outcome.left.front());
  } else if (decision.why.empty()) {
    decision.why =
        "a tie that " + (record.terms.ties.empty() ? std::string("no tie strategy was to break")
                                                   : "'" + record.terms.ties + "' did not break");
  }
  return decision;
}

}  // namespace coracle::caf
