#include "coracle/caf/peer.hpp"

namespace coracle::caf {

namespace {

bool is_councils(const Content& content) noexcept {
  return content.try_as<Agenda>() != nullptr || content.try_as<Call>() != nullptr ||
         content.try_as<Decision>() != nullptr || content.try_as<Refusal>() != nullptr;
}

}  // namespace

Participant::Kind Peer::kind_of(std::string_view type) noexcept {
  // Other handlers do not concern an Opening: it belongs to a vote that was cast before.
  if (is_type_of<Opening>(type)) return Kind::urgent;
  return is_type_of<Agenda, Call, Decision, Refusal>(type) ? Kind::ordinary : Kind::foreign;
}

Task<> Peer::run() {
  const auto leave = [](Message) -> Task<> { co_return; };
  while (!is_over()) {
    Message message;
    set_waits(true);
    if (is_free()) message = co_await receive();
    else message = co_await receive_meanwhile(kind_of, leave);
    set_waits(false);
    if (message) (void)attend_in_turn(message);
  }
}

std::vector<std::string> Peer::propose(const Call&) { return {}; }
Ballot Peer::vote(const Agenda&) { return {}; }
void Peer::on_decision(const Decision&) {}
void Peer::on_refusal(const Refusal&) {}

Task<std::vector<std::string>> Peer::consider_call(const Call& call) { co_return propose(call); }
Task<Ballot> Peer::consider_agenda(const Agenda& agenda) { co_return vote(agenda); }

bool Peer::attend_in_turn(Message& message) {
  const Content content = message.content();
  const Address council = message.source();
  if (content.try_as<Opening>() != nullptr) {
    spawn(open_vote(council, content));
    return true;
  }
  if (!is_councils(content)) return is_wake(content);
  in_turn(handle(std::move(message), {council, content, now()}));
  return true;
}

Task<bool> Peer::attend(const Message& message) {
  const Content content = message.content();
  const Address council = message.source();
  if (content.try_as<Opening>() != nullptr) {
    co_await open_vote(council, content);
    co_return true;
  }
  if (!is_councils(content)) co_return is_wake(content);
  Asked asked{council, content, now()};
  Message none;
  co_await handle(std::move(none), std::move(asked));
  co_return true;
}

// The message counts as consumed once this task ends.
Task<> Peer::handle([[maybe_unused]] Message kept, Asked asked) {
  if (const Agenda* agenda = asked.content.try_as<Agenda>()) {
    co_await answer_agenda(asked, *agenda);
  } else if (const Call* call = asked.content.try_as<Call>()) {
    co_await answer_call(asked, *call);
  } else if (const Decision* decision = asked.content.try_as<Decision>()) {
    on_decision(*decision);
  } else if (const Refusal* refusal = asked.content.try_as<Refusal>()) {
    on_refusal(*refusal);
  }
}

// Returns whether the council has continued without this peer. This then also holds by the
// council's own clock, which started earlier.
bool Peer::is_late(const Asked& asked, Duration within, DecisionId id, std::uint32_t round,
                   const char* what) {
  if (within <= Duration::zero() || now() < Deadline(within).at(asked.at)) return false;
  on_refusal({id, round, what, "its time was over before its turn came here"});
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
  place.is_opening = false;
  return place;
}

Task<> Peer::answer_call(const Asked& asked, const Call& call) {
  const Address council = asked.council;
  Content answer;
  const Given* before = call.again ? given(council, call.id, 0) : nullptr;
  if (before != nullptr) {
    answer = before->answer;
  } else {
    if (is_late(asked, call.within, call.id, 0, "proposals")) co_return;
    Proposals proposals;
    proposals.id = call.id;
    proposals.alternatives = co_await consider_call(call);
    answer = Content::of(std::move(proposals));
    remember(council, call.id, 0).answer = answer;
  }
  co_await send(council, std::move(answer));
}

Task<> Peer::answer_agenda(const Asked& asked, const Agenda& agenda) {
  const Address council = asked.council;
  Content answer;
  const Given* before = agenda.again ? given(council, agenda.id, agenda.round) : nullptr;
  if (before != nullptr) {
    answer = before->answer;
  } else {
    if (is_late(asked, agenda.within, agenda.id, agenda.round, "vote")) co_return;
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

Task<> Peer::open_vote(Address council, Content content) {
  const Opening& opening = content.as<Opening>();
  Given* one = given(council, opening.id, opening.round);
  if (one == nullptr || one->opening.type().empty() || one->is_opening) co_return;
  one->is_opening = true;
  Content vote = one->opening;
  co_await send(council, std::move(vote));
  one = given(council, opening.id, opening.round);
  if (one != nullptr) one->is_opening = false;
}

}  // namespace coracle::caf
