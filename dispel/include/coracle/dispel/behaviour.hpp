// A behaviour of a subsumption architecture (Brooks's augmented finite-state machine, the paper's
// section 2.2): derive, give it inputs and outputs, and say how it reacts. Subsumption connects
// behaviours. Contract: dispel/tests/junction_test.cpp, tests/control/subsumption_test.cpp.
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

// How often something came over the wires of a port, and what became of it.
struct Traffic {
  std::uint64_t passed = 0;
  // Of these, how many came from one that suppresses the wire.
  std::uint64_t replaced = 0;
  // Held down: by suppression at an input, by inhibition at an output.
  std::uint64_t held_down = 0;
};

// What a signal does where it arrives.
enum class WireEffect : std::uint8_t { signals, suppresses, inhibits };

// What a port is connected to; made by Subsumption.
struct PortWiring {
  // Of an output: whom its signals go to, by which of their wires, and to what effect.
  struct Target {
    Name who;
    Conversation wire = 0;
    WireEffect effect = WireEffect::signals;
  };
  // All of them.
  std::vector<Target> targets;
  // Of those that suppress this input, or inhibit this output, by rank.
  std::vector<Duration> constants;
};

namespace detail {

// What In and Out have in common.
class BehaviourPort {
 public:
  BehaviourPort(Behaviour& owner, std::string_view name, std::string_view type, bool is_input);
  BehaviourPort(const BehaviourPort&) = delete;

  // What it is called, and which type its signals have.
  const std::string& name() const noexcept { return name_; }
  std::string_view type() const noexcept { return type_; }
  bool is_input() const noexcept { return is_input_; }
  // What came over its wires so far.
  const Traffic& traffic() const noexcept { return traffic_; }

 protected:
  ~BehaviourPort() = default;
  void emit(Content content);

  Behaviour& owner_;
  Content register_;    // of an input
  bool fresh_ = false;  // it came since the last reaction

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

  // Whether something has ever come, and whether it did so since the last reaction.
  explicit operator bool() const noexcept { return !register_.type().empty(); }
  bool is_fresh() const noexcept { return fresh_; }
  // What it holds; there must be something.
  const T& operator*() const { return register_.as<T>(); }
  const T* operator->() const { return &register_.as<T>(); }
};

// An output.
template <class T>
class Out : public detail::BehaviourPort {
 public:
  Out(Behaviour& owner, std::string_view name)
      : BehaviourPort(owner, name, content_type_of<T>(), false) {}

  // Sends a signal over all its wires when the reaction ends, unless it is inhibited now.
  void send(T value) { emit(Content::of(std::move(value))); }
};

// A behaviour. It reacts when signals have come or its alarm rings; of several signals for one
// input that came meanwhile it sees the last. One that is too slow for its signals loses the
// oldest: no behaviour ever waits for another.
class Behaviour : public virtual Role {
 public:
  Behaviour() = default;

  // Its inputs and outputs.
  const std::vector<detail::BehaviourPort*>& ports() const noexcept { return ports_; }
  // Connects them, in that order; before it begins.
  void connect(std::vector<PortWiring> wiring) { wiring_ = std::move(wiring); }

  // Reacts until its node stops, or rest_for_good().
  Task<> run() override { return work_as_behaviour(); }

 protected:
  // What run() does, for an agent that has other roles beside this one.
  Task<> work_as_behaviour();
  // Called once at the beginning, then whenever something has come or the alarm rang.
  virtual void react() { slow_ = true; }
  // The same for one that must wait for something; then leave react() alone.
  virtual Task<> consider() { co_return; }
  // Sets the alarm; an earlier setting is forgotten.
  void alarm(Duration after) { alarm_ = Deadline(after).at(now()); }
  // Whether it is the alarm that has it react now.
  bool alarm_rang() const noexcept { return rang_; }
  // It ends after this reaction.
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

// A behaviour with states. In each reaction its state says what happens and which state follows.
template <class State>
class FiniteBehaviour : public Behaviour {
 public:
  explicit FiniteBehaviour(State initial) : state_(initial), initial_(initial) {}

  // The state that it is in.
  State state() const noexcept { return state_; }

 protected:
  // What it does in that state when something has come; gives the next state.
  virtual State step(State state) = 0;
  // Its reset line: back to the first state, whatever it was doing.
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
