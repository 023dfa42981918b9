// A society under test: one or several nodes whose messages are watched, and the faults between
// them. It is a fixture: derive a test from it, or use one as a variable.
#pragma once

#include "coracle/node.hpp"
#include "coracle/realizations/sim.hpp"
#include "coracle/testing/actor.hpp"
#include "coracle/testing/expectation.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle::testing {

namespace detail {
class Watch;
}

// One thread uses the society; the thread is none of the society's workers. In a simulated world
// the agents run whenever that thread waits: for an expectation, in pass() or act(), or while it
// creates an agent.
class Society {
 public:
  // Makes a society in a simulated world of its own, whose seed is CORACLE_SEED, or 1.
  Society();
  // Makes a society in an existing world, as those of World::explore() and for_each_seed().
  explicit Society(sim::World& world, NodeOptions options = {});
  // Makes a society on any realization. If the realization has no driver, agents run on threads,
  // and time is real.
  explicit Society(Realization realization, NodeOptions options = {});
  ~Society();
  Society(const Society&) = delete;

  // Makes an agent, as Node::create() does.
  template <class T, class... Args>
  Address create(AgentSpec spec, Args... args) {
    return node().create<T>(std::move(spec), std::move(args)...);
  }
  // Makes an agent that runs `body`. An exception that leaves the body fails the test, unless it is
  // a Crash, or the Error of a node that stops.
  Address play(AgentSpec spec, Body body);
  // Runs `body` as the agent "test" and returns when it has ended. Throws the exception that left
  // the body, or a Failure when the body takes longer than `limit`.
  void act(Body body, Duration limit = std::chrono::seconds(20));

  // --- several nodes: in a world with Options::nodes above one ---

  // The program of a host: it makes the agents of its node.
  using Program = std::function<void(Node& node)>;
  // Makes the next host of the world run `program`, now, and again whenever the host has its power
  // back; then again every 5 s while a name is still held by its former incarnation
  // (AgentSpec::take_over()). Returns the host's number; host 0 is the test's own. Fails with
  // Errc::bad_options when there is no other host.
  unsigned host(Program program);
  // The node of a host; fails with Errc::bad_options when it has none, or no power.
  Node& node(unsigned host);
  // The same as play(spec, body), on another node; for programs.
  Address play(Node& node, AgentSpec spec, Body body);

  // A fault from now on, for `span`, while time passes: nothing gets from the one host to the
  // other; what was sent goes on when the cut has ended.
  void cut(unsigned host, unsigned other, Duration span);
  // A fault: the host does nothing.
  void pause(unsigned host, Duration span);
  // A fault: the host has no power. Then it begins its program anew, with nothing in its memory.
  void crash(unsigned host, Duration span);
  // Plans all these faults, each at its own time from now; see for_each_seed(). Fails with
  // Errc::bad_options when a fault names a host that the world does not have, or lets host 0 crash.
  void suffer(const sim::Faults& faults);
  // Ends all faults: cuts are mended, and nothing more is planned. A host without power stays so.
  void recover();

  // Expects a message, or none; see MessageExpectation.
  MessageExpectation expect(AMessage what, const char* file = __builtin_FILE(),
                            int line = __builtin_LINE());
  MessageExpectation expect(NoMessage what, const char* file = __builtin_FILE(),
                            int line = __builtin_LINE());
  // Expects that everything that was sent is read and acknowledged, or has ended otherwise.
  Expectation expect(Quiet what, const char* file = __builtin_FILE(), int line = __builtin_LINE());
  // Expects that `met` becomes true; `what` describes that for people. `met` is called between any
  // two steps, on threads every millisecond, and must be safe to call there.
  Expectation expect(std::string what, std::function<bool()> met,
                     const char* file = __builtin_FILE(), int line = __builtin_LINE());

  // Lets `span` pass; throws when an Actor fails meanwhile.
  void pass(Duration span);
  // The society's time.
  Time now() const;
  // The messages seen so far, oldest first: the last ten thousand.
  std::vector<Seen> messages() const;
  // The messages sent before this call meet no expectation.
  void forget();
  // The node of the test itself.
  Node& node() noexcept { return *node_; }
  // The way to repeat this run, as a sentence.
  std::string how_to_repeat() const;

 private:
  friend class MessageExpectation;
  friend class Expectation;

  // A host besides the test's own.
  struct Host {
    Program program;
    std::unique_ptr<Node> node;
  };

  void open(Realization realization, NodeOptions options);
  sim::World& world_with_hosts() const;
  void begin(unsigned host);
  std::optional<sim::Trouble::Change> next_change();
  void apply(const sim::Trouble::Change& change);
  void run_driven(const std::function<bool()>& over, Time end, const std::string& what);
  Ledger ledger();
  bool wait_until(const std::function<bool()>& met, Duration span, const std::string& what);

  std::unique_ptr<sim::World> own_world_;
  Proceedings proceedings_;
  std::shared_ptr<detail::Watch> watch_;
  std::shared_ptr<Driver> driver_;
  std::shared_ptr<Clock> clock_;
  sim::World* world_ = nullptr;  // the simulated world; null with a realization of the test
  NodeOptions options_;
  std::unique_ptr<Node> node_;
  std::vector<Host> hosts_;  // numbered from 1
  std::vector<std::unique_ptr<sim::Trouble>> troubles_;
  // The hosts that try again.
  const std::shared_ptr<std::vector<unsigned>> again_ = std::make_shared<std::vector<unsigned>>();
};

}  // namespace coracle::testing
