// A driver runs a node's workers without threads of their own: it makes each of them do one step
// after another, on one thread, in an order and at a time of its own choice. So a simulator runs
// the same agents and the same runtime, and can repeat a run.
// Realizations: the simulator's World, <coracle/realizations/sim.hpp>.
// Tests: tests/simulation, where the whole conformance suite runs under a driver.
#pragma once

#include "coracle/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coracle {

// The kinds of choice. Zero is always the plainest option, such as the task that has waited
// longest.
enum class Choice : std::uint8_t {
  part,         // the part, of any node, that does the next step
  task,         // the task that goes on, among those that could
  slice,        // the amount that a task does before others run: the least; some; much
  more,         // a worker hands over what it sent (0) or first goes on
  alarms,       // alarms that are due ring now (1) or later
  ring,         // the worker from which messages are taken next
  computation,  // the computation that is done next
  duration,     // the time that a computation takes
  delay,        // the time that a frame is under way
};

// The name of a kind of choice, for people.
const char* to_string(Choice what) noexcept;

// A node as its driver sees it: a number of parts, each of which does one step when the driver
// calls step(). All functions are called on the driver's thread.
class Driven {
 public:
  // The number of parts: first the workers, then the computations.
  virtual unsigned parts() const noexcept = 0;
  // Returns whether `part` has something to do at this time.
  virtual bool ready(unsigned part) = 0;
  // The time at which `part` will have something to do if nothing else happens; Time::max() if
  // never.
  virtual Time alarm(unsigned part) = 0;
  // Adds the parts that have something to do at this time, sorted by number.
  virtual void add_ready(std::vector<unsigned>& numbers) = 0;
  // The earliest alarm of all parts.
  virtual Time next_alarm() {
    Time next = Time::max();
    for (unsigned part = 0; part < parts(); ++part) next = std::min(next, alarm(part));
    return next;
  }
  // Returns whether nothing more will happen except that the node renews its lease.
  virtual bool only_renews() = 0;
  // Makes `part` do one step, which takes no time.
  virtual void step(unsigned part) = 0;
  // A text with one line for each agent that waits, and what it waits for.
  virtual std::string waits() = 0;

 protected:
  ~Driven() = default;
};

// Given to a node by Realization::driver, with the clock that belongs to it. One thread uses the
// driver and its nodes. A blocking call from outside (Node's constructor, create, wait, stop …)
// runs the driver until the call is done.
class Driver {
 public:
  virtual ~Driver() = default;

  // The number of workers for a node; zero leaves it to the node's options.
  virtual unsigned workers() const noexcept = 0;
  // Takes charge of `node` until release(). Fails with Errc::bad_realization when the driver
  // already has as many nodes as it can drive.
  virtual void drive(Driven& node) = 0;
  // Stops driving `node`.
  virtual void release(Driven& node) noexcept = 0;
  // Chooses one of `count` options (at least 2); returns its number, which is below `count`.
  virtual std::size_t choose(Choice what, std::size_t count) noexcept = 0;
  // Announces the tasks of a worker among which the next one is chosen, in this order; also when
  // there is only one. The pointer of a task identifies it until it has run.
  virtual void offers(std::span<void* const> tasks) noexcept { (void)tasks; }
  // The present step involves the agent or the mailbox of that name; its order with another step
  // that involves the same name matters.
  virtual void touches(std::string_view name) noexcept { (void)name; }
  // The step of an agent's task is over. It involved that agent, and nothing else that touches()
  // and touches_all() did not name. A step that ends without this call involves everything.
  virtual void rests(std::string_view agent) noexcept { (void)agent; }
  // The present step may involve everything.
  virtual void touches_all() noexcept {}
  // Logs that `who` did or met `what`; a node on threads logs the same.
  virtual void note(std::string_view who, std::string_view what) noexcept = 0;
  // Makes steps until `done`, which is called between any two of them, returns true. Returns false
  // when the time is `until` before that. When nothing more can happen and there is no `until`,
  // fails with Errc::deadlock and names the agents that wait and what they wait for; `wanted`
  // describes the meaning of `done`.
  virtual bool run_until(const std::function<bool()>& done, Time until,
                         std::string_view wanted) = 0;
  // The instructions for repeating this run, for the reader of a failure.
  virtual std::string how_to_repeat() const = 0;
};

}  // namespace coracle
