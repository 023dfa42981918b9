// The interface of a directory: which lease holds which name, with which properties, and which
// names belong to which group.
// Realizations: local_directory() here, the clients of a directory service in realizations/net, a
// user's own class by Realization::directory.
// Tests: tests/conformance/seams/directory.hpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/ending.hpp"
#include "coracle/mailbox.hpp"
#include "coracle/query.hpp"
#include "coracle/task.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coracle {

// The number of a lease, the permission of a node to hold names: while it is renewed in time, its
// names are alive.
// A node has one lease; zero is none.
using LeaseId = std::uint64_t;

// A registration request for a name.
struct Claim {
  Claim(Name wanted, LeaseId held) : name(std::move(wanted)), lease(held) {}

  // The name, the lease that requests it, and the properties to publish.
  Name name;
  LeaseId lease;
  Properties properties;
  // The limits of the name's mailbox, for senders on other nodes.
  MailboxOptions mailbox;
  // The incarnation in which the agent held the name until it lost its lease; none: it registers
  // the name anew. Where two agents have held a name in two directories, a directory service gives
  // the name to the later incarnation.
  Incarnation earlier;
};

// The record of one name in a directory.
struct Entry {
  Name name;
  Incarnation incarnation;
  LeaseId lease = 0;
  std::string identity;  // the holder's: "certificate:NAME ..." is proven, all else is claimed
  Properties properties;
  MailboxOptions mailbox;
};

// A change that is reported to watchers.
struct DirectoryEvent {
  // The kinds of change.
  enum class Kind : std::uint8_t { arrived, changed, ended, joined, left, lease_ended };

  // The name that changed, and its incarnation; `group` is set for joined and left, `ending` for
  // ended.
  Kind kind = Kind::arrived;
  Name name;
  Name group;
  Ending ending;
  Incarnation incarnation;
  // For arrived: the lease that holds the name, and the limits of its mailbox. For lease_ended: the
  // lease that ended, with all its names. Only watchers of everything receive changes of leases.
  LeaseId lease = 0;
  MailboxOptions mailbox;
};

// Is called after each change, without any lock held, for one change at a time in the order in
// which the changes were made. The thread that made the change calls it, or another thread that is
// still reporting an earlier change.
class DirectoryWatcher {
 public:
  virtual ~DirectoryWatcher() = default;
  // Reports one change. It must not wait and must not throw; it may call the directory.
  virtual void on_change(const DirectoryEvent& event) noexcept = 0;
};

// The directory. Safe to call from every thread. Every change is visible to every later look-up of
// the same node.
class Directory {
 public:
  virtual ~Directory() = default;

  // Opens a lease for a node that claims `identity`; the lease lasts `term` from each renewal.
  // Fails with Errc::bad_options when `term` is not positive, and with Errc::limit_reached.
  virtual Task<Result<LeaseId>> open_lease(std::string identity, Duration term) = 0;
  // Renews the lease for another term. Fails with Errc::expired when the lease had ended already.
  virtual Task<Result<void>> renew(LeaseId lease) = 0;
  // Ends the lease and all names held under it, for `reason`. Fails with Errc::expired when the
  // lease had ended already.
  virtual Task<Result<void>> close_lease(LeaseId lease, EndReason reason) = 0;

  // Registers a name. Fails with Errc::name_taken while a live lease holds it, Errc::expired when
  // the lease of `claim` has ended, and Errc::limit_reached when the directory is full.
  virtual Task<Result<Incarnation>> claim(Claim claim) = 0;
  // The same, if it can be decided at once; otherwise returns nothing and leaves `claim` unchanged.
  // A directory in another process cannot decide at once.
  virtual std::optional<Result<Incarnation>> try_claim(Claim& claim) {
    static_cast<void>(claim);
    return std::nullopt;
  }
  // Registers a name as claim() does, even if another agent holds it. The claimant needs the
  // holder's identity. If the holder is in another process and the claimant has no certificate, the
  // holder's node also needs the setting takeover=yes. Otherwise fails with Errc::not_permitted.
  // Raises the incarnation, and ends the old holder with EndReason::fenced.
  virtual Task<Result<Incarnation>> take_over(Claim claim) = 0;
  // Gives a name up. Fails with Errc::fenced when `incarnation` no longer holds the name.
  virtual Task<Result<void>> leave(Name name, Incarnation incarnation, Ending ending) = 0;
  // Replaces the properties of a name. Fails with Errc::fenced like leave().
  virtual Task<Result<void>> describe(Name name, Incarnation incarnation,
                                      Properties properties) = 0;

  // The entry of `name`, if an agent holds it.
  virtual Task<std::optional<Entry>> look_up(Name name) = 0;
  // The same, if it can be decided at once; otherwise nothing.
  virtual std::optional<std::optional<Entry>> try_look_up(const Name& name) {
    static_cast<void>(name);
    return std::nullopt;
  }
  // The entries that fit, sorted by name, at most query.limit of them.
  virtual Task<std::vector<Entry>> search(Query query) = 0;

