#include "coracle/caf/peer.hpp"

namespace coracle::caf {

Task<> Peer::run() {
  while (!retired_) {
    const Message message = co_await receive();
    Task<> rest;
    if (take(message, rest) && rest) co_await std::move(rest);
  }
}

std::vector<std::string> Peer::propose(const Call&) { return {}; }
Ballot Peer::vote(const Agenda&) { return {}; }
void Peer::on_decision(const Decision&) {}
void Peer::on_refusal(const Refusal&) {}

Task<std::vector<std::string>> Peer::consider_call(const Call& call) { co_return propose(call); }
Task<Ballot> Peer::consider_agenda(const Agenda& agenda) { co_return vote(agenda); }

Task<bool> Peer::attend(const Message& message) {
  Task<> rest;
  if (!take(message, rest)) co_return false;
  if (rest) co_await std::move(rest);
  co_return true;
}

// Deals with a message, which outlives `rest`: what is still to be done. False if it is something
// else.
bool Peer::take(const Message& message, Task<>& rest) {
  const Content content = message.content();
  if (const Agenda* agenda = content.try_as<Agenda>()) {
    rest = answer_agenda(message, *agenda);
  } else if (const Call* call = content.try_as<Call>()) {
    rest = answer_call(message, *call);
  } else if (const Opening* opening = content.try_as<Opening>()) {
    rest = open_vote(message, *opening);
  } else if (const Decision* decision = content.try_as<Decision>()) {
    on_decision(*decision);
  } else if (const Refusal* refusal = content.try_as<Refusal>()) {
    on_refusal(*refusal);
  } else {
    return false;
  }
  return true;
}

Peer::Given* Peer::given(Address council, DecisionId id, std::uint32_t round) noexcept {
  for (Given& each : given_) {
    if (each.id == id && each.round == round && each.council == council) return &each;
  }
  return nullptr;
}

Peer::Given& Peer::remember(Address council, DecisionId id, std::uint32_t round) {
  if (given_.size() < remembered) given_.emplace_back();
  Given& place = given_[next_];
  next_ = (next_ + 1) % remembered;
  place.council = council;
  place.id = id;
  place.round = round;
  place.opening = Content();
  return place;
}

Task<> Peer::answer_call(const Message& message, const Call& call) {
  const Address council = message.source();
  Content answer;
  const Given* before = call.again ? given(council, call.id, 0) : nullptr;
  if (before != nullptr) {
    answer = before->answer;
  } else {
    Proposals proposals;
    proposals.id = call.id;
    proposals.alternatives = co_await consider_call(call);
    answer = Content::of(std::move(proposals));
    remember(council, call.id, 0).answer = answer;
  }
  co_await send(council, std::move(answer));
}

Task<> Peer::answer_agenda(const Message& message, const Agenda& agenda) {
  const Address council = message.source();
  Content answer;
  const Given* before = agenda.again ? given(council, agenda.id, agenda.round) : nullptr;
  if (before != nullptr) {
    answer = before->answer;
  } else {
    Vote vote;
    vote.id = agenda.id;
    vote.round = agenda.round;
    vote.ballot = co_await consider_agenda(agenda);
    if (agenda.commit || agenda.random) vote.nonce = random_.next();
    if (agenda.commit) vote.salt = random_.next();
    Commitment commitment;
    commitment.id = agenda.id;
    commitment.round = agenda.round;
    if (agenda.commit) commitment.digest = commitment_to(vote, name().view());
    Content opening = Content::of(std::move(vote));
    answer = agenda.commit ? Content::of(std::move(commitment)) : opening;
    Given& given = remember(council, agenda.id, agenda.round);
    given.answer = answer;
    if (agenda.commit) given.opening = std::move(opening);
  }
  co_await send(council, std::move(answer));
}

Task<> Peer::open_vote(const Message& message, const Opening& opening) {
  const Address council = message.source();
  const Given* before = given(council, opening.id, opening.round);
  if (before == nullptr || before->opening.type().empty()) co_return;
  Content vote = before->opening;
  co_await send(council, std::move(vote));
}

}  // namespace coracle::caf
