#include "coracle/caf/negotiation/negotiation.hpp"

#include "coracle/errors.hpp"

#include <algorithm>

namespace coracle::caf {

namespace {

// The limits of recorded incidents, of reported faults of one critique, and of a reason's length.
constexpr std::size_t notes_limit = 1000;
constexpr std::size_t faults_limit = 8;
constexpr std::size_t reason_limit = 64 * 1024;

}  // namespace

Negotiation::Negotiation(Beginning beginning, NegotiationOptions options, const Game& game,
                         Time now)
    : options_(std::move(options)), begin_(now), growth_ends_(now + options_.within) {
  if (options_.answer_within <= Duration::zero() || options_.within <= Duration::zero()) {
    throw Error(Errc::bad_options,
                "a negotiation cannot begin: one of its times is not above zero; give "
                "answer_within and within such");
  }
  beginning.moves.resize(beginning.clients.size());
  beginning.before.resize(beginning.clients.size());
  tree_ = std::make_unique<GameTree>(game, beginning.clients, options_.rule, options_.limits,
                                     beginning.state, beginning.cost, beginning.before);
  silent_.assign(beginning.clients.size(), false);
  record_.beginning = std::move(beginning);
  record_.rule = options_.rule.name();
  record_.limits = options_.limits;
  record_.answer_within = options_.answer_within;
  record_.within = options_.within;
  record_.silent = options_.silent;
  record_.offers = options_.offers;
  record_.outcome.negotiation = record_.beginning.id;
  record_.outcome.epoch = record_.beginning.epoch;
  const auto look_at = [&](std::string_view who, const std::vector<std::string>& moves) {
    std::string fault = tree_->propose(moves);
    if (!fault.empty()) (void)refuse(who, "proposed moves", std::move(fault), now);
  };
  if (!record_.beginning.rest.empty()) {
    look_at(record_.beginning.arbiter, record_.beginning.rest);
  }
  for (std::uint32_t i = 0; i < record_.beginning.clients.size(); ++i) {
    for (const std::string& each : record_.beginning.moves[i]) look_at(name(i), {each});
  }
  ask(now);
  go_on(now);
}

Time Negotiation::deadline() const noexcept {
  switch (stage_) {
    case Bargaining::growing:
      return std::min(round_ends_, growth_ends_);
    case Bargaining::offering:
      return round_ends_;
    default:
      return Time::max();
  }
}

std::vector<Worth> Negotiation::worths_after(std::size_t moves) const {
  std::vector<Worth> worths;
  if (!chosen_) return worths;
  NodeId node = *chosen_;
  while (tree_->node(node).depth > moves) node = tree_->node(node).parent;
  for (std::uint32_t i = 0; i < silent_.size(); ++i) worths.push_back(tree_->worth(node, i));
  return worths;
}

HeardOf& Negotiation::note(HeardOf::Kind kind, std::uint32_t client, Time now) {
  return record_.heard.emplace_back(HeardOf{kind, client, now - begin_, {}, {}, {}});
}

std::string Negotiation::refuse(std::string_view who, std::string_view what, std::string reason,
                                Time now) {
  if (record_.incidents.size() < notes_limit) {
    record_.incidents.push_back({std::string(who), std::string(what), reason, now - begin_});
  }
  return reason;
}

std::string Negotiation::fault_of_time(NegotiationId id, std::uint32_t epoch) const {
  if (id != record_.beginning.id || epoch != record_.beginning.epoch) {
    return "it belongs to negotiation " + std::to_string(id) + "." + std::to_string(epoch) +
           ", and now it is " + std::to_string(record_.beginning.id) + "." +
           std::to_string(record_.beginning.epoch);
  }
  return {};
}

void Negotiation::answered(std::uint32_t client) {
  if (has_answered_[client]) return;
  has_answered_[client] = true;
  --waiting_for_;
}

// Adds judgements for the nodes that a client has not judged.
void Negotiation::stand_in(std::uint32_t client) {
  std::vector<std::string> none;
  for (const NodeId id : tree_->fresh()) {
    if (tree_->has_judged(client, id)) continue;
    const GameNode& node = tree_->node(id);
    Worth worth;
    if (options_.silent == Silent::repeats) {
      worth = id == 0 ? record_.beginning.before[client] : tree_->worth(node.parent, client);
    } else {
      const std::int64_t enough = tree_->clients()[client].threshold;
      worth = {enough, enough, node.cost, 0, true};
    }
    worth.ends = std::max(worth.ends, node.cost);
    (void)tree_->judge(client, {id, worth, {}}, none);
  }
}

void Negotiation::fall_silent(std::uint32_t client) {
  silent_[client] = true;
  if (options_.silent == Silent::dropped) tree_->drop(client);
  else if (stage_ == Bargaining::growing) stand_in(client);
}

// Sends the nodes that are to be judged.
void Negotiation::ask(Time now) {
  ++round_;
  round_ends_ = now + options_.answer_within;
  has_answered_.assign(silent_.size(), true);
  waiting_for_ = 0;
  for (std::uint32_t i = 0; i < silent_.size(); ++i) {
    if (silent_[i]) {
      if (options_.silent != Silent::dropped) stand_in(i);
      continue;
    }
    has_answered_[i] = false;
    ++waiting_for_;
    utterings_.push_back({i, PlanDraft{record_.beginning.id, record_.beginning.epoch, round_,
                                       tree_->draft(i), options_.limits.moves}});
  }
}

void Negotiation::go_on(Time now) {
  while (stage_ == Bargaining::growing && waiting_for_ == 0) {
    is_late_ = is_late_ || now >= growth_ends_;
    if (tree_->grow() && !is_late_) ask(now);
    else choose(now);
  }
}

void Negotiation::choose(Time now) {
  record_.nodes = static_cast<std::uint32_t>(tree_->size());
  record_.is_exhausted = tree_->is_exhausted();
  chosen_ = tree_->choice();
  if (!chosen_) return over(Bargaining::failed, "all plans are out of the question");
  Plan plan = tree_->plan(*chosen_);
  if (plan.moves.empty() && !plan.is_mutual) {
    return over(Bargaining::failed, "no plan is better than none");
  }
  if (++offer_ > options_.offers) {
    return over(Bargaining::failed,
                "none of " + std::to_string(options_.offers) + " plans was taken");
  }
  record_.outcome.plan = std::move(plan);
  stage_ = Bargaining::offering;
  is_rejected_ = false;
  round_ends_ = now + options_.answer_within;
  has_answered_.assign(silent_.size(), true);
  waiting_for_ = 0;
  for (std::uint32_t i = 0; i < silent_.size(); ++i) {
    if (silent_[i]) continue;
    has_answered_[i] = false;
    ++waiting_for_;
    utterings_.push_back({i, PlanOffer{record_.beginning.id, record_.beginning.epoch, offer_,
                                       record_.outcome.plan}});
  }
  if (waiting_for_ == 0) stage_ = Bargaining::preparing;
}

// Excludes the plan, and seeks the next one.
void Negotiation::turn_down(Time now) {
  tree_->strike(*chosen_);
  chosen_.reset();
  stage_ = Bargaining::growing;
  waiting_for_ = 0;
  if (is_late_) choose(now);
  else go_on(now);
}

void Negotiation::over(Bargaining stage, std::string why) {
  stage_ = stage;
  record_.outcome.agreed = stage == Bargaining::agreed;
  record_.outcome.why = std::move(why);
  if (stage == Bargaining::failed) record_.outcome.plan = {};
  for (std::uint32_t i = 0; i < silent_.size(); ++i) {
    PlanOutcome outcome = record_.outcome;
    outcome.is_without_you = silent_[i];
    utterings_.push_back({i, std::move(outcome)});
  }
}

std::string Negotiation::hear(std::uint32_t client, const PlanCritique& critique, Time now) {
  on_time(now);
  constexpr std::string_view what = "critique";
  std::string fault = fault_of_time(critique.negotiation, critique.epoch);
  if (fault.empty() && stage_ != Bargaining::growing) fault = "the tree does not grow now";
  if (fault.empty() && critique.round != round_) {
    fault = "it answers draft " + std::to_string(critique.round) + ", and now it is draft " +
            std::to_string(round_);
  }
  if (fault.empty() && has_answered_[client]) fault = "this draft is answered already";
  if (!fault.empty()) return refuse(name(client), what, std::move(fault), now);
  std::vector<std::string> faults;
  std::size_t judged = 0;
  for (const Judgement& each : critique.judgements) {
    if (++judged > tree_->fresh().size()) {
      faults.push_back("it has more judgements than the draft has nodes");
      break;
    }
    std::string one = tree_->judge(client, each, faults);
    if (!one.empty()) faults.push_back(std::move(one));
  }
  note(HeardOf::Kind::critique, client, now).critique = critique;
  stand_in(client);
  answered(client);
  std::string all;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    if (i < faults_limit) all += (i == 0 ? "" : "; ") + faults[i];
    (void)refuse(name(client), what, std::move(faults[i]), now);
  }
  go_on(now);
  return all;
}

