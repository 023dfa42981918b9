// The execution of a plan that was agreed upon.
#include "arbiter_impl.hpp"

namespace coracle::caf {

Task<> Arbiter::Impl::on_go(const Message& message, const PlanGo& go) {
  const Address who = message.source();
  if (doing_ != Doing::waiting || go.negotiation != id_ || go.epoch != epoch_ ||
      goes_missing_.erase(who.name()) == 0) {
    // A go for a plan that has been changed meanwhile is no mistake.
    if (go.negotiation == id_ && go.epoch < epoch_) co_return;
    const char* const reason = "there is no plan of yours that waits for it";
    if (now_) (void)now_->refuse(who.name().view(), "go", reason, self_.now());
    co_await object(who, go.negotiation, go.epoch, "go", reason);
    co_return;
  }
  if (!goes_missing_.empty()) co_return;
  doing_ = Doing::executing;
  run_in_turn(execute(now_));
}

Task<> Arbiter::Impl::stop(std::string why) {
  doing_ = Doing::nothing;
  PlanOutcome outcome;
  outcome.negotiation = id_;
  outcome.epoch = epoch_;
  outcome.why = std::move(why);
  Content content = Content::of(std::move(outcome));
  run_in_turn(self_.release());
  co_await tell_all(content);
}

// Carries out one control cycle. Returns false if the plan is not carried out any further.
Task<bool> Arbiter::Impl::carry_out(std::shared_ptr<Negotiation> one, const std::string& move) {
  Game::Step cycle = game_->advance(state_, move);
  std::string fault = cycle.fault;
  if (fault.empty()) fault = co_await self_.perform(move, cycle);
  if (fault.empty()) {
    state_ = cycle.state;
    cost_ += cycle.cost;
    if (cycle.is_over) ++moves_done_;
  }
  if (fault.empty() && !cycle.is_over) co_return true;
  PlanProgress progress{id_, epoch_, move, state_, cost_, false, std::move(fault)};
  progress.done = progress.fault.empty() && moves_done_ == one->plan().moves.size();
  const bool goes_on = progress.fault.empty() && !progress.done;
  if (!goes_on) {
    doing_ = Doing::nothing;
    self_.on_end(progress);
  }
  Content content = Content::of(std::move(progress));
  co_await tell_all(content);
  co_return goes_on;
}

Task<> Arbiter::Impl::execute(std::shared_ptr<Negotiation> one) {
  co_await self_.begin(one->plan());
  const std::vector<std::string> moves = one->plan().moves;
  if (moves.empty()) {
    doing_ = Doing::nothing;
    PlanProgress progress{id_, epoch_, {}, state_, cost_, true, {}};
    self_.on_end(progress);
    Content content = Content::of(std::move(progress));
    co_await tell_all(content);
    co_return;
  }
  while (!has_changed_) {
    const bool goes_on = co_await carry_out(one, moves[moves_done_]);
    if (!goes_on) {
      // Requests that came meanwhile are considered now.
      if (has_changed_ && !requests_.empty()) co_await start({});
      co_return;
    }
    if (options_.reconsiders) break;
  }
  co_await reopen();
}

}  // namespace coracle::caf
