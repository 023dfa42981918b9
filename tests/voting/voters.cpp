#include "voters.hpp"

#include "coracle/realizations/local.hpp"
#include "support/suites.hpp"

namespace coracle::caf::test {

void Heard::decision(const std::string& who, const Decision& decision) {
  const std::scoped_lock lock(mutex_);
  decisions_.emplace_back(who, decision);
}

void Heard::refusal(const std::string& who, const Refusal& refusal) {
  const std::scoped_lock lock(mutex_);
  refusals_.emplace_back(who, refusal);
}

std::vector<std::pair<std::string, Decision>> Heard::decisions() const {
  const std::scoped_lock lock(mutex_);
  return decisions_;
}

std::vector<std::pair<std::string, Refusal>> Heard::refusals() const {
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

Assembly::Assembly(Realization realization, unsigned workers)
    : society_(std::move(realization), coracle::test::quick(workers)) {}

void Assembly::run(Charter charter, std::vector<Mind> minds, coracle::test::Body body) {
  auto all = members(minds.size());
  run_voters(std::move(minds), [this, charter, all, body](Agent& me) -> Task<> {
    co_await me.adopt("council", std::make_unique<Council>(charter, all, random_));
    co_await body(me);
  });
}

void Assembly::run_voters(std::vector<Mind> minds, coracle::test::Body body) {
  society_.run([this, minds, body](Agent& me) -> Task<> {
    for (std::size_t i = 0; i < minds.size(); ++i) {
      co_await me.adopt(peer_name(i), std::make_unique<Voter>(minds[i], heard_, random_));
    }
    co_await body(me);
  });
  society_.stop();
}

const std::vector<Ground>& grounds() {
  static const std::vector<Ground> all = {
      {"local_with_one_worker", [] { return local::realization(); }, 1},
      {"local_with_two_workers", [] { return local::realization(); }, 2},
      {"simulated", [] { return sim::realization(); }, 1},
      {"simulated_with_two_workers", [] { return sim::realization(); }, 2},
  };
  return all;
}

bool on_every_ground(const std::string& suite, std::vector<Case> cases) {
  for (const Ground& ground : grounds()) {
    std::vector<coracle::test::Proof> proofs;
    for (const Case& each : cases) {
      proofs.push_back({each.sentence, [ground, each] {
                          Assembly assembly(ground.open(), ground.workers);
                          each.prove(assembly);
                        }});
    }
    coracle::test::register_suite(suite, ground.name, std::move(proofs));
  }
  return true;
}

Task<Record> record_of(Agent& me, DecisionId id) {
  const Content request = Content::of(RecordRequest{id});
  const Message answer = co_await me.ask("council", request);
  co_return answer.as<Record>();
}

}  // namespace coracle::caf::test
