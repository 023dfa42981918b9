// Evaluators: agents whose functions make tuples of a space.
#include "role.hpp"
#include "society.hpp"

namespace coracle::py {

namespace {

// A tuple; None puts nothing into the space.
void give_tuple(coracle_question* question, const Role&, nb::handle value) {
  std::vector<coracle_field> fields;
  if (!value.is_none()) {
    if (!PyTuple_Check(value.ptr())) {
      PyErr_Format(PyExc_TypeError, "a function of an evaluator returns a tuple, or None; it is %R",
                   value.ptr());
      throw nb::python_error();
    }
    fields = fields_of(value);
  }
  check(coracle_answer_tuple(question, fields.data(), fields.size()));
}

void evaluate(coracle_agent* self, coracle_question* question, const coracle_field* arguments,
              size_t count, void* context) {
  const Link::Part& part = *static_cast<Link::Part*>(context);
  Called called(part.link, self);
  called.ask(question, &give_tuple, "_serve", [&] {
    nb::list given;
    for (std::size_t each = 0; each < count; ++each) given.append(value_of(arguments[each]));
    return nb::make_tuple(part.name, given);
  });
}

void start_evaluator(Node& node, nb::handle self) {
  Record role(self);
  auto link = std::make_unique<Link>();
  std::vector<coracle_evaluation> evaluations;
  for (const nb::handle name : role.items("_functions")) {
    Link::Part& part = link->parts.emplace_back(link.get(), nb::borrow(name));
    evaluations.push_back({text_of(name, "the name of a function"), &evaluate, &part});
  }
  coracle_evaluator evaluator{};
  evaluator.space = role.text("space");
  evaluator.evaluations = evaluations.data();
  evaluator.evaluation_count = evaluations.size();
  evaluator.at_once = role.number<std::uint32_t>("at_once");
  start_with(node, self, evaluator, &coracle_evaluator_start, std::move(link));
}

}  // namespace

void define_evaluators(nb::module_& module) { module.def("start_evaluator", &start_evaluator); }

}  // namespace coracle::py
