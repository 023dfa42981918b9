// A society under test: one or several nodes whose messages are watched, and what goes wrong
// between them. It is a fixture: derive a test from it, or have one as a variable.
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

  // --- several nodes: in a world with Options::nodes above one ---

  // What a host runs: it makes the agents of its node.
  using Program = std::function<void(Node& node)>;
  // Has the next host of the world run that, now, and again whenever it has its power back; then
  // again every 5 s while a name is still held by its former life (AgentSpec::take_over()).
  // Gives its number; host 0 is the test's own. Fails with Errc::bad_options when there is no other
  // host.
  unsigned host(Program program);
  // The node of a host; fails with Errc::bad_options when it has none, or no power.
  Node& node(unsigned host);
  // The same as play(spec, body), on another node; for programs.
  Address play(Node& node, AgentSpec spec, Body body);

  // What goes wrong from now on, for that long, while time passes. Nothing gets from one host to
  // the other; what was sent goes on when the way is whole.
  void cut(unsigned host, unsigned other, Duration span);
  // A host does nothing.
  void pause(unsigned host, Duration span);
  // A host has no power. Then it begins its program anew, with nothing in its memory.
  void crash(unsigned host, Duration span);
  // All of these, each at its own time from now; see for_each_seed(). Fails with Errc::bad_options
  // when one speaks of a host that the world has not got, or has host 0 crash.
  void suffer(const sim::Faults& faults);
  // Ends all of that: ways are whole, and nothing more is planned. What has no power stays so.
  void recover();

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
  // The node of the test itself.
  Node& node() noexcept { return *node_; }
  // How this run can be had again, as a sentence.
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
  sim::World* world_ = nullptr;  // when it is simulated, and not on a realization of the test's
  NodeOptions options_;
  std::unique_ptr<Node> node_;
  std::vector<Host> hosts_;  // from 1
  std::vector<std::unique_ptr<sim::Trouble>> troubles_;
  // Hosts that try again.
  const std::shared_ptr<std::vector<unsigned>> again_ = std::make_shared<std::vector<unsigned>>();
};

}  // namespace coracle::testing
