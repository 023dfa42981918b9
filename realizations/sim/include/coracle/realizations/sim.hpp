// The simulator: a society on one thread, in its own virtual time, in which a seed decides every
// choice. The same seed gives the same run, to the byte of its trace; another seed gives another
// order of the same events.
#pragma once

#include "coracle/disk.hpp"
#include "coracle/realization.hpp"
#include "coracle/realizations/sim_faults.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::sim {

// The properties of the disk of a host.
struct DiskOptions {
  std::uint64_t capacity = 64u << 20;  // bytes of all files together
  std::size_t sector = 512;            // written whole or not at all
  // The time that a call takes; the host's node does nothing more meanwhile.
  Duration call = std::chrono::microseconds(20);
  Duration sync_least = std::chrono::milliseconds(1);
  Duration sync_most = std::chrono::milliseconds(8);
  // The percentage of the calls that go wrong.
  unsigned full = 0;  // an append is cut short for lack of room
  unsigned failed_syncs = 0;
  unsigned failed_reads = 0;
};

// The effect of a power loss of the host on what was not synced.
enum class CrashDisk : std::uint8_t {
  keep,  // nothing is lost
  lose,  // everything is lost
  tear,  // a part is there: sectors, their beginnings, stale bytes instead of them
};

// Settings of a World.
struct Options {
  // The seed of all choices and all randomness.
  std::uint64_t seed = 1;
  // The number of workers of a node; zero leaves it to the node's options.
  unsigned workers = 0;
  // The largest number of nodes at a time.
  unsigned nodes = 1;
  // The time that a frame takes from one node to another. The bandwidth (in bytes a second; zero:
  // without limit) adds the time that the frame's size takes.
  Duration delay_least = std::chrono::microseconds(50);
  Duration delay_most = std::chrono::microseconds(400);
  std::uint64_t bandwidth = 0;
  // The disk of each host.
  DiskOptions disk = {};
  // The time that passes after each step of a worker.
  Duration turn = std::chrono::microseconds(1);
  // Lets any time pass between two steps, so that a deadline may pass before anything that is still
  // under way: every participant may be as slow as possible.
  bool slow = false;
  // Makes the world keep trace() and choices(); the trace's hash is always kept.
  bool record = false;
  // Puts messages and the directory's changes into the trace. Without them, messages take the
  // shorter path that they take on threads, past the transport.
  bool trace_messages = true;
  // The largest number of steps, so that a society that never ends is noticed.
  std::uint64_t things_limit = 100'000'000;
  // Limits of the directory.
  DirectoryLimits directory = {};
  // Makes the last changes to the parts of a node, unless it is nullptr.
  std::function<Realization(Realization parts)> adapt = {};
  // Called after each step, unless it is nullptr: when it returns true, the call that runs the
  // world fails with Errc::cancelled. The stop of a node makes more such calls, so `halt` should
  // return true only once.
  std::function<bool()> halt = {};
};

// Makes the choices of a World.
class Chooser {
 public:
  virtual ~Chooser() = default;

  // Returns one of `count` options, as a number below `count`, which is at least 2. Zero always
  // stands for the plainest option.
  virtual std::size_t choose(Choice what, std::size_t count) noexcept = 0;
};

// Makes choices by a seed. The seed also decides how often the plain options are chosen.
std::unique_ptr<Chooser> seeded(std::uint64_t seed);
// Makes the choices that World::choices() wrote down, and plain choices after the end of the list.
std::unique_ptr<Chooser> scripted(std::vector<unsigned> choices);

// The result of an exploration.
struct Exploration {
  // The number of orders that were run; `complete` is true when there are no others.
  std::uint64_t runs = 0;
  bool complete = false;
  // The number of these runs that turned out on the way to show nothing new.
  std::uint64_t redundant = 0;
  // The text and the choices of the first run that failed; empty when none did.
  std::string failure;
  std::vector<unsigned> choices;
  // The settings of that run, for another World with these choices.
  Options options;
};

// The limits of an exploration.
struct Bounds {
  // The largest number of orders that are run.
  std::uint64_t runs = 1'000'000;
  // The largest number of choices in one run that are not plain.
  unsigned deviations = ~0U;
  // Permits the exploration to run only one of several orders that differ only in the order of
  // independent steps, such as two sends to different agents. This requires that agents share
  // nothing but messages, or report it by World::touches(), that the node has one worker, and that
  // steps take no time: Options::turn is set to zero. It cannot be
  // combined with a limit of `deviations` (Errc::bad_options).
  bool reduce = false;
};

namespace detail {
class Core;
class Program;
}  // namespace detail

// Returns whether two runs have failed alike: with the same words, whatever the numbers in them.
bool same_failure(std::string_view first, std::string_view other);

// A world with virtual time. One thread uses the world and everything in it. A node on
// realization() runs whenever a call from outside waits for the node (its constructor, create(),
// wait(), stop()), or in run_for() and run_until().
class World {
 public:
  // The purpose of a World: a play makes a node on `world.realization()`, lets the world run, and
  // throws when something is not as it should be.
  using Play = std::function<void(World& world)>;

  // Fails with Errc::bad_options and the name of the option.
  explicit World(Options options = {});
  // Makes a world with the choices of `chooser`.
  World(Options options, std::unique_ptr<Chooser> chooser);

