// Negotiation: planners, and arbiters.
#include "results.hpp"
#include "role.hpp"

namespace coracle::py {

namespace {

nb::object plan_of(const coracle_plan& plan) {
  nb::list scores;
  for (std::size_t each = 0; each < plan.clients.count; ++each) scores.append(plan.scores[each]);
  return caf("Plan", str_of(plan.start), texts_of(plan.moves), plan.cost, texts_of(plan.clients),
             nb::tuple(scores), plan.is_mutual);
}

nb::object shown(const coracle_plan_outcome& outcome) {
  return caf("PlanOutcome", outcome.agreed, plan_of(outcome.plan), str_of(outcome.why),
             outcome.is_without_you);
}

nb::object progress_of(const coracle_plan_progress& progress) {
  return caf("PlanProgress", str_of(progress.move), str_of(progress.state), progress.cost,
             progress.done, str_of(progress.fault));
}

// --- planners ---

// (worth, moves)
void give_judgement(coracle_question* question, const Role&, nb::handle value) {
  Record given(value);
  Record of(given.field("worth"));
  const coracle_worth worth{of.number("score"), of.number("best"), of.number("ends"),
                            of.number("note"), of.truth("infeasible")};
  const coracle_texts moves = given.texts("moves");
  check(coracle_answer_judgement(question, &worth, moves.texts, moves.count));
}

void give_offer(coracle_question* question, const Role&, nb::handle value) {
  Record given(value);
  const coracle_texts counter = given.texts("counter");
  check(coracle_answer_offer(question, given.truth("accepts"), given.text("reason"), counter.texts,
                             counter.count));
}

void on_node(coracle_agent* self, coracle_question* question, const char* arbiter,
             const coracle_plan_node* node, void* context) {
  Called called(context, self);
  called.ask(question, &give_judgement, "_judge", [&] {
    const coracle_worth& before = node->before;
    return nb::make_tuple(
        str_of(arbiter),
        caf("PlanNode", str_of(node->move), str_of(node->state), node->cost,
            caf("Worth", before.score, before.best, before.ends, before.note, before.infeasible)));
  });
}

void on_offer(coracle_agent* self, coracle_question* question, const char* arbiter,
              const coracle_plan* plan, void* context) {
  Called called(context, self);
  called.ask(question, &give_offer, "_answer",
             [&] { return nb::make_tuple(str_of(arbiter), plan_of(*plan)); });
}

void on_outcome(coracle_agent* self, const char* arbiter, const coracle_plan_outcome* outcome,
                void* context) {
  Called called(context, self);
  called.tell("on_outcome", [&] { return nb::make_tuple(str_of(arbiter), shown(*outcome)); });
}

void on_progress(coracle_agent* self, const char* arbiter, const coracle_plan_progress* progress,
                 void* context) {
  Called called(context, self);
  called.tell("on_progress",
              [&] { return nb::make_tuple(str_of(arbiter), progress_of(*progress)); });
}

void on_objection(coracle_agent* self, const char* arbiter, const char* what, const char* reason,
                  void* context) {
  Called called(context, self);
  called.tell("on_objection",
              [&] { return nb::make_tuple(str_of(arbiter), str_of(what), str_of(reason)); });
}

void start_planner(Node& node, nb::handle self) {
  Role& role = Role::of(self);
  coracle_planner planner{};
  if (role.has("judge")) planner.judge = &on_node;
  if (role.has("answer")) planner.offer = &on_offer;
  planner.outcome = &on_outcome;
  planner.progress = &on_progress;
  planner.objection = &on_objection;
  start_with(node, self, planner, &coracle_planner_start);
}

nb::object request_plan(nb::handle self, nb::handle arbiter, nb::handle record, nb::handle within) {
  Record given(record);
  coracle_plan_request request{};
  request.size = sizeof request;
  request.goal = given.text("goal");
  request.threshold = given.number("threshold");
  request.otherwise = given.number("otherwise");
  request.weight = given.number("weight");
  request.priority = given.number("priority");
  request.moves = given.texts("moves");
  request.begins_at_go = given.truth("begins_at_go");
  const coracle_span longest = span_of(within);
  return Role::of(self).begin(Gives::outcome, nb::none(),
                              [&](coracle_role* planner, const coracle_begin* at) {
                                return coracle_planner_request(planner, text_of(arbiter, "arbiter"),
                                                               &request, longest, nullptr, at);
                              });
}

auto acting(coracle_error* (*act)(coracle_role*, const char*, const coracle_begin*)) {
  return [act](nb::handle self, nb::handle arbiter) {
    return Role::of(self).begin(Gives::nothing, nb::none(),
                                [&](coracle_role* planner, const coracle_begin* at) {
                                  return act(planner, text_of(arbiter, "arbiter"), at);
                                });
  };
}

// --- arbiters ---

void give_step(coracle_question* question, nb::handle value) {
  Record given(value);
  check(coracle_answer_step(question, given.text("state"), given.number("cost"),
                            given.truth("is_over")));
}

// A rule of the game, which is answered at once, on whatever thread.
void step(const char* function, coracle_question* question, const char* state, const char* move,
          void* context) {
  Called called(context, nullptr);
  if (called.role() == nullptr) return;
  const nb::object self = nb::borrow(called.role()->self);
  Called::guarded([&] {
    try {
      give_step(question, self.attr("_step")(function, str_of(state), str_of(move)));
    } catch (nb::python_error& error) {
      const nb::str why(error.value());
      coracle_error_free(coracle_question_refuse(question, text_of(why, "reason")));
      self.attr("_on_illegal")(error.value());
    }
  });
}

void on_apply(coracle_question* question, const char* state, const char* move, void* context) {
  step("apply", question, state, move, context);
}

void on_advance(coracle_question* question, const char* state, const char* move, void* context) {
  step("advance", question, state, move, context);
}

void on_prepare(coracle_agent* self, coracle_question* question, const coracle_plan* plan,
                void* context) {
  Called called(context, self);
  called.ask(question, &give_reason, "prepare", [&] { return nb::make_tuple(plan_of(*plan)); });
}

void on_perform(coracle_agent* self, coracle_question* question, const char* move,
                const char* state, std::int64_t cost, void* context) {
  Called called(context, self);
  called.ask(question, &give_reason, "perform",
             [&] { return nb::make_tuple(str_of(move), str_of(state), cost); });
}

void on_finished(coracle_agent* self, const coracle_plan_progress* last, void* context) {
  Called called(context, self);
  called.tell("on_end", [&] { return nb::make_tuple(progress_of(*last)); });
}

void start_arbiter(Node& node, nb::handle self) {
  Record record(self);
  Role& role = Role::of(self);
  coracle_arbiter arbiter{};
  arbiter.state = record.text("state");
  arbiter.clients = record.number<std::uint64_t>("requests");
  arbiter.gather = record.span("gather");
  arbiter.go_within = record.span("go_within");
  arbiter.answer_within = record.span("answer_within");
  arbiter.within = record.span("within");
  arbiter.rule = record.text("rule");
  arbiter.nodes = record.number<std::uint32_t>("nodes");
  arbiter.offers = record.number<std::uint32_t>("offers");
  arbiter.reconsiders = record.truth("reconsiders");
  if (role.has("apply")) arbiter.apply = &on_apply;
  if (role.has("advance")) arbiter.advance = &on_advance;
  if (role.has("prepare")) arbiter.prepare = &on_prepare;
  if (role.has("perform")) arbiter.perform = &on_perform;
  arbiter.finished = &on_finished;
  start_with(node, self, arbiter, &coracle_arbiter_start);
}

}  // namespace

nb::object outcome_of(const coracle_result* result) {
  coracle_plan_outcome outcome{};
  check(coracle_result_outcome(result, &outcome));
  return shown(outcome);
}

void define_plans(nb::module_& module) {
  module.def("start_planner", &start_planner);
  module.def("request_plan", &request_plan, nb::arg("planner"), nb::arg("arbiter"),
             nb::arg("request"), nb::arg("within").none());
  module.def("go", acting(&coracle_planner_go));
  module.def("withdraw", acting(&coracle_planner_withdraw));
  module.def("start_arbiter", &start_arbiter);
}

}  // namespace coracle::py
