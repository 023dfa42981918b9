// Planners, by which the program requests plans of arbiters.
#include "role.hpp"
#include "shown_plan.hpp"

#include "coracle/caf/planner.hpp"

#include <string>
#include <vector>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

namespace {

struct ShownNode {
  ShownNode(const Name& whose, const caf::PlanNode& of)
      : arbiter(whose.str()), move(of.move), state(of.state) {
    const caf::Worth& before = of.before;
    view = {move.c_str(),
            state.c_str(),
            of.cost,
            {before.score, before.best, before.ends, before.note, !before.feasible}};
  }
  ShownNode(const ShownNode&) = delete;

  const std::string arbiter, move, state;
  coracle_plan_node view;
};

struct ShownOffer {
  ShownOffer(const Name& whose, const caf::Plan& of) : arbiter(whose.str()), plan(of) {}

  const std::string arbiter;
  const ShownPlan plan;
};

class PlannerRole final : public caf::Planner, public RoleActing {
 public:
  explicit PlannerRole(const coracle_planner& planner) : table_(planner) {}

  Task<> run() override {
    table_.begin();
    return Planner::run();
  }
  const JobsPtr& jobs() const noexcept { return jobs_.shared(); }

  Task<std::shared_ptr<ResultObject>> request_plan(Name arbiter, caf::PlanRequest what,
                                                   Deadline until, bool at_go) {
    Task<caf::PlanOutcome> requesting =
        request(std::move(arbiter), std::move(what), until, at_go ? Begin::at_go : Begin::at_once);
    const caf::PlanOutcome outcome = co_await requesting;
    const std::shared_ptr<const ShownOutcome> shown = std::make_shared<ShownOutcome>(outcome);
    co_return std::make_shared<ResultObject>(std::any(shown));
  }
  Task<std::shared_ptr<ResultObject>> let_begin(Name arbiter) {
    Task<> going = go(std::move(arbiter));
    co_await going;
    co_return nullptr;
  }
  Task<std::shared_ptr<ResultObject>> take_back(Name arbiter) {
    Task<> withdrawing = withdraw(std::move(arbiter));
    co_await withdrawing;
    co_return nullptr;
  }

 private:
  Agent& agent() noexcept override { return *this; }
  void retire_role() override { jobs_.shared()->close(); }

  Task<> act() override {
    Task<> serving = jobs_.serve(*this);
    co_await serving;
    retire();
  }
  caf::Judgement judge(const Name&, const caf::PlanNode&) override { return {}; }
  Task<caf::Judgement> consider_node(const Name& arbiter, const caf::PlanNode& node) override {
    const auto about = std::make_shared<const ShownNode>(arbiter, node);
    const auto show = [this, about](coracle_agent* me, coracle_question* question) {
      table_->judge(me, question, about->arbiter.c_str(), &about->view, table_->context);
    };
    return ask_for<caf::Judgement>("coracle_answer_judgement()", about, show);
  }
  Task<caf::PlanAnswer> consider_offer(const Name& arbiter, const caf::PlanOffer& offer) override {
    if (table_->offer == nullptr) return Planner::consider_offer(arbiter, offer);
    const auto about = std::make_shared<const ShownOffer>(arbiter, offer.plan);
    const auto show = [this, about](coracle_agent* me, coracle_question* question) {
      table_->offer(me, question, about->arbiter.c_str(), &about->plan.view, table_->context);
    };
    return ask_for<caf::PlanAnswer>("coracle_answer_offer()", about, show);
  }
  void on_outcome(const Name& arbiter, const caf::PlanOutcome& outcome) override {
    const ShownOutcome seen(outcome);
    call(table_->outcome, arbiter.str().c_str(), &seen.view, table_->context);
  }
  void on_progress(const Name& arbiter, const caf::PlanProgress& progress) override {
    const coracle_plan_progress seen = shown(progress);
    call(table_->progress, arbiter.str().c_str(), &seen, table_->context);
  }
  void on_plan_objection(const Name& arbiter, const caf::PlanObjection& objection) override {
    call(table_->objection, arbiter.str().c_str(), objection.what.c_str(), objection.reason.c_str(),
         table_->context);
  }

