#include "coracle/caf/game_agent.hpp"

#include <algorithm>
#include <utility>

namespace coracle::caf {

std::vector<Errand> GameAgent::errands(const Plan&) { return {}; }

std::string GameAgent::fault_of(const Errand&, const PlanOutcome& outcome) {
  if (outcome.is_without_you) return "it has agreed upon something without us";
  return outcome.plan.is_mutual ? "" : "its plan is not agreeable to all";
}

Judgement GameAgent::judge(const Name&, const PlanNode& node) {
  Judgement judgement;
  judgement.worth.ends = node.cost;
  return judgement;
}

Task<std::string> GameAgent::prepare(Plan plan) {
  const std::vector<Errand> all = errands(plan);
  // Withdraws from arbiters that an earlier plan needed and this plan does not.
  for (const Name& each : std::exchange(below_, {})) {
    const bool is_needed = std::any_of(
        all.begin(), all.end(), [&](const Errand& errand) { return errand.arbiter == each; });
    if (is_needed) below_.push_back(each);
    else co_await withdraw(each);
  }
  for (const Errand& each : all) {
    if (std::find(below_.begin(), below_.end(), each.arbiter) == below_.end()) {
      below_.push_back(each.arbiter);
    }
    const PlanOutcome outcome =
        co_await request(each.arbiter, each.request, below_within_, Begin::at_go);
    std::string fault = outcome.agreed ? fault_of(each, outcome) : outcome.why;
    if (fault.empty()) continue;
    co_await release();
    co_return "'" + each.arbiter.str() + "': " + fault;
  }
  co_return std::string();
}

Task<> GameAgent::release() {
  for (const Name& each : std::exchange(below_, {})) co_await withdraw(each);
}

Task<> GameAgent::begin(Plan) {
  const std::vector<Name> all = below_;
  for (const Name& each : all) co_await go(each);
}

}  // namespace coracle::caf
