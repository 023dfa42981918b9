// A behaviour of a subsumption architecture (Brooks's augmented finite-state machine, the paper's
// section 2.2): derive, give it inputs and outputs, and define how it reacts. Subsumption connects
// behaviours. Tests: dispel/tests/subsumption/junction_test.cpp,
// tests/control/subsumption_test.cpp.
#pragma once

#include "coracle/dispel/detail/junction.hpp"
#include "coracle/dispel/role.hpp"
#include "coracle/typed.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::dispel {

class Behaviour;

// The numbers of signals that came over the wires of a port, by what happened to them.
struct Traffic {
  std::uint64_t passed = 0;
  // Of these, the signals from an output that suppresses the wire.
  std::uint64_t replaced = 0;
  // The signals that were held down: by suppression at an input, by inhibition at an output.
  std::uint64_t held_down = 0;
};

// The effect of a signal where it arrives.
enum class WireEffect : std::uint8_t { signals, suppresses, inhibits };

// The connections of a port; made by Subsumption.
struct PortWiring {
  // Of an output: a target of its signals, the wire there, and the effect.
  struct Target {
    Name who;
    Conversation wire = 0;
    WireEffect effect = WireEffect::signals;
  };
  // All targets.
  std::vector<Target> targets;
  // The time constants of the outputs that suppress this input, or inhibit this output, by rank.
  std::vector<Duration> constants;
};

namespace detail {

// The common part of In and Out.
class BehaviourPort {
 public:
  BehaviourPort(Behaviour& owner, std::string_view name, std::string_view type, bool is_input);
  BehaviourPort(const BehaviourPort&) = delete;

  // The port's name, and the type of its signals.
  const std::string& name() const noexcept { return name_; }
  std::string_view type() const noexcept { return type_; }
  bool is_input() const noexcept { return is_input_; }
  // The numbers of signals that came over its wires so far.
  const Traffic& traffic() const noexcept { return traffic_; }

 protected:
  ~BehaviourPort() = default;
  void emit(Content content);

  Behaviour& owner_;
  Content register_;    // of an input
  bool fresh_ = false;  // a signal came since the last reaction

 private:
  friend class dispel::Behaviour;

  std::string name_;
  std::string_view type_;
  bool is_input_;
  Junction junction_;
  Traffic traffic_;
  std::vector<std::pair<Address, Conversation>> targets_;
};

}  // namespace detail

// An input: a register that holds the last signal that came.
template <class T>
class In : public detail::BehaviourPort {
 public:
  In(Behaviour& owner, std::string_view name)
      : BehaviourPort(owner, name, content_type_of<T>(), true) {}

  // Returns whether a signal has ever come; is_fresh() returns whether one came since the last
  // reaction.
  explicit operator bool() const noexcept { return !register_.type().empty(); }
  bool is_fresh() const noexcept { return fresh_; }
  // The signal that the register holds; requires that there is one.
  const T& operator*() const { return register_.as<T>(); }
  const T* operator->() const { return &register_.as<T>(); }
};

// An output.
template <class T>
class Out : public detail::BehaviourPort {
 public:
  Out(Behaviour& owner, std::string_view name)
      : BehaviourPort(owner, name, content_type_of<T>(), false) {}

  // Sends a signal over all wires of this output when the reaction ends, unless the output is
  // inhibited then.
  void send(T value) { emit(Content::of(std::move(value))); }
};

// A behaviour. It reacts when signals have come or its alarm rings. Of several signals that came
// meanwhile for one input, it sees the last. A behaviour that is too slow for its signals loses the
// oldest: no behaviour ever waits for another.
class Behaviour : public virtual Role {
 public:
  Behaviour() = default;

  // The inputs and outputs.
  const std::vector<detail::BehaviourPort*>& ports() const noexcept { return ports_; }
  // Connects the ports, in that order; call this before the behaviour begins.
  void connect(std::vector<PortWiring> wiring) { wiring_ = std::move(wiring); }

  // Reacts until the node stops, or after rest_for_good().
  Task<> run() override { return work_as_behaviour(); }

 protected:
  // The body of run(), for an agent that has other roles beside this one.
  Task<> work_as_behaviour();
  // Called once at the beginning, and then whenever signals have come or the alarm rang.
  virtual void react() { slow_ = true; }
  // The same for a behaviour that must wait for something; then do not override react().
  virtual Task<> consider() { co_return; }
  // Sets the alarm; an earlier setting is forgotten.
  void alarm(Duration after) { alarm_ = Deadline(after).at(now()); }
  // Returns whether the alarm is the reason for this reaction.
  bool alarm_rang() const noexcept { return rang_; }
  // Ends the behaviour after this reaction.
  void rest_for_good() noexcept { resting_ = true; }

 private:
  friend class detail::BehaviourPort;

  void begin();
  std::vector<Name> neighbours(WireEffect effect) const;
  void absorb(const Message& message);
  Task<> send_signals();

  struct Emitted {
    detail::BehaviourPort* port = nullptr;
    Content content;
  };

  std::vector<detail::BehaviourPort*> ports_;
  std::vector<PortWiring> wiring_;
  std::vector<Emitted> signals_;
  Time alarm_ = Time::max();
  bool rang_ = false;
  bool slow_ = false;
  bool resting_ = false;
};

// A behaviour with states. In each reaction, its state determines what happens and which state
// follows.
template <class State>
class FiniteBehaviour : public Behaviour {
 public:
  explicit FiniteBehaviour(State initial) : state_(initial), initial_(initial) {}

  // The present state.
  State state() const noexcept { return state_; }

 protected:
  // Called in each reaction with the present state; returns the next state.
  virtual State step(State state) = 0;
  // The reset line: a signal here returns the behaviour to its first state, whatever it was doing.
  In<bool> reset{*this, "reset"};

  void react() final {
    if (reset.is_fresh()) state_ = initial_;
    state_ = step(state_);
  }

 private:
  State state_;
  State initial_;
};

}  // namespace coracle::dispel
