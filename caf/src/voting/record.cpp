#include "coracle/caf/voting/record.hpp"

#include "common/digest.hpp"
#include "counting.hpp"

#include "coracle/typed.hpp"

#include <algorithm>
#include <string>

namespace coracle::caf {

namespace {

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
  std::vector<std::byte> bytes;
  coracle::detail::Codec<T>::encode(*cbor_encoder(bytes), value);
  return bytes;
}

// The data of which a commitment is the hash.
struct Committing {
  DecisionId id = 0;
  std::uint32_t round = 0;
  std::string voter;
  Ballot ballot;
  std::uint64_t nonce = 0;
  std::uint64_t salt = 0;
};

using Faults = std::vector<std::string>;

void check_ballots(const Record& record, const Poll& poll, Faults& faults) {
  const auto size = static_cast<std::uint32_t>(poll.agenda.size());
  std::vector<bool> seen(record.roll->size());
  for (std::size_t i = 0; i < poll.ballots.size(); ++i) {
    const CastBallot& cast = poll.ballots[i];
    const std::string which = "ballot " + std::to_string(i);
    const std::string fault = fault_of(cast.ballot, size);
    if (!fault.empty()) faults.push_back(which + " cannot be counted: " + fault);
    if (cast.member == anonymous) continue;
    if (cast.member >= seen.size()) {
      faults.push_back(which + " is not of a member of the electorate");
    } else if (seen[cast.member]) {
      faults.push_back(which + " is the second of " + record.roll->members()[cast.member].name);
    } else {
      seen[cast.member] = true;
    }
  }
}

void check_commitments(const Record& record, std::uint32_t round, Faults& faults) {
  const Poll& poll = record.polls[round - 1];
  for (const CastBallot& cast : poll.ballots) {
    if (cast.member >= record.roll->size()) continue;
    const std::string& name = record.roll->members()[cast.member].name;
    const Vote vote{record.id, round, cast.ballot, cast.nonce, cast.salt};
    const bool kept =
        std::any_of(poll.commitments.begin(), poll.commitments.end(), [&](const Committed& each) {
          return each.member == cast.member && each.digest == commitment_to(vote, name);
        });
    if (!kept) faults.push_back(name + " voted otherwise than it had committed to");
  }
}

// Compares the presence in the record with the ballots. Of secret ballots, only the weight can be
// checked.
void check_presence(const Record& record, const Poll& poll, Faults& faults) {
  Fraction weight = 0;
  bool is_secret = false;
  for (const CastBallot& cast : poll.ballots) {
    is_secret |= cast.member == anonymous;
    weight = weight + cast.ballot.weight;
  }
  if (is_secret && weight > record.roll->weight()) {
    faults.push_back("the ballots weigh " + weight.str() + ", more than the whole electorate");
  }
  if (is_secret || !faults.empty()) return;
  Poll again = poll;
  count_presence(*record.roll, record.terms.absent, again);
  if (again != poll) {
    faults.push_back("the ballots are of " + std::to_string(again.present) +
                     " members, the record says of " + std::to_string(poll.present));
  }
}

bool is_agenda(const Record& record, const Poll& poll) {
  return !poll.agenda.empty() &&
         std::all_of(poll.agenda.begin(), poll.agenda.end(),
                     [&](std::uint32_t each) { return each < record.alternatives.size(); });
}

std::string told(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "'" : ", '") + name + "'";
  return all.empty() ? "nobody" : all;
}

std::string told(const Decision& decision) {
  return decision.decided ? "'" + decision.winner + "'" : std::string("no decision");
}

// Returns the difference between the record and the result of its ballots; empty if there is none.
std::string difference(const Decision& counted, const Decision& recorded) {
  if (counted.id != recorded.id)
    return "the ballots are of decision " + std::to_string(counted.id) + ", the record is of " +
           std::to_string(recorded.id);
  if (counted.decided != recorded.decided || counted.winner != recorded.winner)
    return "the ballots give " + told(counted) + ", the record says " + told(recorded);
  if (counted.co_winners != recorded.co_winners)
    return "by the ballots " + told(counted.co_winners) +
           " won before ties were broken, the record says " + told(recorded.co_winners);
  return {};
}

}  // namespace

void encode(Encoder& encoder, const Roll& roll) {
  const std::vector<Member> members = roll ? roll->members() : std::vector<Member>();
  coracle::detail::Codec<std::vector<Member>>::encode(encoder, members);
}

void decode(Decoder& decoder, Roll& roll) {
  std::vector<Member> members;
  coracle::detail::Codec<std::vector<Member>>::decode(decoder, members);
  try {
    roll = Roll(std::make_shared<const Electorate>(std::move(members)));
  } catch (const Error& error) {
    coracle::detail::fail_decoding("an electorate: " + error.sentence());
  }
}

Candidate Agenda::find(std::string_view alternative) const noexcept {
  const auto found = std::lower_bound(alternatives.begin(), alternatives.end(), alternative);
  if (found == alternatives.end() || *found != alternative) return nobody;
  return static_cast<Candidate>(found - alternatives.begin());
}

std::string commitment_to(const Vote& vote, std::string_view voter) {
  const Committing what{vote.id,     vote.round, std::string(voter),
                        vote.ballot, vote.nonce, vote.salt};
  return hex(sha256(bytes_of(what)));
}

std::string digest_of(const Record& record) {
  Record sealed = record;
  sealed.afterwards.clear();
  return hex(sha256(bytes_of(sealed)));
}

Recount recount(const Record& record) {
  const Rule rule = Rule::named(record.terms.rule).value();
  const Ties ties = Ties::named(record.terms.ties).value();
  return recount(record, rule, ties);
}

Recount recount(const Record& record, const Rule& rule, const Ties& ties) {
  Recount result;
  result.decision = record.decision;
  if (record.polls.empty()) {
    if (record.decision.decided) result.faults.emplace_back("there is a winner but no vote");
    return result;
  }
  if (!record.roll) {
    result.faults.emplace_back("there is no electorate");
    return result;
  }
  Record so_far = record;
  so_far.polls.clear();
  Counted counted;
  for (std::uint32_t round = 1; round <= record.polls.size(); ++round) {
    const Poll& poll = record.polls[round - 1];
    if (round > 1) {
      std::vector<std::uint32_t> tied;
      const Poll& before = record.polls[round - 2];
      for (const Candidate each : counted.outcome.left) tied.push_back(before.agenda[each]);
      if (!counted.outcome.revote || tied != poll.agenda) {
        result.faults.push_back("vote " + std::to_string(round) + " should not have been held");
      }
    }
    const std::size_t faults = result.faults.size();
    if (!is_agenda(record, poll)) result.faults.emplace_back("the agenda is not of alternatives");
    check_ballots(record, poll, result.faults);
    check_presence(record, poll, result.faults);
    if (record.terms.secrecy == Secrecy::commit_reveal) {
      check_commitments(record, round, result.faults);
    }
    if (result.faults.size() != faults) return result;
    so_far.polls.push_back(poll);
    counted = count_last_poll(so_far, rule, ties);
  }
  result.decision = decision_of(so_far, counted);
  if (std::string wrong = difference(result.decision, record.decision); !wrong.empty())
    result.faults.push_back(std::move(wrong));
  return result;
}

}  // namespace coracle::caf
