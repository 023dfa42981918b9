// Behaviours of subsumption architectures whose functions are the program's.
#include "agents/acting.hpp"

#include "coracle/dispel/subsumption.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

namespace {

struct Terminal {
  std::string name, type;
  bool is_input = false;
};

// An input or an output.
class LayerPort final : public dispel::detail::BehaviourPort {
 public:
  LayerPort(dispel::Behaviour& owner, const Terminal& terminal)
      : BehaviourPort(owner, terminal.name, terminal.type, terminal.is_input) {}
  const Content& last() const noexcept { return register_; }
  bool is_fresh() const noexcept { return fresh_; }
  void send(const Cbor& signal) { emit(content_of(signal, type())); }
};

// The question of a reaction, with what the behaviour reacts to.
class Reaction final : public Question {
 public:
  Reaction() : Question(typeid(Done), "coracle_answer_done()", nullptr, Takes::signals) {}

  struct Input {
    std::string name;
    Cbor signal;  // without bytes: none has come
    bool is_fresh = false;
  };
  std::vector<Input> inputs;
  std::vector<std::string> outputs;  // their numbers are the places of items
  bool alarm_rang = false;
  std::atomic<std::int64_t> alarm{-1};  // that the program has set
};

class LayerRole final : public dispel::Behaviour, public RoleActing {
 public:
  LayerRole(const coracle_layer& layer, std::shared_ptr<const std::vector<Terminal>> terminals,
            SharedContextPtr context)
      : context_(std::move(context)), table_(layer), terminals_(std::move(terminals)) {
    for (const Terminal& each : *terminals_)
      ports_.push_back(std::make_unique<LayerPort>(*this, each));
  }

  Task<> run() override {
    table_.begin();
    return work_as_behaviour();
  }

 private:
  Agent& agent() noexcept override { return *this; }
  void retire_role() override { rest_for_good(); }

  Task<> consider() override {
    const auto about = std::make_shared<Reaction>();
    std::vector<LayerPort*> outputs;
    for (const auto& each : ports_) {
      if (each->is_input()) {
        const bool is_there = !each->last().type().empty();
        about->inputs.push_back(
            {each->name(), is_there ? cbor_in(each->last()) : Cbor(), each->is_fresh()});
      } else {
        about->outputs.push_back(each->name());
        outputs.push_back(each.get());
      }
    }
    about->alarm_rang = alarm_rang();
    const auto show = [this](coracle_agent* me, coracle_question* question) {
      table_->react(me, question, table_->context);
    };
    Task<> asking = RoleActing::ask(about, show);
    co_await asking;
    (void)about->take();
    for (const Question::Item& each : about->take_items()) outputs[each.place]->send(each.value);
    const std::int64_t after = about->alarm;
    if (after >= 0) alarm(Duration(after));
  }

  const SharedContextPtr context_;
  Functions<coracle_layer> table_;
  const std::shared_ptr<const std::vector<Terminal>> terminals_;  // the ports have views of it
  std::vector<std::unique_ptr<LayerPort>> ports_;
};

std::shared_ptr<const std::vector<Terminal>> terminals_of(const coracle_layer& layer) {
  require_array(layer.terminals, layer.terminal_count, "coracle_layer: `terminals` is NULL");
  auto all = std::make_shared<std::vector<Terminal>>();
  for (std::size_t number = 0; number < layer.terminal_count; ++number) {
    const coracle_terminal& given = layer.terminals[number];
    const std::string whose = "coracle_layer " + detail::quoted(layer.name) + ", terminal " +
                              std::to_string(number) + ": ";
    all->push_back({text_of(given.name, (whose + "`name`").c_str()),
                    text_of(given.type, (whose + "`type`").c_str()), given.is_input});
  }
  return all;
}

void connect(dispel::Subsumption& network, const coracle_wire& wire) {
  const char* const from = text_of(wire.from, "coracle_wire: `from`");
  const char* const to = text_of(wire.to, "coracle_wire: `to`");
  const std::string which =
      "coracle_wire from " + detail::quoted(from) + " to " + detail::quoted(to) + ": ";
  if (wire.constant < 0) fail_argument((which + "`constant` is negative").c_str());
  switch (number_of(wire.effect)) {
    case CORACLE_SIGNALS:
      network.wire(from, to);
      return;
    case CORACLE_SUPPRESSES:
      network.suppress(from, to, Duration(wire.constant));
      return;
    case CORACLE_INHIBITS:
      network.inhibit(from, to, Duration(wire.constant));
      return;
  }
  fail_argument((which + "`effect` is none of coracle_effect").c_str());
}

std::shared_ptr<Reaction> reaction_of(const coracle_question* question) {
  auto reaction = std::dynamic_pointer_cast<Reaction>(object_of<Question>(question));
  if (!reaction) fail_argument("this question is not one of a behaviour's react()");
  return reaction;
}

// `what` is "input" or "output", and `known` are those that the behaviour has.
[[noreturn]] void fail_terminal(const char* function, const std::string& what,
                                std::string_view name, const std::vector<std::string>& known) {
  std::string all;
  for (const std::string& each : known) all += (all.empty() ? "" : ", ") + detail::quoted(each);
  fail_argument((std::string(function) + ": the behaviour has no " + what + " " +
                 detail::quoted(name) + "; it has " + (all.empty() ? "none" : all))
                    .c_str());
}

}  // namespace

}  // namespace coracle::c

