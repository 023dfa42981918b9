#include "coracle/dispel/subsumption.hpp"

#include "subsumption/wires.hpp"

#include <algorithm>

namespace coracle::dispel {

namespace {

constexpr std::size_t most_ports = 4096;
constexpr std::size_t most_ranks = 4096;

[[noreturn]] void refuse(const std::string& why, Errc errc = Errc::bad_options) {
  throw Error(errc, "this subsumption network cannot be built: " + why);
}

struct PortKind {
  std::string name;
  std::string type;
  bool is_input = false;
};

}  // namespace

// The effect of one output on a port.
struct Subsumption::Effect {
  std::size_t part = 0;
  std::size_t port = 0;
  Duration constant{};
};

struct Subsumption::Part {
  std::string name;
  unsigned layer = 0;
  Factory factory;
  std::vector<PortKind> ports;
  // For each port: the wires that lead to it, and the outputs that suppress or inhibit it.
  std::vector<std::vector<Effect>> wires;
  std::vector<std::vector<Effect>> effects;
};

struct Subsumption::State {
  Name name;
  std::vector<Part> parts;
};

// A port that a text names.
struct Subsumption::End {
  std::string text;
  std::size_t part = 0;
  std::size_t port = 0;
  const Part* whose = nullptr;
  const PortKind& kind() const { return whose->ports[port]; }
};

Subsumption::Subsumption(Name name) : state_(std::make_shared<State>()) {
  state_->name = std::move(name);
}

const Name& Subsumption::name() const noexcept { return state_->name; }

Subsumption& Subsumption::add_kind(unsigned layer, std::string behaviour, Factory factory) {
  for (const Part& each : state_->parts) {
    if (each.name == behaviour)
      refuse("there are two behaviours '" + behaviour + "'; name one differently");
  }
  const Name checked(state_->name.str() + "/" + behaviour);
  Part part;
  part.name = std::move(behaviour);
  part.layer = layer;
  const auto sample = factory();
  for (const detail::BehaviourPort* port : sample->ports()) {
    part.ports.push_back({port->name(), std::string(port->type()), port->is_input()});
  }
  if (part.ports.size() > most_ports)
    refuse("'" + part.name + "' has more than " + std::to_string(most_ports) +
           " ports; divide it into several behaviours");
  part.wires.resize(part.ports.size());
  part.effects.resize(part.ports.size());
  part.factory = std::move(factory);
  state_->parts.push_back(std::move(part));
  return *this;
}

Subsumption::End Subsumption::end(std::string_view text) const {
  const std::size_t dot = text.rfind('.');
  if (dot == std::string_view::npos) {
    refuse("'" + std::string(text) + "' should be written `behaviour.port`");
  }
  End end;
  end.text = text;
  for (std::size_t part = 0; part < state_->parts.size(); ++part) {
    if (state_->parts[part].name == text.substr(0, dot)) {
      end.part = part;
      end.whose = &state_->parts[part];
    }
  }
  if (end.whose == nullptr) {
    refuse("there is no behaviour '" + std::string(text.substr(0, dot)) + "', which '" + end.text +
           "' names; add it first");
  }
  for (; end.port < end.whose->ports.size(); ++end.port) {
    if (end.kind().name == text.substr(dot + 1)) return end;
  }
  std::string known;
  for (const PortKind& each : end.whose->ports) known += (known.empty() ? "" : ", ") + each.name;
  refuse("behaviour '" + end.whose->name + "' has no port '" + std::string(text.substr(dot + 1)) +
         "'; " + (known.empty() ? "it has none" : "it has " + known));
}

Subsumption& Subsumption::wire(std::string_view output, std::string_view input) {
  const End from = end(output);
  const End to = end(input);
  const std::string both = "no wire can lead from '" + from.text + "' to '" + to.text + "': ";
  if (from.kind().is_input) refuse(both + "the first is an input; name an output first");
  if (!to.kind().is_input) refuse(both + "the second is an output; name an input, or inhibit it");
  if (from.kind().type != to.kind().type) {
    refuse(both + "one gives " + from.kind().type + ", the other takes " + to.kind().type +
               "; give both the same type",
           Errc::wrong_type);
  }
  std::vector<Effect>& wires = state_->parts[to.part].wires[to.port];
  if (!wires.empty()) {
    const Part& other = state_->parts[wires.front().part];
    refuse(both + "one from '" + other.name + "." + other.ports[wires.front().port].name +
           "' does, and an input has one wire; suppress it instead");
  }
  wires.push_back({from.part, from.port, {}});
  return *this;
}

void Subsumption::check_effect(const End& from, const End& onto, Duration constant,
                               const char* does) const {
  const std::string both = "'" + from.text + "' cannot " + does + " '" + onto.text + "': ";
  if (from.kind().is_input) refuse(both + "'" + from.text + "' is an input; name an output");
  if (from.whose->layer <= onto.whose->layer) {
    refuse(both + "it belongs to layer " + std::to_string(from.whose->layer) +
           ", which is not above layer " + std::to_string(onto.whose->layer) +
           "; only a higher layer may");
  }
  if (constant <= Duration::zero())
    refuse(both + "its time constant is not above zero; give one that is");
  if (onto.whose->effects[onto.port].size() >= most_ranks)
    refuse(both + std::to_string(most_ranks) + " others do, and no more may");
}

Subsumption& Subsumption::suppress(std::string_view output, std::string_view input,
                                   Duration constant) {
  const End from = end(output);
  const End onto = end(input);
  check_effect(from, onto, constant, "suppress");
  if (!onto.kind().is_input) {
    refuse("'" + from.text + "' cannot suppress '" + onto.text +
           "', which is an output; inhibit it instead");
  }
  if (from.kind().type != onto.kind().type) {
    refuse("'" + from.text + "' cannot suppress '" + onto.text + "': one gives " +
               from.kind().type + ", the other takes " + onto.kind().type +
               "; give both the same type",
           Errc::wrong_type);
  }
  state_->parts[onto.part].effects[onto.port].push_back({from.part, from.port, constant});
  return *this;
}

Subsumption& Subsumption::inhibit(std::string_view output, std::string_view inhibited,
                                  Duration constant) {
  const End from = end(output);
  const End onto = end(inhibited);
  check_effect(from, onto, constant, "inhibit");
  if (onto.kind().is_input) {
    refuse("'" + from.text + "' cannot inhibit '" + onto.text +
           "', which is an input; suppress it instead");
  }
  state_->parts[onto.part].effects[onto.port].push_back({from.part, from.port, constant});
  return *this;
}

std::vector<Subsumption::Planned> Subsumption::plan() const {
  const std::vector<Part>& parts = state_->parts;
  std::vector<Planned> all(parts.size());
  for (std::size_t index = 0; index < parts.size(); ++index) {
    Planned& one = all[index];
    one.behaviour = parts[index].name;
    one.layer = parts[index].layer;
    one.name = Name(state_->name.str() + "/" + one.behaviour);
    one.wiring.resize(parts[index].ports.size());
  }
  const auto lead = [&](const Effect& from, std::size_t part, std::size_t port, std::size_t rank) {
    const detail::Wire wire(static_cast<std::uint16_t>(port), static_cast<std::uint16_t>(rank));
    WireEffect effect = WireEffect::signals;
    if (rank > 0) {
      const bool is_input = parts[part].ports[port].is_input;
      effect = is_input ? WireEffect::suppresses : WireEffect::inhibits;
    }
    all[from.part].wiring[from.port].targets.push_back(
        {all[part].name, wire.conversation(), effect});
  };
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (std::size_t port = 0; port < parts[part].ports.size(); ++port) {
      for (const Effect& each : parts[part].wires[port]) lead(each, part, port, 0);
      std::vector<Effect> effects = parts[part].effects[port];
      std::stable_sort(effects.begin(), effects.end(), [&](const Effect& a, const Effect& b) {
        return parts[a.part].layer < parts[b.part].layer;
      });
      for (std::size_t rank = 1; rank <= effects.size(); ++rank) {
        all[part].wiring[port].constants.push_back(effects[rank - 1].constant);
        lead(effects[rank - 1], part, port, rank);
      }
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Planned& a, const Planned& b) { return a.layer < b.layer; });
  return all;
}

std::unique_ptr<Behaviour> Subsumption::make(const Planned& one) const {
  for (const Part& each : state_->parts) {
    if (each.name != one.behaviour) continue;
    auto behaviour = each.factory();
    behaviour->connect(one.wiring);
    return behaviour;
  }
  refuse("there is no behaviour '" + one.behaviour + "'");
}

}  // namespace coracle::dispel
