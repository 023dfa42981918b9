#include "prompter.hpp"

#include "coracle/errors.hpp"

#include <algorithm>

namespace coracle::recording {

namespace {

constexpr int most_steps = 100'000;  // of an agent that never rests

}  // namespace

// A whole turn at once, and everything that is due; otherwise the plainest choice.
std::size_t Prompter::choose(Choice what, std::size_t count) noexcept {
  const bool most = what == Choice::slice || what == Choice::more || what == Choice::alarms;
  return most ? count - 1 : 0;
}

// The stand-ins go first, so that their messages arrive together.
bool Prompter::step() {
  for (const unsigned part : {others, agent}) {
    if (!node_->ready(part)) continue;
    node_->step(part);
    return true;
  }
  return false;
}

void Prompter::settle() {
  for (int steps = 0; steps < most_steps && step();) ++steps;
}

// The alarms of the other parts ring on the way: leases are renewed.
void Prompter::set_clock(Time when) {
  for (Time next = node_->alarm(others); next < when; next = node_->alarm(others)) {
    clock_.present = std::max(clock_.present, next);
    settle();
    if (node_->alarm(others) <= next) break;
  }
  clock_.present = std::max(clock_.present, when);
}

void Prompter::pass_to(Time when) {
  const Time next = node_->alarm(agent);
  if (next <= when) when = next - Duration(1);
  if (when > clock_.present) set_clock(when);
}

bool Prompter::ring() {
  const Time next = node_->alarm(agent);
  if (next == Time::max()) return false;
  set_clock(next);
  settle();
  return true;
}

bool Prompter::compute() {
  if (node_->alarm(computations) == Time::max()) return false;
  node_->step(computations);
  settle();
  return true;
}

bool Prompter::run_until(const std::function<bool()>& done, Time until, std::string_view wanted) {
  for (;;) {
    if (done()) return true;
    if (step()) continue;
    if (compute()) continue;
    const Time next = std::min(node_->alarm(others), node_->alarm(agent));
    if (next <= until && next != Time::max()) {
      clock_.present = std::max(clock_.present, next);
    } else if (until == Time::max()) {
      throw Error(Errc::deadlock, "the replay is stuck: " + std::string(wanted) + " does not come" +
                                      node_->waits());
    } else {
      clock_.present = std::max(clock_.present, until);
      return done();
    }
  }
}

}  // namespace coracle::recording