coracle_error* coracle_subsumption_start(coracle_node* node, const coracle_subsumption* given) {
  return guarded([&] {
    if (given == nullptr) fail_argument("coracle_subsumption_start: the network is NULL");
    const coracle_subsumption plan = options_of(given, "coracle_subsumption");
    require_array(plan.layers, plan.layer_count, "coracle_subsumption: `layers` is NULL");
    require_array(plan.wires, plan.wire_count, "coracle_subsumption: `wires` is NULL");
    const NodePtr whose = object_of<NodeObject>(node);
    dispel::Subsumption network(Name(text_of(plan.name, "coracle_subsumption: `name`")));
    const auto context = std::make_shared<SharedContext>(plan.end, plan.context);
    std::vector<std::string> ours;
    for (std::size_t number = 0; number < plan.layer_count; ++number) {
      const coracle_layer layer = options_of(&plan.layers[number], "coracle_layer");
      const std::string name = text_of(layer.name, "coracle_layer: `name`");
      network.add_kind(layer.layer, name, [layer, terminals = terminals_of(layer), context] {
        return std::make_unique<LayerRole>(layer, terminals, context);
      });
      if (layer.react != nullptr) ours.push_back(name);
    }
    for (std::size_t number = 0; number < plan.wire_count; ++number)
      connect(network, plan.wires[number]);
    for (const dispel::Subsumption::Planned& each : network.plan()) {
      if (std::find(ours.begin(), ours.end(), each.behaviour) == ours.end()) continue;
      whose->node->adopt(each.name, network.make(each));
      context->begin();
    }
    context->begin();
  });
}

coracle_error* coracle_question_input(const coracle_question* question, const char* input,
                                      const void** signal, size_t* size, bool* is_fresh) {
  return guarded([&] {
    if (signal == nullptr || size == nullptr)
      fail_argument("coracle_question_input: `signal` or `size` is NULL");
    const auto reaction = reaction_of(question);
    const std::string_view name = text_of(input, "coracle_question_input: `input`");
    const auto& inputs = reaction->inputs;
    const auto found = std::find_if(inputs.begin(), inputs.end(),
                                    [&](const auto& each) { return each.name == name; });
    if (found == inputs.end()) {
      std::vector<std::string> known;
      for (const Reaction::Input& each : inputs) known.push_back(each.name);
      fail_terminal("coracle_question_input", "input", name, known);
    }
    *size = found->signal.bytes.size();
    *signal = *size == 0 ? nullptr : found->signal.bytes.data();
    if (is_fresh != nullptr) *is_fresh = found->is_fresh;
  });
}

coracle_error* coracle_question_alarm_rang(const coracle_question* question, bool* out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_question_alarm_rang: `out` is NULL");
    *out = reaction_of(question)->alarm_rang;
  });
}

coracle_error* coracle_question_signal(coracle_question* question, const char* output,
                                       const void* signal, size_t size) {
  return guarded([&] {
    const auto reaction = reaction_of(question);
    const std::string_view name = text_of(output, "coracle_question_signal: `output`");
    const auto& outputs = reaction->outputs;
    const auto found = std::find(outputs.begin(), outputs.end(), name);
    if (found == outputs.end()) fail_terminal("coracle_question_signal", "output", name, outputs);
    reaction->put(Question::Takes::signals, static_cast<std::size_t>(found - outputs.begin()),
                  cbor_of(signal, size, "the signal"));
  });
}

coracle_error* coracle_question_alarm(coracle_question* question, coracle_span after) {
  return guarded([&] {
    if (after < 0) fail_argument("coracle_question_alarm: the span is negative");
    reaction_of(question)->alarm = after;
  });
}