  Functions<coracle_planner> table_;
  OwnJobs jobs_;
};

caf::PlanRequest request_from(const coracle_plan_request& given) {
  caf::PlanRequest request;
  if (given.goal != nullptr) request.goal = given.goal;
  request.threshold = given.threshold;
  request.otherwise = given.otherwise;
  if (given.weight != 0) request.weight = given.weight;
  request.priority = given.priority;
  request.moves = texts_of(given.moves, "coracle_plan_request: a move");
  return request;
}

}  // namespace

}  // namespace coracle::c

coracle_error* coracle_planner_start(coracle_node* node, const coracle_agent_options* options,
                                     const coracle_planner* given, coracle_role** out) {
  return guarded([&] {
    if (given == nullptr || out == nullptr)
      fail_argument("coracle_planner_start: the planner or `out` is NULL");
    const coracle_planner planner = options_of(given, "coracle_planner");
    if (planner.judge == nullptr) fail_argument("coracle_planner: `judge` is NULL");
    *out = start_role(node, options, std::make_unique<PlannerRole>(planner));
  });
}

coracle_error* coracle_answer_judgement(coracle_question* question, const coracle_worth* worth,
                                        const char* const* moves, size_t count) {
  return answer_by<caf::Judgement>(question, [&] {
    if (worth == nullptr) fail_argument("coracle_answer_judgement: `worth` is NULL");
    caf::Judgement judgement;
    judgement.worth = {worth->score, worth->best, worth->ends, worth->note, !worth->infeasible};
    judgement.moves = texts_of({moves, count}, "a move");
    return judgement;
  });
}

coracle_error* coracle_answer_offer(coracle_question* question, bool accepts, const char* reason,
                                    const char* const* moves, size_t count) {
  return answer_by<caf::PlanAnswer>(question, [&] {
    caf::PlanAnswer answer;
    answer.accepts = accepts;
    if (reason != nullptr) answer.reason = reason;
    answer.counter = texts_of({moves, count}, "a move");
    return answer;
  });
}

coracle_error* coracle_planner_request(coracle_role* planner, const char* arbiter,
                                       const coracle_plan_request* given, coracle_span longest,
                                       coracle_result** out, const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    if (given == nullptr) fail_argument("coracle_planner_request: the request is NULL");
    const coracle_plan_request request = options_of(given, "coracle_plan_request");
    const auto ask = [to = Name(text_of(arbiter, "coracle_planner_request: `arbiter`")),
                      what = request_from(request), until = limit_of(longest),
                      at_go = request.begins_at_go](PlannerRole& me) {
      return me.request_plan(to, what, until, at_go);
    };
    act<PlannerRole>(planner, out, begin, ask);
  });
}

coracle_error* coracle_planner_go(coracle_role* planner, const char* arbiter,
                                  const coracle_begin* begin) {
  return guarded([&] {
    const auto go = [to = Name(text_of(arbiter, "coracle_planner_go: `arbiter`"))](
                        PlannerRole& me) { return me.let_begin(to); };
    act<PlannerRole>(planner, nullptr, begin, go);
  });
}

coracle_error* coracle_planner_withdraw(coracle_role* planner, const char* arbiter,
                                        const coracle_begin* begin) {
  return guarded([&] {
    const auto withdraw = [to = Name(text_of(arbiter, "coracle_planner_withdraw: `arbiter`"))](
                              PlannerRole& me) { return me.take_back(to); };
    act<PlannerRole>(planner, nullptr, begin, withdraw);
  });
}

coracle_error* coracle_result_outcome(const coracle_result* result, coracle_plan_outcome* out) {
  return show_record<ShownOutcome>(result, out, "coracle_result_outcome: `out` is NULL",
                                   "coracle_result_outcome: this result is no outcome of a plan");
}
