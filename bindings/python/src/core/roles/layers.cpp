// Layers of behaviours.
#include "role.hpp"

namespace coracle::py {

namespace {

void on_react(coracle_agent* self, coracle_question* question, void* context) {
  Called called(context, self);
  if (called.role() == nullptr) return coracle_question_free(question);
  Called::guarded([&] {
    const nb::object asked = make<Question>(question, &give_done, nb::borrow(called.role()->self));
    Question::of(asked).note_asked();
    called.role()->call(nb::str("_react"), nb::make_tuple(asked), asked);
  });
}

// (name, type, is it an input?) for each of a behaviour's inputs and outputs.
std::vector<coracle_terminal> terminals_of(Record& behaviour) {
  std::vector<coracle_terminal> all;
  for (const nb::handle each : behaviour.items("_terminals")) {
    const nb::tuple terminal = nb::cast<nb::tuple>(each);
    all.push_back({text_of(terminal[0], "the name of a terminal"),
                   text_of(terminal[1], "the type of a terminal"), nb::cast<bool>(terminal[2])});
  }
  return all;
}

std::vector<coracle_wire> wires_of(Record& network) {
  std::vector<coracle_wire> all;
  for (const nb::handle each : network.items("_wires")) {
    const nb::tuple wire = nb::cast<nb::tuple>(each);
    all.push_back({text_of(wire[0], "the output"), text_of(wire[1], "the input"),
                   coracle_effect(nb::cast<int>(wire[2])), span_of(wire[3])});
  }
  return all;
}

void start_subsumption(Node& node, nb::handle self) {
  Record network(self);
  std::deque<Record> behaviours;
  std::deque<std::vector<coracle_terminal>> terminals;
  std::vector<coracle_layer> layers;
  std::vector<Link*> links;
  coracle_node* const on = node.handle_of_loop();
  for (const nb::handle each : network.items("_layers")) {
    const nb::tuple placed = nb::cast<nb::tuple>(each);
    Record& behaviour = behaviours.emplace_back(placed[1]);
    const Role& role = Role::of(placed[1]);
    coracle_layer layer{};
    layer.size = sizeof layer;
    layer.name = behaviour.text("name");
    layer.layer = nb::cast<unsigned>(placed[0]);
    const auto& mine = terminals.emplace_back(terminals_of(behaviour));
    layer.terminals = mine.data();
    layer.terminal_count = mine.size();
    if (role.has("react")) {
      links.push_back(new Link);
      node.keep(*links.back(), Role::of(placed[1]));
      layer.react = &on_react;
      layer.end = &end_link;
      layer.context = links.back();
    }
    layers.push_back(layer);
  }
  const std::vector<coracle_wire> wires = wires_of(network);
  coracle_subsumption plan{};
  plan.size = sizeof plan;
  plan.name = network.text("name");
  plan.layers = layers.data();
  plan.layer_count = layers.size();
  plan.wires = wires.data();
  plan.wire_count = wires.size();
  coracle_error* error = nullptr;
  {
    const nb::gil_scoped_release others_run;
    error = coracle_subsumption_start(on, &plan);
  }
  if (error == nullptr) return;
  // Some of the behaviours may have begun, so that the links stay.
  for (Link* const each : links) node.forget(*each);
  raise(exception_of(error));
}

// (signal, is_fresh); the signal is None if none has come.
nb::tuple input(const Question& question, nb::handle name, nb::handle type) {
  const void* signal = nullptr;
  std::size_t size = 0;
  bool is_fresh = false;
  check(
      coracle_question_input(question.handle(), text_of(name, "input"), &signal, &size, &is_fresh));
  if (signal == nullptr) return nb::make_tuple(nb::none(), false);
  return nb::make_tuple(fit(type, from_cbor(signal, size), "the signal"), is_fresh);
}

}  // namespace

void define_layers(nb::class_<Question>& question) {
  question.def("input", &input, nb::arg("name"), nb::arg("type").none())
      .def("alarm_rang",
           [](const Question& self) {
             bool rang = false;
             check(coracle_question_alarm_rang(self.handle(), &rang));
             return rang;
           })
      .def(
          "signal",
          [](const Question& self, nb::handle output, nb::handle signal) {
            const Encoded encoded(signal);
            check(coracle_question_signal(self.handle(), text_of(output, "output"), encoded.data,
                                          encoded.size));
          },
          nb::arg("output"), nb::arg("signal").none())
      .def("alarm", [](const Question& self, nb::handle after) {
        check(coracle_question_alarm(self.handle(), span_of(after)));
      });
}

void define_subsumption(nb::module_& module) {
  module.def("start_subsumption", &start_subsumption);
}

}  // namespace coracle::py