  // The leases that are open.
  virtual Task<std::vector<LeaseId>> leases() = 0;

  // Returns whether a message of the node that has `lease` may name `source` as its sender, as far
  // as this directory can decide at once: that lease holds the name or held it lately, or nobody
  // holds it.
  virtual bool may_speak_as(LeaseId lease, const Name& source) = 0;
  // The same, decided by the service that keeps the names. News of a holder may arrive later than
  // the holder's messages, and a node that joined later has no record of earlier holders.
  virtual Task<bool> find_speaker(LeaseId lease, Name source) {
    co_return may_speak_as(lease, source);
  }
  // Checks that the society's policy lets `eavesdropper`, an agent of the node that has `lease`,
  // overhear at all. Fails with Errc::not_permitted.
  virtual Task<Result<void>> may_overhear(LeaseId lease, Name eavesdropper) {
    static_cast<void>(lease), static_cast<void>(eavesdropper);
    co_return Result<void>();
  }
  // Checks that the policy lets that node see the messages that wait for `name`. Fails with
  // Errc::not_permitted.
  virtual Task<Result<void>> may_look(LeaseId lease, Name name) {
    static_cast<void>(lease), static_cast<void>(name);
    co_return Result<void>();
  }
  // Returns when this node has learned of every change that was made before the call.
  virtual Task<> catch_up() { co_return; }
  // Returns whether the node that has `lease` is the society's message store.
  virtual bool is_message_store(LeaseId lease) = 0;
  // A node of this process has a message store's backend. A directory in another process decides by
  // itself whether the node is the message store, and ignores this call.
  virtual void has_backend(LeaseId lease) { static_cast<void>(lease); }

  // Makes `member` a member of `group`; does nothing if it is one already. An agent's memberships
  // end with the agent. Fails with Errc::no_such_agent when nobody holds `member`,
  // Errc::limit_reached, and Errc::unsupported when the group, but not the member, is below a
  // delegated prefix.
  virtual Task<Result<void>> join(Name group, Name member) = 0;
  // Ends the membership; does nothing when there is none.
  virtual Task<Result<void>> leave_group(Name group, Name member) = 0;
  // The members of `group` in the order in which they joined; shared and immutable.
  virtual Task<std::shared_ptr<const std::vector<Name>>> members(Name group) = 0;

  // Reports to `watcher` every change to names within `prefix` (an empty prefix: all names) and to
  // groups within it, until unwatch(); `watcher` must outlive the watch.
  // Throws an Error with Errc::limit_reached when there are too many watches.
  virtual Task<std::uint64_t> watch(Name prefix, DirectoryWatcher& watcher) = 0;
  // After its return the watcher is not called again and may be destroyed. The function waits for a
  // call under way on another thread (so hold no lock that the watcher takes), not for one on this
  // thread.
  virtual Task<void> unwatch(std::uint64_t watch) = 0;

  // From now on `child` answers for names and groups strictly below `prefix`, and its events reach
  // the watchers here. When a lease of this directory first registers a name there, `child` opens a
  // lease that corresponds to it; renewals and closings are passed on. When this directory sees a
  // lease expire, the child sees the same within one term. A child keeps no reference to its
  // parent: this directory decides a join() of a group here by a member there.
  // Fails with Errc::name_taken while this directory itself holds such a name or group, or has
  // delegated `prefix` or something below it; a prefix below a delegated one goes to that child.
  virtual Task<Result<void>> delegate(Name prefix, std::shared_ptr<Directory> child) = 0;

  // Checks that the policy lets the node that has `lease`, of any node, end and restart the agent
  // `name`, and notes in the audit that it does so. Fails with Errc::not_permitted, also when there
  // is no policy.
  virtual Task<Result<void>> may_operate(LeaseId lease, Name name) {
    static_cast<void>(lease), static_cast<void>(name);
    co_return Error(Errc::not_permitted,
                    "no policy gives the right operate; start the society with one that does");
  }
};

// The limits of a directory in memory; a request beyond a limit fails with Errc::limit_reached.
struct DirectoryLimits {
  std::size_t names = 4'000'000;  // 67,108,863 at most
  std::size_t watches = 100'000;
  std::size_t members_of_group = 1'000'000;
  std::size_t memberships = 16'000'000;  // of all groups together
  std::size_t leases = 100'000;
  // Limits of one lease; a directory in the node's own process has no use for these three.
  std::size_t names_of_lease = 1'000'000;
  std::size_t memberships_of_lease = 1'000'000;         // of these names, in all groups
  std::size_t bytes_of_lease = std::size_t{256} << 20;  // of names and their properties
};

// A directory in this process's memory. It checks leases against `clock` whenever it is called;
// `epoch` distinguishes it from the directories that ran before it.
std::shared_ptr<Directory> local_directory(Clock& clock, std::uint32_t epoch = 1,
                                           DirectoryLimits limits = {});

}  // namespace coracle
