#include "answers.hpp"
#include "coracle/caf/voting/election.hpp"

#include <memory>
#include <string>

namespace coracle::caf::oracles {

namespace {

Candidate read_candidate(std::istream& in) {
  Candidate candidate = 0;
  in >> candidate;
  return candidate;
}

Fraction read_fraction(std::istream& in) {
  std::string text;
  in >> text;
  return Fraction::parse(text).value();
}

Ballot read_ballot(std::istream& in) {
  Ballot ballot;
  ballot.ranking = list_of(in, read_candidate);
  int has = 0;
  in >> has;
  if (has != 0) ballot.approved = list_of(in, read_candidate);
  in >> has;
  if (has != 0) ballot.scores = list_of(in, read_fraction);
  return ballot;
}

Ballot read_weighted(std::istream& in) {
  const Fraction weight = read_fraction(in);
  Ballot ballot = read_ballot(in);
  ballot.weight = weight;
  return ballot;
}

std::string rule_of(std::istream& in) {
  std::string rule;
  in >> rule;
  return rule;
}

}  // namespace

void answer_vote(std::istream& in, std::ostream& out) {
  const Rule rule = Rule::named(rule_of(in)).value();
  const Candidate candidates = read_candidate(in);
  std::vector<Fraction> numbers = list_of(in, read_fraction);
  Profile profile(candidates, list_of(in, read_weighted));
  if (!numbers.empty()) profile.stand_for(std::move(numbers));
  const Tally tally = rule.count(profile);
  for (const Candidate each : tally.co_winners) out << each << ' ';
  out << '|';
  for (const std::vector<Candidate>& committee : tally.committees) {
    for (const Candidate each : committee) out << ' ' << each;
    out << " /";
  }
}

void answer_council(std::istream& in, std::ostream& out) {
  auto charter = std::make_shared<Charter>();
  charter->rule = Rule::named(rule_of(in)).value();
  charter->ties = Ties();
  charter->absent = Absent::status_quo;
  int incumbent = 0;
  in >> incumbent;
  std::vector<Member> members;
  for (const Fraction& weight : list_of(in, read_fraction)) {
    members.push_back({"member" + std::to_string(members.size()), weight, {}});
  }
  Progress beginning;
  beginning.record.id = 1;
  beginning.record.council = "council";
  if (incumbent >= 0) beginning.record.incumbent = std::to_string(incumbent);
  beginning.call_peers = false;
  const Time start(std::chrono::seconds(1));
  Election election(charter, std::make_shared<const Electorate>(members), beginning,
                    {"0", "1", "2"}, start);
  std::size_t votes = 0;
  in >> votes;
  for (std::size_t i = 0; i < votes; ++i) {
    const std::uint32_t member = read_candidate(in);
    (void)election.vote(member, {1, 1, read_ballot(in), member, 0}, start);
  }
  election.on_time(election.deadline());
  for (const std::string& each : election.record().decision.co_winners) out << each << ' ';
}

}  // namespace coracle::caf::oracles
