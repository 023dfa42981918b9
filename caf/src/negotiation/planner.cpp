#include "coracle/caf/planner.hpp"

#include <map>
#include <optional>

namespace coracle::caf {

namespace {

// From a planner to itself: there is an outcome.
struct PlanAwake {
  static constexpr std::string_view content_type = "coracle/caf/plan-awake/v1";

  bool is_over = true;
};

}  // namespace

class Planner::Impl final : public Contractor::Part {
 public:
  // The state of the relation to one arbiter.
  struct Dealing {
    PlanRequest request;
    Begin begin = Begin::at_once;
    // The last outcome that came since the request.
    std::optional<PlanOutcome> outcome;
    Conversation waiter = 0;
  };

  explicit Impl(Planner& self) : self_(self) {}

  // --- Part ---
  bool take(Message& message, const Content& content, Task<>& rest) override;
  Kind kind_of(std::string_view type) const noexcept override {
    // A handler may be waiting for an outcome, in request().
    if (is_type_of<PlanOutcome>(type)) return Kind::urgent;
    const bool is_ours = is_type_of<PlanDraft, PlanOffer, PlanProgress, PlanObjection>(type);
    return is_ours ? Kind::ordinary : Kind::foreign;
  }
  Time due() const noexcept override { return Time::max(); }
  Task<> on_time() override { co_return; }

  std::map<Name, Dealing> dealings;

 private:
  // Returns whether the planner has a request with the sender of `message`.
  bool has_asked(const Message& message) const {
    return dealings.count(message.source().name()) != 0;
  }
  Task<> on_draft(Message message, Content draft);
  Task<> on_offer(Message message, Content offer);
  Task<> on_outcome(const Message& message, Content outcome);