  // Returns the parts for one more node: on the first host without a node, counted from zero. With
  // Options::nodes of one, everything is in memory, as in local:. Fails with Errc::bad_realization
  // when all hosts have their node.
  Realization realization();
  // Returns the parts for a node on that host, which had no node, or has lost its power.
  Realization realization(unsigned host);
  // The same with parts that work within one process and use clock() as their clock.
  Realization simulate(Realization parts);
  // The same for a node on that host, whose parts have their own means to exchange data with other
  // hosts.
  Realization simulate(Realization parts, unsigned host);
  // The number of hosts.
  unsigned hosts() const noexcept;
  // The world's clock. It begins at one second, and advances only while the world runs.
  std::shared_ptr<Clock> clock();
  Time now() const noexcept;
  // The world's randomness, for everything that must be the same with the same seed.
  Random& random() noexcept;

  // Runs the world for `span`.
  void run_for(Duration span);
  // Runs the world until `done`; returns false when `deadline` passes before. When nothing can
  // happen any more and there is no deadline, fails with Errc::deadlock, whose text names each
  // waiting agent and what it waits for.
  bool run_until(const std::function<bool()>& done, Deadline deadline = Deadline::never());
  // Plans `act` for the time `when`, between two steps; what is due already is done next.
  void at(Time when, std::function<void()> act);
  // Describes what each agent waits for now, in one line for each agent.
  std::string waits() const;
  // An agent calls this when it reads or writes something, other than a message, that another agent
  // may see: the present step of the agent depends on the steps of others that name the same thing.
  void touches(std::string_view what) noexcept;
  // Makes the clock jump: alarms in between ring late. Fails with Errc::bad_options when the jump
  // is backwards.
  void jump(Duration forward);

  // --- faults between nodes and of nodes ---

  // Blocks everything that goes directly from the one host to the other, in that direction, until
  // mend().
  void cut(unsigned from, unsigned to);
  void mend(unsigned from, unsigned to);
  // The same for all directions between these hosts and the other hosts.
  void part(const std::vector<unsigned>& hosts);
  // Mends everything that was cut.
  void mend_all();
  // Breaks all connections between the two hosts. Frames that are carried without connections, as
  // between nodes on realization(), are not affected.
  void reset(unsigned host, unsigned other);
  // The host's node does nothing for `span`.
  void pause(unsigned host, Duration span);
  // Nothing that the host's node does from now on has an effect, as if the node were dead. Destroy
  // the Node, now or later; another one may be made on realization(host). The seed decides whether
  // the host's disk keeps or tears what it had not synced.
  void crash(unsigned host);
  // The same; `how` gives the effect on the disk.
  void crash(unsigned host, CrashDisk how);

  // The disk of a host, until the host crashes. After that there is another disk with the remaining
  // content, and what was opened before fails with Errc::stopped. Fails with Errc::bad_options when
  // there is no such host.
  Disk& disk(unsigned host = 0);
  // Makes the next sync of the disk fail, whether of a file or of a folder; after that nothing can
  // be written until a crash.
  void fail_next_sync(unsigned host);
  // Sets the disk's capacity in bytes; what is on the disk stays.
  void set_capacity(unsigned host, std::uint64_t bytes);
  // Turns one bit of a file, in its present content and in the content after a crash. Returns false
  // when the file has no such bit.
  bool flip_bit(unsigned host, std::string_view path, std::uint64_t bit);

  // One line for each event: time in nanoseconds, worker, agent, event. Empty unless
  // Options::record is set.
  const std::string& trace() const noexcept;
  // The hash of the trace, whether or not the trace is kept.
  std::uint64_t trace_hash() const noexcept;
  // The choices made so far, for scripted(). Empty unless Options::record is set.
  const std::vector<unsigned>& choices() const noexcept;
  // The number of steps so far.
  std::uint64_t things() const noexcept;

  // Runs `play` in every order in which its tasks and workers may take turns, one operation at a
  // time, or in as many orders as the bounds allow; ends with the first order in which it throws.
  // This is for small worlds: the number of orders grows faster than anything else, and a task that
  // polls has endlessly many.
  static Exploration explore(const Play& play, Options options = {}, Bounds bounds = {});
  // Turns a list of choices with which `play` throws into one that is as plain and as short as
  // possible, and returns it. With the returned list, `play` throws the same: `is_same` compares
  // the texts of the two exceptions. A list with which `play` does not throw is returned unchanged.
  using SameFailure = std::function<bool(std::string_view first, std::string_view other)>;
  static std::vector<unsigned> shrink(const Play& play, std::vector<unsigned> choices,
                                      Options options = {},
                                      const SameFailure& is_same = same_failure);
  // The same for faults: leaves out as many of the faults as possible.
  using SufferingPlay = std::function<void(World& world, const Faults& faults)>;
  static Faults shrink(const SufferingPlay& play, const Faults& faults, Options options = {},
                       const SameFailure& is_same = same_failure);

 private:
  friend class detail::Program;

  std::shared_ptr<detail::Core> core_;
};

// Makes a realization in a World of its own, for one node; the node's driver keeps the world alive.
Realization realization(Options options = {});

// Reads a text such as "seed=42,workers=2,nodes=3,delay=1ms..20ms". Fails with
// Errc::bad_realization and the name of the key. The keys are: seed, workers, nodes, delay,
// bandwidth, turn, slow, disk, sync, full, failed_syncs, failed_reads, names, watches.
Options options_from(std::string_view text);

// Returns the seed in the environment variable CORACLE_SEED, or `otherwise`. Fails with
// Errc::bad_options when the variable is no number.
std::uint64_t seed_from_environment(std::uint64_t otherwise);

}  // namespace coracle::sim
