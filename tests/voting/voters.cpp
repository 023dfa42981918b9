#include "voters.hpp"

#include <memory>

namespace coracle::caf::test {

void Received::decision(const std::string& who, const Decision& decision) {
  const std::scoped_lock lock(mutex_);
  decisions_.emplace_back(who, decision);
}

void Received::refusal(const std::string& who, const Refusal& refusal) {
  const std::scoped_lock lock(mutex_);
  refusals_.emplace_back(who, refusal);
}

std::vector<std::pair<std::string, Decision>> Received::decisions() const {
  const std::scoped_lock lock(mutex_);
  return decisions_;
}

std::vector<std::pair<std::string, Refusal>> Received::refusals() const {
  const std::scoped_lock lock(mutex_);
  return refusals_;
}

Task<std::vector<std::string>> Voter::consider_call(const Call&) {
  if (mind_.takes > Duration::zero()) co_await pause(mind_.takes);
  co_return mind_.proposes;
}

Task<Ballot> Voter::consider_agenda(const Agenda& agenda) {
  if (mind_.takes > Duration::zero()) co_await pause(mind_.takes);
  if (mind_.crashes) throw coracle::test::Crash();
  if (mind_.votes) co_return mind_.votes(agenda);
  Ballot ballot;
  for (const std::string& each : mind_.likes) {
    const Candidate place = agenda.find(each);
    if (place != nobody) ballot.ranking.push_back(place);
  }
  co_return ballot;
}

std::string peer_name(std::size_t number) { return "peer/" + std::to_string(number); }

std::vector<Member> members(std::size_t count) {
  std::vector<Member> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back({peer_name(i), 1, {}});
  return all;
}

void Assembly::run(Charter charter, std::vector<Mind> minds, coracle::test::Body body) {
  auto all = members(minds.size());
  run_voters(std::move(minds), [this, charter, all, body](Agent& me) -> Task<> {
    auto council = std::make_unique<Council>(charter, all, random_);
    co_await place(me, "council", std::move(council));
    co_await body(me);
  });
}

void Assembly::run_voters(std::vector<Mind> minds, coracle::test::Body body) {
  Place::run([this, minds, body](Agent& me) -> Task<> {
    for (std::size_t i = 0; i < minds.size(); ++i) {
      auto voter = std::make_unique<Voter>(minds[i], received_, random_);
      co_await place(me, peer_name(i), std::move(voter));
    }
    co_await body(me);
  });
}

Task<Record> record_of(Agent& me, DecisionId id) {
  const Content request = Content::of(RecordRequest{id});
  const Message answer = co_await me.ask("council", request);
  co_return answer.as<Record>();
}

}  // namespace coracle::caf::test
