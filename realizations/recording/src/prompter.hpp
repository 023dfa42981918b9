// Drives the node of a replay into agents: time passes, and computations end, only as in the
// recording. Worker 0 belongs to the stand-ins, worker 1 to the agent.
#pragma once

#include "coracle/realizations/sim.hpp"

namespace coracle::recording {

class Prompter final : public Driver {
 public:
  explicit Prompter(Time begin) { clock_.present = begin; }

  Clock& clock() noexcept { return clock_; }

  // Runs everything that needs no time, except computations.
  void settle();
  // Lets time pass, up to `when` or until just before an alarm of the agent.
  void pass_to(Time when);
  // Makes the agent's next alarm ring; returns false if the agent waits for none.
  bool ring();
  // Ends the agent's next computation; returns false if there is none.
  bool compute();

  unsigned workers() const noexcept override { return 2; }
  void drive(Driven& node) override { node_ = &node; }
  void release(Driven&) noexcept override { node_ = nullptr; }
  std::size_t choose(Choice what, std::size_t count) noexcept override;
  void note(std::string_view, std::string_view) noexcept override {}
  bool run_until(const std::function<bool()>& done, Time until, std::string_view wanted) override;
  std::string how_to_repeat() const override { return "replay the recording again"; }

 private:
  static constexpr unsigned others = 0, agent = 1, computations = 2;
  struct PromptedClock final : Clock {
    Time now() const override { return present; }
    Time present;
  };

  bool step();
  void set_clock(Time when);

  PromptedClock clock_;
  Driven* node_ = nullptr;
};

}  // namespace coracle::recording
