// The share of one process in a society: its workers, its agents, and the realization that connects
// it.
#pragma once

#include "coracle/agent.hpp"
#include "coracle/directory.hpp"
#include "coracle/matching.hpp"
#include "coracle/outcome.hpp"
#include "coracle/policy.hpp"
#include "coracle/realization.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coracle {

namespace detail {
class NodeCore;
}

class Metrics;  // <coracle/metrics.hpp>

// Settings of a node, with the society's defaults.
struct NodeOptions {
  // The number of threads that run agents. With 0, the node has none: its agents run on the thread
  // that calls Node::turn(), and on threads that wait for the node, one at a time.
  unsigned workers = 1;
  // The processor to which worker 0 is bound, the next one for worker 1, …; -1 binds none.
  int first_processor = -1;
  // The identity that the node claims. Only a certificate proves an identity; with one, this text
  // distinguishes the nodes that use the same certificate.
  std::string identity = "local";
  // The limits and the policy of a mailbox whose agent sets no others.
  MailboxOptions mailbox;
  // The largest content of one message that the node sends or accepts, in bytes; up to 1 GiB.
  // Larger messages of other nodes are refused, message by message. `content_limit=64MiB` in the
  // text of open() sets it, too.
  std::size_t content_limit = std::size_t{16} << 20;
  // The largest number of names for which the node keeps mailboxes: names of agents, past ones
  // included, and of all targets of messages.
  std::size_t names_limit = 8'000'000;
  // The largest number of messages that may wait for one absent name, and the longest time that
  // they may wait.
  std::uint32_t absent_limit = 1024;
  Duration absent_time_to_live = std::chrono::minutes(10);
  // The time that a starting node waits for a reply of the society's server or directory before it
  // fails. `connect_time=5s` in the text of open() sets it, too.
  Duration connect_time = std::chrono::seconds(20);
  // The time that a send waits for room if it sets no other.
  Duration patience = std::chrono::seconds(30);
  // The number of times that a message is redelivered before it goes to the dead letters.
  std::uint32_t redelivery_limit = 5;
  // The time that a worker with recent work looks for more before it sleeps; zero never looks.
  Duration spin = std::chrono::microseconds(50);
  // True makes typed content reach receivers as the bytes that another process would receive, to
  // find code that works only because both ends are in one process. It costs time.
  bool always_encode = false;
  // The way in which eavesdroppers' patterns are matched; linear also when the realization sets
  // linear.
  Matching matching = Matching::set;
  // The number of threads for compute(); they are created when first needed.
  unsigned compute_threads = 1;
  // True moves idle agents from a busy worker to an idle one.
  bool balance = true;
  // True lets operate() act on agents although there is no policy, in a society of one process. A
  // society of several needs a policy with the right `operate`.
  bool operators = false;
  // The interval at which metrics() measures, and the agents that have metrics of their own at
  // most; those of the node count all agents.
  Duration metrics_interval = std::chrono::seconds(1);
  std::size_t metrics_agents = 10'000;
  // The rules for the actions of members; nullptr permits everything.
  std::shared_ptr<const Policy> policy;
};

// A report of the agents and messages that were left when a node stopped.
struct StopReport {
  // A mailbox with messages that nobody read. A mailbox may be in the list more than once, if its
  // messages had different results.
  struct Undelivered {
    Name name;
    std::size_t messages = 0;
    // The promise of the society's message store for these messages: accepted, it keeps them;
    // stored, it keeps them also across a restart. Nothing: they are lost with the node, unless a
    // message store that did not answer, or whose disk has failed, has them all the same.
    std::optional<Stage> kept = {};
    // The reason why the message store did not take them, or the first of the reasons:
    // not_permitted, too_large, absent_full, limit_reached (of its bytes), disk_full, disk_failed.
    // Nothing: it was not asked, or gave none.
    std::optional<Errc> why = {};
  };

  // The agents that had not ended by the deadline.
  std::vector<Name> still_alive;
  std::vector<Undelivered> undelivered;
  // The counts at the end.
  Ledger ledger;
  // The reason why the node had not stopped soon after the deadline; its destructor waits until
  // that reason is gone. Then all other members hold the state known so far, and the ledger is
  // empty.
  std::string waits_for;

  // Returns whether all agents ended and every message was read.
  bool clean() const noexcept {
    return still_alive.empty() && undelivered.empty() && waits_for.empty();
  }
  // The report in a few lines for people.
  std::string to_string() const;
};

// A node. A thread that is not one of its workers makes and stops it; several nodes can live in one
// process.
class Node {
 public:
  // Opens a node on a realization. Fails with Errc::bad_options.
  explicit Node(Realization realization, NodeOptions options = {});
  // Stops the node at once.
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Makes an agent; returns when its name is registered. Fails as Agent::create() does, and with
  // Errc::wrong_thread when called from an agent.
  template <class T, class... Args>
  Address create(AgentSpec spec, Args... args) {
    return adopt(std::move(spec), std::make_unique<T>(std::move(args)...));
  }
  // The same, for an agent that exists already but has not begun.
  Address adopt(AgentSpec spec, std::unique_ptr<Agent> agent);
  // The address of a name, whether or not an agent holds it.
  Address find(Target who);
  // Moves an agent to another worker as soon as the agent is idle; returns whether that happened
  // before the deadline.
  bool move(Address agent, unsigned worker, Deadline deadline = std::chrono::seconds(5));
  // The worker on which an agent runs now.
  unsigned worker_of(Address agent) const noexcept;

  // For a node with NodeOptions::workers = 0, which a loop of the program's own runs; another node
  // fails with Errc::unsupported. The descriptor is readable while turn() has something to do.
  // turn() does what can be done without waiting, up to a budget, and returns whether more can be
  // done at once; while another thread does it, it returns false. A loop that pauses for seconds
  // seems dead to other nodes. turn() fails with Errc::wrong_thread when called from an agent.
  int descriptor() const;
  bool turn();

  // Waits until every agent has ended. Fails with Errc::wrong_thread when called from an agent.
  void wait();
  // Stops the node: it accepts no new agents, lets agents read the messages under way, ends agents
  // that only wait, and destroys the agents that are left at the deadline. Returns a report of what
  // was left, soon after the deadline even if something does not end. A second call waits for the
  // same end. Fails with Errc::wrong_thread when called from an agent.
  StopReport stop(Deadline deadline = std::chrono::seconds(10));

  // The counts of all messages of this node at this moment.
  Ledger ledger() const;
  // The counts of one agent: the messages that it sent, that wait for it, that it consumed.
  Ledger ledger(Address agent) const;
  // The promise of the society's message store for messages that this node sends to it when it
  // stops, because nobody holds their names: accepted, or stored. Nothing when there is no message
  // store.
  std::optional<Stage> message_store() const;
  // The number of agents on this node.
  std::size_t agents() const noexcept;
  // The metrics of this node. The first call begins to measure; before that, nothing is measured
  // and nothing is paid.
  Metrics& metrics();
  // The directory that this node uses.
  Directory& directory() noexcept;
  // The options with which the node was opened.
  const NodeOptions& options() const noexcept;
  // The name under which undeliverable messages can be read as from any mailbox. Each carries the
  // headers `reason`, `from` and `to`.
  static Name dead_letters() { return Name("dead-letters"); }

  // The library's record of the node.
  detail::NodeCore& core() noexcept { return *core_; }

 private:
  std::unique_ptr<detail::NodeCore> core_;
};

}  // namespace coracle
