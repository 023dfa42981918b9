// Arbiters whose game, plans and moves are the program's.
#include "agents/acting.hpp"
#include "shown_plan.hpp"

#include "coracle/caf/arbiter.hpp"

#include <string>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

namespace {

using Step = caf::Game::Step;

// The rules, which the program answers for at once.
class ProgramsGame final : public caf::Game {
 public:
  explicit ProgramsGame(const coracle_arbiter& table) : table_(table) {}

  Step apply(const std::string& state, const std::string& move) const override {
    return ask(table_.apply, state, move);
  }
  Step advance(const std::string& state, const std::string& move) const override {
    return ask(table_.advance == nullptr ? table_.apply : table_.advance, state, move);
  }

 private:
  Step ask(decltype(coracle_arbiter::apply) function, const std::string& state,
           const std::string& move) const {
    const auto question =
        std::make_shared<Question>(typeid(Step), "coracle_answer_step()", nullptr);
    coracle_question* const handle = new_handle(question);
    function(handle, state.c_str(), move.c_str(), table_.context);
    if (remove_handle<Question>(handle)) return Step::illegal("the rules give no answer");
    try {
      return std::any_cast<Step>(question->take());
    } catch (const std::exception& why) {
      return Step::illegal(why.what());
    }
  }

  const coracle_arbiter table_;
};

struct ShownCycle {
  const std::string move, state;
  const std::int64_t cost;
};

caf::ArbiterOptions options_for(const coracle_arbiter& given) {
  caf::ArbiterOptions options;
  const coracle_span spans[] = {given.gather, given.go_within, given.answer_within, given.within};
  for (const coracle_span span : spans) {
    if (span < 0) fail_argument("coracle_arbiter: a span of time is negative");
  }
  if (given.clients != 0) options.clients = given.clients;
  if (given.gather != 0) options.gather = Duration(given.gather);
  if (given.go_within != 0) options.go_within = Duration(given.go_within);
  options.reconsiders = given.reconsiders;
  caf::NegotiationOptions& negotiation = options.negotiation;
  if (given.answer_within != 0) negotiation.answer_within = Duration(given.answer_within);
  if (given.within != 0) negotiation.within = Duration(given.within);
  if (given.rule != nullptr) negotiation.rule = caf::Selection::named(given.rule).value();
  if (given.nodes != 0) negotiation.limits.nodes = given.nodes;
  if (given.offers != 0) negotiation.offers = given.offers;
  return options;
}

constexpr const char* reason_words = "coracle_answer_text()";

class ArbiterRole final : public caf::Arbiter, public RoleActing {
 public:
  explicit ArbiterRole(const coracle_arbiter& arbiter)
      : Arbiter(std::make_shared<ProgramsGame>(arbiter),
                text_of(arbiter.state, "coracle_arbiter: `state`"), options_for(arbiter)),
        table_(arbiter) {}

  Task<> run() override {
    table_.begin();
    return Arbiter::run();
  }

 private:
  Agent& agent() noexcept override { return *this; }
  void retire_role() override { retire(); }

  Task<std::string> prepare(caf::Plan plan) override {
    if (table_->prepare == nullptr) return Arbiter::prepare(std::move(plan));
    const auto about = std::make_shared<const ShownPlan>(plan);
    const auto show = [this, about](coracle_agent* me, coracle_question* question) {
      table_->prepare(me, question, &about->view, table_->context);
    };
    return reason(about, show);
  }
  Task<std::string> perform(std::string move, Step cycle) override {
    if (table_->perform == nullptr) return Arbiter::perform(std::move(move), std::move(cycle));
    const auto about = std::make_shared<const ShownCycle>(
        ShownCycle{std::move(move), std::move(cycle.state), cycle.cost});
    const auto show = [this, about](coracle_agent* me, coracle_question* question) {
      table_->perform(me, question, about->move.c_str(), about->state.c_str(), about->cost,
                      table_->context);
    };
    return reason(about, show);
  }
  // The answer; a refusal is a reason, too.
  Task<std::string> reason(std::shared_ptr<const void> about, Show show) {
    std::string why;
    try {
      Task<std::string> asking = ask_for<std::string>(reason_words, about, std::move(show));
      why = co_await asking;
    } catch (const Refused& refused) {
      why = refused.what();
    }
    co_return why;
  }
  void on_end(const caf::PlanProgress& last) override {
    const coracle_plan_progress seen = shown(last);
    call(table_->finished, &seen, table_->context);
  }

  Functions<coracle_arbiter> table_;
};

}  // namespace

}  // namespace coracle::c

coracle_error* coracle_arbiter_start(coracle_node* node, const coracle_agent_options* options,
                                     const coracle_arbiter* given) {
  return guarded([&] {
    if (given == nullptr) fail_argument("coracle_arbiter_start: the arbiter is NULL");
    const coracle_arbiter arbiter = options_of(given, "coracle_arbiter");
    if (arbiter.apply == nullptr) fail_argument("coracle_arbiter: `apply` is NULL");
    object_of<NodeObject>(node)->node->adopt(spec_of(options),
                                             std::make_unique<ArbiterRole>(arbiter));
  });
}

coracle_error* coracle_answer_step(coracle_question* question, const char* state, int64_t cost,
                                   bool is_over) {
  return answer_by<Step>(question, [&] {
    if (cost < 0) fail_argument("coracle_answer_step: the cost is negative");
    return Step{text_of(state, "coracle_answer_step: `state`"), cost, {}, is_over};
  });
}
