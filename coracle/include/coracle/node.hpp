// One process's share of a society: its workers, its agents, and the realization they talk over.
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

// Settings of a node, with the society's defaults.
struct NodeOptions {
  // Threads that run agents.
  unsigned workers = 1;
  // The processor that worker 0 is bound to, the next one for worker 1, …; -1 binds none.
  int first_processor = -1;
  // The identity that it claims. Only a certificate proves one; this tells its nodes apart then.
  std::string identity = "local";
  // Limits and policy of a mailbox whose agent says nothing else.
  MailboxOptions mailbox;
  // The largest content of one message that the node sends or takes, in bytes; up to 1 GiB. What
  // another node sends beyond it is refused, message by message. `content_limit=64MiB` in the text
  // of open() sets it, too.
  std::size_t content_limit = std::size_t{16} << 20;
  // How many names the node keeps mailboxes for: of agents, past ones included, and of whomever
  // messages were sent to.
  std::size_t names_limit = 8'000'000;
  // How many messages may wait for one name that nobody holds, and for how long.
  std::uint32_t absent_limit = 1024;
  Duration absent_time_to_live = std::chrono::minutes(10);
  // How long a node that begins waits for the society's server or directory to answer, before it
  // fails. `connect_time=5s` in the text of open() sets it, too.
  Duration connect_time = std::chrono::seconds(20);
  // How long a send waits for room if nothing else is said.
  Duration patience = std::chrono::seconds(30);
  // How often a message is given again before it goes to the dead letters.
  std::uint32_t redelivery_limit = 5;
  // How long a worker with recent work looks for more before it sleeps; zero never looks.
  Duration spin = std::chrono::microseconds(50);
  // Whether typed content reaches receivers as the bytes that another process would get, so that
  // nothing works only because both ends are in one. For finding mistakes; it costs time.
  bool always_encode = false;
  // How eavesdroppers' patterns are matched; linear also when the realization says so.
  Matching matching = Matching::set;
  // Threads for compute(); created when first needed.
  unsigned compute_threads = 1;
  // Whether idle agents are moved from a busy worker to an idle one.
  bool balance = true;
  // Who may do what; nullptr lets everybody do everything.
  std::shared_ptr<const Policy> policy;
};

// What was left when a node stopped.
struct StopReport {
  // A mailbox with messages that nobody read. One mailbox may be there more than once, if not all
  // of them became the same.
  struct Undelivered {
    Name name;
    std::size_t messages = 0;
    // What the society's custodian has promised of them: accepted, it keeps them; stored, also
    // across a restart. Nothing: they are lost with the node, unless a custodian that did not
    // answer, or whose disk has failed, has them all the same.
    std::optional<Stage> kept = {};
    // The reason why the custodian did not take them, or the first of them: not_permitted,
    // too_large, absent_full, limit_reached (of its bytes), disk_full, disk_failed. Nothing: it was
    // not asked, or gave none.
    std::optional<Errc> why = {};
  };

  // Agents that had not ended by the deadline.
  std::vector<Name> still_alive;
  std::vector<Undelivered> undelivered;
  // The account at the end.
  Ledger ledger;
  // The reason why the node had not stopped soon after the deadline; its destructor waits on for
  // that to end. Then all other parts say what is known so far, and the account is empty.
  std::string waits_for;

  // Whether all agents ended and every message was read.
  bool clean() const noexcept {
    return still_alive.empty() && undelivered.empty() && waits_for.empty();
  }
  // A few lines for people.
  std::string to_string() const;
};

// A node. Made and stopped by a thread that is not one of its workers; several nodes can live in
// one process.
class Node {
 public:
  // Opens a node on a realization. Fails with Errc::bad_options.
  explicit Node(Realization realization, NodeOptions options = {});
  // Stops it at once.
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Makes an agent; returns when its name is registered. Fails as Agent::create() does, and with
  // Errc::wrong_thread when called from an agent.
  template <class T, class... Args>
  Address create(AgentSpec spec, Args... args) {
    return adopt(std::move(spec), std::make_unique<T>(std::move(args)...));
  }
  // The same, of an agent that exists already but has not begun.
  Address adopt(AgentSpec spec, std::unique_ptr<Agent> agent);
  // The address of a name, whether or not anybody holds it.
  Address find(Target who);
  // Moves an agent to another worker as soon as it is idle; returns whether that happened before
  // the deadline.
  bool move(Address agent, unsigned worker, Deadline deadline = std::chrono::seconds(5));
  // The worker that an agent lives on now.
  unsigned worker_of(Address agent) const noexcept;

  // Waits until every agent has ended. Fails with Errc::wrong_thread when called from an agent.
  void wait();
  // Stops: no new agents, lets messages that are under way be read, ends what only waits, and
  // destroys what is still there at the deadline. Says what was left, soon after the deadline even
  // if something does not end; called again, it waits for the same. Fails with Errc::wrong_thread
  // when called from an agent.
  StopReport stop(Deadline deadline = std::chrono::seconds(10));

  // Where all messages are at this moment.
  Ledger ledger() const;
  // The account of one agent: what it sent, what waits for it, what it consumed.
  Ledger ledger(Address agent) const;
  // What the society's custodian promises of messages that this node hands over when it stops,
  // because nobody holds their names: accepted, or stored. Nothing when there is no custodian.
  std::optional<Stage> custodian() const;
  // How many agents live here.
  std::size_t agents() const noexcept;
  // The directory that this node uses.
  Directory& directory() noexcept;
  // The settings that it was opened with.
  const NodeOptions& options() const noexcept;
  // The name under which undeliverable messages can be read like any mailbox. Each carries headers
  // `reason`, `from` and `to`.
  static Name dead_letters() { return Name("dead-letters"); }

  // The library's own record.
  detail::NodeCore& core() noexcept { return *core_; }

 private:
  std::unique_ptr<detail::NodeCore> core_;
};

}  // namespace coracle
