// Who runs a node's workers when no threads shall: a driver has each of them do one thing after
// another, on one thread, in an order and at a time of its own choice. So a simulator runs the same
// agents and the same runtime, and can run them again.
// Realizations: the simulator's World, <coracle/realizations/sim.hpp>.
// Contract: tests/simulation, where the whole contract runs under one.
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

// What is chosen. Zero is always the plainest answer, such as the one that has waited longest.
enum class Choice : std::uint8_t {
  part,         // which part of which node does something next
  task,         // which of the tasks that could go on does so
  slice,        // how much a task may do before others get their turn: the least; some; much
  more,         // whether a worker shows others what it sent (0) or first goes on
  alarms,       // whether alarms that are due ring now (1) or later
  ring,         // from which worker messages are taken next
  computation,  // which computation is done next
  duration,     // how long a computation takes
  delay,        // how long a frame is under way
};

// The name of a kind of choice, for people.
const char* to_string(Choice what) noexcept;

// A node as its driver sees it: parts that do one thing when they are told to. Everything is called
// on the driver's thread.
class Driven {
 public:
  // How many parts there are: the workers, and behind them the computations.
  virtual unsigned parts() const noexcept = 0;
  // Whether `part` has something to do at this time.
  virtual bool ready(unsigned part) = 0;
  // When `part` will have something to do if nothing else happens; Time::max() if never.
  virtual Time alarm(unsigned part) = 0;
  // Adds the parts that have something to do at this time, in the order of their numbers.
  virtual void add_ready(std::vector<unsigned>& numbers) = 0;
  // The earliest alarm of all parts.
  virtual Time next_alarm() {
    Time next = Time::max();
    for (unsigned part = 0; part < parts(); ++part) next = std::min(next, alarm(part));
    return next;
  }
  // Whether nothing will happen any more but that the node renews its lease.
  virtual bool only_renews() = 0;
  // Has `part` do something, which takes no time.
  virtual void step(unsigned part) = 0;
  // Who waits for what, one line each.
  virtual std::string waits() = 0;

 protected:
  ~Driven() = default;
};

// Given to a node by Realization::driver, with the clock that goes with it. One thread uses it and
// its nodes; a blocking call from outside (Node's constructor, create, wait, stop …) runs it until
// what was asked for has happened.
class Driver {
 public:
  virtual ~Driver() = default;

  // How many workers a node shall have; zero leaves it to its options.
  virtual unsigned workers() const noexcept = 0;
  // Takes charge of `node` until release(). Fails with Errc::bad_realization when it drives as many
  // nodes as it can.
  virtual void drive(Driven& node) = 0;
  // Has nothing to do with `node` any more.
  virtual void release(Driven& node) noexcept = 0;
  // Chooses one of `count`, which is at least 2: a number below it.
  virtual std::size_t choose(Choice what, std::size_t count) noexcept = 0;
  // Among these tasks of a worker the next one is chosen, in this order; also told when there is
  // only one. A task is known by its number until it has had its turn.
  virtual void offers(std::span<void* const> tasks) noexcept { (void)tasks; }
  // What is being done has to do with the agent or the mailbox of that name, and would not be the
  // same before and after something else that has.
  virtual void touches(std::string_view name) noexcept { (void)name; }
  // The turn of an agent's task is over; it had to do with that agent, and with nothing that
  // touches() and touches_all() did not name. A thing that ends without this touches everything.
  virtual void rests(std::string_view agent) noexcept { (void)agent; }
  // What is being done may have to do with everything.
  virtual void touches_all() noexcept {}
  // Writes down that `who` did or met `what`; so does what a node on threads logs.
  virtual void note(std::string_view who, std::string_view what) noexcept = 0;
  // Has things happen until `done`, which is asked between any two of them; false when it is
  // `until` before that. When nothing can happen any more and there is no `until`, fails with
  // Errc::deadlock and says who waits for what; `wanted` says what `done` would mean.
  virtual bool run_until(const std::function<bool()>& done, Time until,
                         std::string_view wanted) = 0;
  // How this run can be had again, for whoever reads of a failure.
  virtual std::string how_to_repeat() const = 0;
};

}  // namespace coracle