  Planner& self_;
};

Planner::Planner() : impl_(std::make_unique<Impl>(*this)) { add(*impl_); }
Planner::~Planner() = default;

PlanAnswer Planner::answer(const Name& arbiter, const PlanOffer& offer) {
  PlanAnswer answer;
  const PlanRequest* request = asked(arbiter);
  for (std::size_t i = 0; request != nullptr && i < offer.plan.clients.size(); ++i) {
    if (offer.plan.clients[i] != name().view() || i >= offer.plan.scores.size()) continue;
    answer.accepts = offer.plan.is_mutual || offer.plan.scores[i] >= request->otherwise;
  }
  if (!answer.accepts) answer.reason = "it is worse for me than nothing";
  return answer;
}

Task<Judgement> Planner::consider_node(const Name& arbiter, const PlanNode& node) {
  co_return judge(arbiter, node);
}
Task<PlanAnswer> Planner::consider_offer(const Name& arbiter, const PlanOffer& offer) {
  co_return answer(arbiter, offer);
}
void Planner::on_outcome(const Name&, const PlanOutcome&) {}
void Planner::on_progress(const Name&, const PlanProgress&) {}
void Planner::on_plan_objection(const Name&, const PlanObjection&) {}

const PlanRequest* Planner::asked(const Name& arbiter) const {
  const auto found = impl_->dealings.find(arbiter);
  return found == impl_->dealings.end() ? nullptr : &found->second.request;
}

std::vector<Name> Planner::arbiters() const {
  std::vector<Name> names;
  for (const auto& [name, dealing] : impl_->dealings) names.push_back(name);
  return names;
}

bool Planner::Impl::take(Message& message, const Content& content, Task<>& rest) {
  if (content.try_as<PlanDraft>() != nullptr) {
    if (has_asked(message)) self_.in_turn(on_draft(std::move(message), content));
  } else if (content.try_as<PlanOffer>() != nullptr) {
    if (has_asked(message)) self_.in_turn(on_offer(std::move(message), content));
  } else if (content.try_as<PlanOutcome>() != nullptr) {
    rest = on_outcome(message, content);
  } else if (content.try_as<PlanProgress>() != nullptr) {
    self_.call_in_turn([this, from = message.source().name(), content] {
      self_.on_progress(from, content.as<PlanProgress>());
    });
  } else if (content.try_as<PlanObjection>() != nullptr) {
    self_.call_in_turn([this, from = message.source().name(), content] {
      self_.on_plan_objection(from, content.as<PlanObjection>());
    });
  } else {
    return false;
  }
  return true;
}

Task<> Planner::Impl::on_draft(Message message, Content content) {
  const Address arbiter = message.source();
  const Name& name = arbiter.name();
  if (!has_asked(message)) co_return;  // the request was withdrawn meanwhile
  const PlanDraft& draft = content.as<PlanDraft>();
  PlanCritique critique{draft.negotiation, draft.epoch, draft.round, {}};
  critique.judgements.reserve(draft.nodes.size());
  for (const PlanNode& each : draft.nodes) {
    Judgement judgement = co_await self_.consider_node(name, each);
    judgement.node = each.node;
    critique.judgements.push_back(std::move(judgement));
  }
  Content reply = Content::of(std::move(critique));
  co_await self_.tell(arbiter, std::move(reply));
}

Task<> Planner::Impl::on_offer(Message message, Content content) {
  const Address arbiter = message.source();
  if (!has_asked(message)) co_return;  // the request was withdrawn meanwhile
  const PlanOffer& offer = content.as<PlanOffer>();
  PlanAnswer answer = co_await self_.consider_offer(arbiter.name(), offer);
  answer.negotiation = offer.negotiation;
  answer.epoch = offer.epoch;
  answer.number = offer.number;
  Content reply = Content::of(std::move(answer));
  co_await self_.tell(arbiter, std::move(reply));
}

Task<> Planner::Impl::on_outcome(const Message& message, Content content) {
  const Address arbiter = message.source();
  const auto found = dealings.find(arbiter.name());
  if (found == dealings.end()) co_return;
  const PlanOutcome& outcome = content.as<PlanOutcome>();
  found->second.outcome = outcome;
  const Conversation waiter = std::exchange(found->second.waiter, Conversation(0));
  const bool goes =
      outcome.agreed && !outcome.is_without_you && found->second.begin == Begin::at_once;
  self_.call_in_turn([this, from = arbiter.name(), content] {
    self_.on_outcome(from, content.as<PlanOutcome>());
  });
  if (waiter != 0) {
    const Content awake = Content::of(PlanAwake{});
    co_await self_.send(self_.self(), awake, waiter);
  }
  if (goes) {
    Content go = Content::of(PlanGo{outcome.negotiation, outcome.epoch});
    co_await self_.tell(arbiter, std::move(go));
  }
}

Task<PlanOutcome> Planner::request(Name arbiter, PlanRequest what, Deadline deadline, Begin begin) {
  // The deadline is one moment, so repeated waiting does not extend it.
  const Deadline until(deadline.at(now()));
  const Conversation waiter = new_conversation();
  impl_->dealings[arbiter] = {what, begin, std::nullopt, waiter};
  Content content = Content::of(std::move(what));
  PlanOutcome none;
  const Result<Message> taken = co_await ask_result(arbiter, content, until);
  if (!taken) {
    const Errc errc = taken.error().errc();
    if (errc == Errc::stopped || errc == Errc::fenced) throw taken.error();
    none.why = taken.error().sentence();
    impl_->dealings.erase(arbiter);
    co_return none;
  }
  const PlanTaken* since = taken->content().try_as<PlanTaken>();
  const std::uint32_t epoch = since == nullptr ? 0 : since->epoch;
  for (;;) {
    const auto found = impl_->dealings.find(arbiter);
    if (found == impl_->dealings.end()) break;
    Impl::Dealing& dealing = found->second;
    if (dealing.outcome && dealing.outcome->epoch >= epoch) co_return *dealing.outcome;
    dealing.waiter = waiter;
    const std::optional<Message> awake = co_await receive(in_conversation(waiter), until);
    if (!awake) break;
  }
  none.why = "'" + arbiter.str() + "' has reached no agreement in time";
  co_return none;
}

Task<> Planner::change(Name arbiter, PlanRequest what) {
  impl_->dealings[arbiter].request = what;
  Content content = Content::of(std::move(what));
  co_await send(arbiter, content);
}

Task<> Planner::go(Name arbiter) {
  const auto found = impl_->dealings.find(arbiter);
  if (found == impl_->dealings.end() || !found->second.outcome) co_return;
  found->second.begin = Begin::at_once;
  const PlanOutcome& outcome = *found->second.outcome;
  Content content = Content::of(PlanGo{outcome.negotiation, outcome.epoch});
  const Address where = find(arbiter);
  co_await tell(where, std::move(content));
}

Task<> Planner::withdraw(Name arbiter) {
  impl_->dealings.erase(arbiter);
  PlanRequest nothing;
  nothing.withdraws = true;
  Content content = Content::of(std::move(nothing));
  const Address where = find(arbiter);
  co_await tell(where, std::move(content));
}

}  // namespace coracle::caf
