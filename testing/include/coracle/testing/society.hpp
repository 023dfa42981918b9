// A society under test: a node whose messages are watched. It is a fixture: derive a test from it,
// or have one as a variable.
#pragma once

#include "coracle/node.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/testing/actor.hpp"
#include "coracle/testing/expectation.hpp"

#include <functional>
#include <memory>
#include <string>

namespace coracle::testing {

namespace detail {
class Watch;
}

// Used by one thread, which is none of its workers. In a simulated world its agents run whenever
// that thread waits: for an expectation, in pass() or act(), or while it creates an agent.
class Society {
 public:
  // In a simulated world of its own, whose seed is CORACLE_SEED, or 1.
  Society();
  // In a world that is there already, as those of World::explore() and for_each_seed().
  explicit Society(sim::World& world, NodeOptions options = {});
  // On any realization. If it has no driver, agents run on threads, and time is real.
  explicit Society(Realization realization, NodeOptions options = {});
  ~Society();
  Society(const Society&) = delete;

  // Makes an agent, as Node::create() does.
  template <class T, class... Args>
  Address create(AgentSpec spec, Args... args) {
    return node().create<T>(std::move(spec), std::move(args)...);
  }
  // Makes an agent that does what `body` says. What leaves it fails the test, unless it is a Crash,
  // or says that the node stops.
  Address play(AgentSpec spec, Body body);
  // Runs `body` as the agent "test" and returns when it has ended; throws what left it, or a
  // Failure when that takes longer than `limit`.
  void act(Body body, Duration limit = std::chrono::seconds(20));

  // Expects a message, or none; see MessageExpectation.
  MessageExpectation expect(AMessage what, const char* file = __builtin_FILE(),
                            int line = __builtin_LINE());
  MessageExpectation expect(NoMessage what, const char* file = __builtin_FILE(),
                            int line = __builtin_LINE());
  // Expects that everything that was sent is read and acknowledged, or has ended otherwise.
  Expectation expect(Quiet what, const char* file = __builtin_FILE(), int line = __builtin_LINE());
  // Expects that `met` becomes true; `what` says so to people. It is asked between any two things
  // that happen; on threads every millisecond, and must be safe to call there.
  Expectation expect(std::string what, std::function<bool()> met,
                     const char* file = __builtin_FILE(), int line = __builtin_LINE());

  // Lets that much time pass; throws when an Actor fails meanwhile.
  void pass(Duration span);
  // The society's time.
  Time now() const;
  // The messages seen so far, oldest first: the last ten thousand.
  std::vector<Seen> messages() const;
  // Messages that were sent before this meet no expectation.
  void forget();
  // The node.
  Node& node() noexcept { return *node_; }
  // How this run can be had again, as a sentence.
  std::string how_to_repeat() const;

 private:
  friend class MessageExpectation;
  friend class Expectation;

  void open(Realization realization, NodeOptions options);
  bool wait_until(const std::function<bool()>& met, Duration span, const std::string& what);

  std::unique_ptr<sim::World> own_world_;
  Proceedings proceedings_;
  std::shared_ptr<detail::Watch> watch_;
  std::shared_ptr<Driver> driver_;
  std::shared_ptr<Clock> clock_;
  std::unique_ptr<Node> node_;
};

}  // namespace coracle::testing
