// The simulator: a society on one thread, in a time of its own, whose every choice is made by a
// seed. The same seed gives the same run, to the byte of its trace; another seed gives another
// order of the same things.
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

// What the disk of a host is like.
struct DiskOptions {
  std::uint64_t capacity = 64u << 20;  // bytes of all files together
  std::size_t sector = 512;            // what is written whole or not at all
  // What the calls take: for that long the host's node does nothing more.
  Duration call = std::chrono::microseconds(20);
  Duration sync_least = std::chrono::milliseconds(1);
  Duration sync_most = std::chrono::milliseconds(8);
  // Percent of the calls that go wrong.
  unsigned full = 0;  // an append is cut short, for want of room
  unsigned failed_syncs = 0;
  unsigned failed_reads = 0;
};

// What happens, when its host loses its power, to what was not synced.
enum class CrashDisk : std::uint8_t {
  keep,  // nothing
  lose,  // all of it is gone
  tear,  // some is there and some is not: sectors, their beginnings, stale bytes instead of them
};

// Settings of a World.
struct Options {
  // Makes all choices, and all randomness.
  std::uint64_t seed = 1;
  // How many workers its node has; zero leaves it to the node's options.
  unsigned workers = 0;
  // How many nodes it may have at a time.
  unsigned nodes = 1;
  // How long a frame takes from one node to another, besides what the bandwidth (in bytes a second;
  // zero: without limit) makes of its size.
  Duration delay_least = std::chrono::microseconds(50);
  Duration delay_most = std::chrono::microseconds(400);
  std::uint64_t bandwidth = 0;
  // The disk of each host.
  DiskOptions disk = {};
  // How much time passes whenever a worker has done something.
  Duration turn = std::chrono::microseconds(1);
  // Whether any time may pass between two things, so that a deadline may pass before anything that
  // is still under way: everybody may be as slow as can be.
  bool slow = false;
  // Whether trace() and choices() are kept; the trace's hash always is.
  bool record = false;
  // Whether messages and the directory's changes are in the trace. Without them, messages take the
  // shorter way that they take on threads, past the transport.
  bool trace_messages = true;
  // How many things may happen, so that a society that never ends is noticed.
  std::uint64_t things_limit = 100'000'000;
  // Limits of the directory.
  DirectoryLimits directory = {};
  // Has the last word on what a node is made of, unless it is nullptr.
  std::function<Realization(Realization parts)> adapt = {};
  // Asked after each thing that has happened, unless it is nullptr: when it says yes, the call that
  // runs the world fails with Errc::cancelled. A node is stopped by more such calls, so it should
  // say so once.
  std::function<bool()> halt = {};
};

// Makes the choices of a World.
class Chooser {
 public:
  virtual ~Chooser() = default;

  // One of `count`, which is at least 2: a number below it. Zero is always the plainest answer.
  virtual std::size_t choose(Choice what, std::size_t count) noexcept = 0;
};

// By a seed. How much it likes the plain answers is chosen by the seed, too.
std::unique_ptr<Chooser> seeded(std::uint64_t seed);
// As written down by World::choices(); plain answers where the list has ended.
std::unique_ptr<Chooser> scripted(std::vector<unsigned> choices);

// What an exploration found.
struct Exploration {
  // How many orders of things were run, and whether these were all that there are.
  std::uint64_t runs = 0;
  bool complete = false;
  // How many of them were found, on the way, to show nothing that others had not shown.
  std::uint64_t redundant = 0;
  // What the first run that failed said, and its choices; empty when none did.
  std::string failure;
  std::vector<unsigned> choices;
  // The settings that it had, for another World with these choices.
  Options options;
};

// How far an exploration goes.
struct Bounds {
  // How many orders are run at most.
  std::uint64_t runs = 1'000'000;
  // How many choices of one run may be other than plain.
  unsigned deviations = ~0U;
  // Whether of several orders that differ only in when independent things happen, as two sends to
  // different agents, one is enough. Requires that agents share nothing but messages, or say so
  // by World::touches(), that the node has one worker, and that doing takes no time: Options::turn
  // is set to zero. Orders are only left out among all of them, so with no limit to deviations.
  bool reduce = false;
};

namespace detail {
class Core;
class Program;
}  // namespace detail

// Whether two runs have failed alike: in the same words, whatever the numbers in them.
bool same_failure(std::string_view first, std::string_view other);

// A world with virtual time. One thread uses it and everything in it. A node on realization() runs
// whenever a call from outside waits for it (its constructor, create(), wait(), stop()), or in
// run_for() and run_until().
class World {
 public:
  // What a World is made for: makes a node on `world.realization()`, has things happen, and throws
  // when they are not as they should be.
  using Play = std::function<void(World& world)>;

  // Fails with Errc::bad_options and the name of the option.
  explicit World(Options options = {});
  // With choices of somebody else's.
  World(Options options, std::unique_ptr<Chooser> chooser);

