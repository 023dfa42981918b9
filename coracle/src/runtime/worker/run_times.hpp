// The time that each agent of one worker runs. The worker looks at a clock of a few milliseconds
// after each coroutine, and charges the agent that has run while it advanced. An agent that runs
// for a hundredth of such a tick is charged with a whole one in every hundredth case.
// Tested in coracle/tests/runtime/run_times_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/inspection.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <unordered_map>

namespace coracle::detail {

class Mailbox;

// Pure: the times come from the caller. Nothing is measured before somebody looks, and no longer
// than a minute after nobody does.
class RunTimes {
 public:
  // The agents that are kept apart, those that have ended among them. With one more, the
  // measurement begins anew.
  static constexpr std::size_t most = 16'384;
  static constexpr Duration patience = std::chrono::minutes(1);

  bool is_on() const noexcept { return is_on_; }
  // Somebody looks.
  void look(Duration tick) {
    looked_ = tick;
    if (is_on_) return;
    is_on_ = true;
    last_ = tick;
    begin_anew();
  }
  // Coroutines run from now on.
  void begin(Duration tick) noexcept { last_ = tick; }
  // A coroutine of `agent` has run; nullptr: of the library. `used()` returns the processor time of
  // this thread, and is asked only when the tick has advanced: what the system has run meanwhile
  // does not count.
  template <class Used>
  void ran(const Mailbox* agent, Duration tick, Used&& used) {
    if (tick == last_) return;
    const Duration passed = tick - last_;
    last_ = tick;
    const Duration before = used_;
    used_ = used();
    add(agent, std::min(passed, used_ - before));
    if (tick - looked_ > patience) is_on_ = false;
  }
  // The agent has used that much processor time elsewhere.
  void add(const Mailbox* agent, Duration time) {
    if (!is_on_ || agent == nullptr || time <= Duration::zero()) return;
    // Time before the measurement does not count in it.
    if (ran_.size() >= most && !ran_.contains(agent)) return begin_anew();
    ran_[agent] += time;
  }
  RunTime of(const Mailbox* agent, Duration tick) const {
    const auto found = ran_.find(agent);
    return {found == ran_.end() ? Duration::zero() : found->second, tick - began_};
  }

 private:
  void begin_anew() {
    began_ = last_;
    ran_.clear();
  }

  bool is_on_ = false;
  Duration began_{}, looked_{}, last_{};
  Duration used_{};  // processor time, when the tick advanced last
  std::unordered_map<const Mailbox*, Duration> ran_;
};

}  // namespace coracle::detail