std::string Negotiation::hear(std::uint32_t client, const PlanAnswer& answer, Time now) {
  on_time(now);
  constexpr std::string_view what = "answer";
  std::string fault = fault_of_time(answer.negotiation, answer.epoch);
  if (fault.empty() && (stage_ != Bargaining::offering || answer.number != offer_)) {
    fault = "offer " + std::to_string(answer.number) + " does not stand now";
  }
  if (fault.empty() && has_answered_[client]) fault = "this offer is answered already";
  if (!fault.empty()) return refuse(name(client), what, std::move(fault), now);
  note(HeardOf::Kind::answer, client, now).answer = answer;
  answered(client);
  if (!answer.accepts) {
    is_rejected_ = true;
    (void)refuse(name(client), "offer", answer.reason.substr(0, reason_limit), now);
  }
  if (!answer.accepts && !answer.counter.empty()) {
    fault = tree_->propose(answer.counter);
    if (!fault.empty()) (void)refuse(name(client), "counter", fault, now);
  }
  if (waiting_for_ == 0) {
    if (is_rejected_) turn_down(now);
    else stage_ = Bargaining::preparing;
  }
  return fault;
}

void Negotiation::give_up(std::uint32_t client, std::string_view why, Time now) {
  if (is_over() || silent_[client]) return;
  note(HeardOf::Kind::gone, client, now).text = why;
  (void)refuse(name(client), "silence", std::string(why), now);
  fall_silent(client);
  if (stage_ == Bargaining::preparing || has_answered_[client]) return;
  answered(client);
  if (waiting_for_ > 0) return;
  if (stage_ == Bargaining::growing) go_on(now);
  else if (is_rejected_) turn_down(now);
  else stage_ = Bargaining::preparing;
}