  // For one more node: the first without a host, counted from zero. With Options::nodes of one,
  // everything is in memory, as in local:. Fails with Errc::bad_realization when all hosts have
  // their node.
  Realization realization();
  // For a node on that host, which had none, or has lost its power.
  Realization realization(unsigned host);
  // The same of parts that work within one process and tell the time by clock().
  Realization simulate(Realization parts);
  // The same for a node on that host, whose parts speak with other hosts by means of their own.
  Realization simulate(Realization parts, unsigned host);
  // How many hosts there are.
  unsigned hosts() const noexcept;
  // Its time. Begins at one second, and only goes on while something happens.
  std::shared_ptr<Clock> clock();
  Time now() const noexcept;
  // Its randomness, for whatever shall be the same with the same seed.
  Random& random() noexcept;

  // Has everything happen that happens within that time.
  void run_for(Duration span);
  // Has things happen until `done`; false when it is `deadline` before. When nothing can happen any
  // more and there is no deadline, fails with Errc::deadlock and says who waits for what.
  bool run_until(const std::function<bool()>& done, Deadline deadline = Deadline::never());
  // Has `act` done at that time, between two things; what is due already is done next.
  void at(Time when, std::function<void()> act);
  // Who waits for what now, one line for each agent.
  std::string waits() const;
  // Said by an agent that reads or writes something which another may see, other than a message:
  // what the agent does now has to do with what others do who say the same.
  void touches(std::string_view what) noexcept;
  // Lets the clock jump: alarms in between ring late. Fails with Errc::bad_options when it is
  // backwards.
  void jump(Duration forward);

  // --- what can go wrong between nodes, and with them ---

  // Nothing goes directly from one host to the other any more, in that direction, until mend().
  void cut(unsigned from, unsigned to);
  void mend(unsigned from, unsigned to);
  // The same for all ways between these hosts and the others, in both directions.
  void part(const std::vector<unsigned>& hosts);
  // All ways are whole again.
  void mend_all();
  // All connections between the two hosts break. What is carried without connections, as between
  // nodes on realization(), does not notice.
  void reset(unsigned host, unsigned other);
  // The host's node does nothing for that long.
  void pause(unsigned host, Duration span);
  // Nothing that the host's node does from now on has an effect: it is as good as dead. Destroy the
  // Node, now or later; another one may be made on realization(host). What the host's disk had not
  // synced it keeps or tears, as the seed says.
  void crash(unsigned host);
  // The same, and that happens to the disk.
  void crash(unsigned host, CrashDisk how);

  // The disk of a host, until the host crashes; then there is another one, with what is left, and
  // what was opened before fails with Errc::stopped. Fails with Errc::bad_options when there is no
  // such host.
  Disk& disk(unsigned host = 0);
  // Its next sync fails, of a file or of a folder; after that nothing can be written until a crash.
  void fail_next_sync(unsigned host);
  // Sets for how many bytes it has room; what is there stays.
  void set_capacity(unsigned host, std::uint64_t bytes);
  // Turns one bit of a file, as it is and as it would be after a crash. False when it has none.
  bool flip_bit(unsigned host, std::string_view path, std::uint64_t bit);

  // One line for each event: time in nanoseconds, worker, agent, what. Empty unless
  // Options::record is set.
  const std::string& trace() const noexcept;
  // Of the trace, whether or not it was kept.
  std::uint64_t trace_hash() const noexcept;
  // The choices made so far, for scripted(). Empty unless Options::record is set.
  const std::vector<unsigned>& choices() const noexcept;
  // How many things have happened.
  std::uint64_t things() const noexcept;

  // Runs `play` in every order in which its tasks and workers may take turns, one operation at a
  // time, or in as many as the bounds allow; ends with the first that throws. For small worlds: the
  // number of orders grows faster than anything else, and a task that polls has endlessly many.
  static Exploration explore(const Play& play, Options options = {}, Bounds bounds = {});
  // Makes a list of choices with which `play` throws as plain and as short as it can, and gives
  // what is left: it throws the same, as `is_same` says of what the two exceptions say. A list with
  // which it does not throw is given back.
  using SameFailure = std::function<bool(std::string_view first, std::string_view other)>;
  static std::vector<unsigned> shrink(const Play& play, std::vector<unsigned> choices,
                                      Options options = {},
                                      const SameFailure& is_same = same_failure);
  // The same of what goes wrong: leaves out as many of the faults as it can.
  using SufferingPlay = std::function<void(World& world, const Faults& faults)>;
  static Faults shrink(const SufferingPlay& play, const Faults& faults, Options options = {},
                       const SameFailure& is_same = same_failure);

 private:
  friend class detail::Program;

  std::shared_ptr<detail::Core> core_;
};

// A realization in a World of its own, for one node; the node's driver keeps it alive.
Realization realization(Options options = {});

// What a text such as "seed=42,workers=2,nodes=3,delay=1ms..20ms" says. Fails with
// Errc::bad_realization and the name of the key: seed, workers, nodes, delay, bandwidth, turn,
// slow, disk, sync, full, failed_syncs, failed_reads, names, watches.
Options options_from(std::string_view text);

// What the environment variable CORACLE_SEED says, or `otherwise`. Fails with Errc::bad_options
// when it is no number.
std::uint64_t seed_from_environment(std::uint64_t otherwise);

}  // namespace coracle::sim
