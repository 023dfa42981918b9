// Connects behaviours into layers (the paper's section 2.2, after Brooks): wires, and higher
// behaviours that suppress the inputs or inhibit the outputs of lower ones for a time.
// Tests: dispel/tests/subsumption/subsumption_plan_test.cpp, tests/control/subsumption_test.cpp.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/dispel/behaviour.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace coracle::dispel {

// A fixed network of behaviours; copies are the same network. Ports are written `behaviour.port`. A
// mistake is refused as soon as it is made, with Errc::bad_options (types: Errc::wrong_type) and
// both ends.
class Subsumption {
 public:
  // Makes a behaviour.
  using Factory = std::function<std::unique_ptr<Behaviour>()>;
  // One agent of the network.
  struct Planned {
    std::string behaviour;
    unsigned layer = 0;
    Name name;
    std::vector<PortWiring> wiring;
  };

  // The agents will be named `name`/behaviour.
  explicit Subsumption(Name name);

  // Adds a behaviour to a layer; the arguments are kept, because it may be made several times.
  template <class Kind, class... Args>
  Subsumption& add(unsigned layer, std::string behaviour, Args... args) {
    return add_kind(layer, std::move(behaviour), [all = std::make_tuple(std::move(args)...)] {
      return std::apply([](const auto&... each) { return std::make_unique<Kind>(each...); }, all);
    });
  }
  // The same, for behaviours that `factory` makes.
  Subsumption& add_kind(unsigned layer, std::string behaviour, Factory factory);
  // Connects the output to the input by a wire. An input has one wire.
  Subsumption& wire(std::string_view output, std::string_view input);
  // For `constant` after each signal from `output`, the input gets those signals and no others. If
  // several outputs suppress one input, the one of the highest layer wins, then the one that was
  // connected last. They belong to higher layers than the input.
  Subsumption& suppress(std::string_view output, std::string_view input, Duration constant);
  // For `constant` after each signal from `output`, no signal leaves the output `inhibited`, which
  // is in a lower layer.
  Subsumption& inhibit(std::string_view output, std::string_view inhibited, Duration constant);

  // All agents, lower layers first.
  std::vector<Planned> plan() const;
  // Makes one of the agents.
  std::unique_ptr<Behaviour> make(const Planned& one) const;
  // The name of the network.
  const Name& name() const noexcept;

 private:
  struct Part;
  struct Effect;
  struct State;
  struct End;

  End end(std::string_view text) const;
  void check_effect(const End& from, const End& onto, Duration constant, const char* does) const;

  std::shared_ptr<State> state_;
};

}  // namespace coracle::dispel
