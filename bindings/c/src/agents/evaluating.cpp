// An evaluator whose functions are the program's.
#include "acting.hpp"
#include "base/fields.hpp"

#include "coracle/evaluator.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

namespace {

constexpr std::size_t most_evaluations = 1000;

// The arguments of an evaluation, as the program reads them.
struct ShownFields {
  explicit ShownFields(TupleFields all) : fields(std::move(all)) {
    for (const TupleField& each : fields) views.push_back(shown(each));
  }
  ShownFields(const ShownFields&) = delete;

  const TupleFields fields;
  std::vector<coracle_field> views;
};

class EvaluatingAgent final : public Evaluator, public RoleActing {
 public:
  explicit EvaluatingAgent(const coracle_evaluator& evaluator)
      : Evaluator(Name(text_of(evaluator.space, "coracle_evaluator: `space`")),
                  {.at_once = std::max<std::uint32_t>(evaluator.at_once, 1)}),
        table_(evaluator) {
    require_array(evaluator.evaluations, evaluator.evaluation_count,
                  "coracle_evaluator: `evaluations` is NULL");
    if (evaluator.evaluation_count == 0 || evaluator.evaluation_count > most_evaluations)
      fail_argument("coracle_evaluator: give 1 to 1,000 evaluations");
    for (std::size_t number = 0; number < evaluator.evaluation_count; ++number)
      add(evaluator.evaluations[number]);
  }

  Task<> run() override {
    table_.begin();
    return work_as_evaluator();
  }

 private:
  Agent& agent() noexcept override { return *this; }
  void retire_role() override {}
  const char* obstacle_to_retire() const noexcept override {
    return "an evaluator ends with its node; it cannot end by itself";
  }

  void add(const coracle_evaluation& given) {
    if (given.evaluate == nullptr) fail_argument("coracle_evaluation: `evaluate` is NULL");
    const auto function = given.evaluate;
    void* const context = given.context == nullptr ? table_->context : given.context;
    offer_any(text_of(given.name, "coracle_evaluation: `name`"),
              [this, function, context](Agent&, TupleFields arguments) {
                return answer(function, context, std::move(arguments));
              });
  }
  Task<TupleFields> answer(decltype(coracle_evaluation::evaluate) function, void* context,
                           TupleFields arguments) {
    const auto about = std::make_shared<const ShownFields>(std::move(arguments));
    const auto show = [function, context, about](coracle_agent* me, coracle_question* question) {
      function(me, question, about->views.data(), about->views.size(), context);
    };
    return ask_for<TupleFields>("coracle_answer_tuple()", about, show);
  }

  Functions<coracle_evaluator> table_;
};

}  // namespace

}  // namespace coracle::c

coracle_error* coracle_evaluator_start(coracle_node* node, const coracle_agent_options* options,
                                       const coracle_evaluator* given) {
  return guarded([&] {
    if (given == nullptr) fail_argument("coracle_evaluator_start: the evaluator is NULL");
    const coracle_evaluator evaluator = options_of(given, "coracle_evaluator");
    object_of<NodeObject>(node)->node->adopt(spec_of(options),
                                             std::make_unique<EvaluatingAgent>(evaluator));
  });
}

coracle_error* coracle_answer_tuple(coracle_question* question, const coracle_field* fields,
                                    size_t count) {
  return answer_by<TupleFields>(question, [&] { return values_of(fields, count, 0); });
}