void Negotiation::on_time(Time now) {
  if (now < deadline()) return;
  note(HeardOf::Kind::time, 0, now);
  const bool is_growing = stage_ == Bargaining::growing;
  is_late_ = is_late_ || now >= growth_ends_;
  for (std::uint32_t i = 0; i < silent_.size(); ++i) {
    if (has_answered_[i]) continue;
    if (now >= round_ends_) {
      (void)refuse(name(i), "silence", "it has not answered in time", now);
      fall_silent(i);
    } else {
      stand_in(i);
    }
    answered(i);
  }
  if (is_growing) go_on(now);
  else if (is_rejected_) turn_down(now);
  else stage_ = Bargaining::preparing;
}

void Negotiation::prepared(std::string fault, Time now) {
  if (stage_ != Bargaining::preparing) return;
  note(HeardOf::Kind::prepared, 0, now).text = fault;
  if (fault.empty()) return over(Bargaining::agreed, {});
  (void)refuse(record_.beginning.arbiter, "plan", std::move(fault), now);
  turn_down(now);
}

void Negotiation::end(std::string why, Time now) {
  if (is_over()) return;
  note(HeardOf::Kind::ended, 0, now).text = why;
  over(Bargaining::failed, std::move(why));
}

}  // namespace coracle::caf
