// Knows names: who holds which, with which properties, and who belongs to which group.
// Realizations: local_directory() here, later the clients of a directory service.
// Contract: tests/contract/directory.hpp
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

// A holder's standing with a directory: while it is renewed in time, its names are alive.
// One per node; zero is none.
using LeaseId = std::uint64_t;

// A request for a name.
struct Claim {
  Claim(Name wanted, LeaseId held) : name(std::move(wanted)), lease(held) {}

  // What is wanted, by whom, and what others may be told.
  Name name;
  LeaseId lease;
  Properties properties;
  // What the name's mailbox takes, for senders on other nodes.
  MailboxOptions mailbox;
  // In which life the claimant held the name until it lost its lease; none: it claims it anew.
  // Where two have held a name in two directories, a directory service gives it to the later life.
  Incarnation earlier;
};

// What a directory knows of one name.
struct Entry {
  Name name;
  Incarnation incarnation;
  LeaseId lease = 0;
  std::string identity;  // the holder's: "certificate:NAME ..." is proven, all else is claimed
  Properties properties;
  MailboxOptions mailbox;
};

// A change that a watcher is told of.
struct DirectoryEvent {
  // What happened.
  enum class Kind : std::uint8_t { arrived, changed, ended, joined, left, lease_ended };

  // To whom, and in which life of the name; `group` for joined and left, `ending` for ended.
  Kind kind = Kind::arrived;
  Name name;
  Name group;
  Ending ending;
  Incarnation incarnation;
  // Whose name arrived, and what its mailbox takes; or which lease ended, with all its names. Only
  // who watches everything is told of leases.
  LeaseId lease = 0;
  MailboxOptions mailbox;
};

// Told of changes after they were made, without any lock held, one change at a time in the order
// in which they were made: by the thread that made the change, or, while another thread is still
// telling of an earlier one, by that thread.
class DirectoryWatcher {
 public:
  virtual ~DirectoryWatcher() = default;
  // Must not wait and must not throw; may call the directory.
  virtual void on_change(const DirectoryEvent& event) noexcept = 0;
};

// Safe to call from every thread. Every change is seen by every later look-up of the same node.
class Directory {
 public:
  virtual ~Directory() = default;

  // Opens a lease for a holder that claims `identity`; it lasts `term` from each renewal.
  // Fails with Errc::bad_options when `term` is not positive, and with Errc::limit_reached.
  virtual Task<Result<LeaseId>> open_lease(std::string identity, Duration term) = 0;
  // Lasts another term. Fails with Errc::expired when it had ended already.
  virtual Task<Result<void>> renew(LeaseId lease) = 0;
  // Ends the lease and all names held under it, for `reason`. Fails with Errc::expired when it had
  // ended already.
  virtual Task<Result<void>> close_lease(LeaseId lease, EndReason reason) = 0;

  // Registers a name. Fails with Errc::name_taken while a live lease holds it, Errc::expired when
  // the claimant's lease has ended, and Errc::limit_reached when the directory is full.
  virtual Task<Result<Incarnation>> claim(Claim claim) = 0;
  // The same, if it can be answered at once; otherwise nothing, and `claim` is as it was. A
  // directory elsewhere cannot.
  virtual std::optional<Result<Incarnation>> try_claim(Claim& claim) {
    static_cast<void>(claim);
    return std::nullopt;
  }
  // The same as claim(), from whoever holds the name: needs the holder's identity and, of another
  // node without a certificate, the setting takeover=yes there (else Errc::not_permitted). Raises
  // the incarnation, and ends the old holder with EndReason::fenced.
  virtual Task<Result<Incarnation>> take_over(Claim claim) = 0;
  // Gives a name up. Fails with Errc::fenced when `incarnation` no longer holds it.
  virtual Task<Result<void>> leave(Name name, Incarnation incarnation, Ending ending) = 0;
  // Replaces the properties of a name. Fails with Errc::fenced like leave().
  virtual Task<Result<void>> describe(Name name, Incarnation incarnation,
                                      Properties properties) = 0;

  // Who holds `name`.
  virtual Task<std::optional<Entry>> look_up(Name name) = 0;
  // The same, if it can be answered at once; otherwise nothing.
  virtual std::optional<std::optional<Entry>> try_look_up(const Name& name) {
    static_cast<void>(name);
    return std::nullopt;
  }
  // The entries that fit, in the order of their names, at most query.limit of them.
  virtual Task<std::vector<Entry>> search(Query query) = 0;

  // The leases that are open.
  virtual Task<std::vector<LeaseId>> leases() = 0;

  // Whether a message of the node that has `lease` may name `source` as its sender, as far as is
  // known at once: that lease holds the name or held it lately, or nobody holds it.
  virtual bool may_speak_as(LeaseId lease, const Name& source) = 0;
  // The same, as those know it who keep the names: news of a holder may be slower than what it
  // says, and a node that came later knows no earlier ones.
  virtual Task<bool> find_speaker(LeaseId lease, Name source) {
    co_return may_speak_as(lease, source);
  }
  // Whether the society's policy lets `hearer`, an agent of the node that has `lease`, overhear
  // anybody. Fails with Errc::not_permitted.
  virtual Task<Result<void>> may_overhear(LeaseId lease, Name hearer) {
    static_cast<void>(lease), static_cast<void>(hearer);
    co_return Result<void>();
  }
  // Whether it lets that node see what waits for `name`. Fails with Errc::not_permitted.
  virtual Task<Result<void>> may_look(LeaseId lease, Name name) {
    static_cast<void>(lease), static_cast<void>(name);
    co_return Result<void>();
  }
  // Returns when all is known here that was done before the call.
  virtual Task<> catch_up() { co_return; }
  // Whether the node that has `lease` is the society's custodian.
  virtual bool is_custodian(LeaseId lease) = 0;
  // A node of this process has a custody. A directory elsewhere knows by itself whether it is the
  // custodian, and does nothing.
  virtual void has_custody(LeaseId lease) { static_cast<void>(lease); }

  // Makes `member` a member of `group`; a second time does nothing. An agent's memberships end with
  // the agent. Fails with Errc::no_such_agent when nobody holds `member`, Errc::limit_reached, and
  // Errc::unsupported when the group, but not the member, is below a delegated prefix.
  virtual Task<Result<void>> join(Name group, Name member) = 0;
  // Ends the membership; does nothing when there is none.
  virtual Task<Result<void>> leave_group(Name group, Name member) = 0;
  // The members of `group` in the order in which they joined; shared and immutable.
  virtual Task<std::shared_ptr<const std::vector<Name>>> members(Name group) = 0;

  // Tells `watcher` of every change to names within `prefix` (an empty prefix: all names) and to
  // groups within it, until unwatch(); `watcher` outlives the watch.
  // Throws an Error with Errc::limit_reached when there are too many watches.
  virtual Task<std::uint64_t> watch(Name prefix, DirectoryWatcher& watcher) = 0;
  // After its return the watcher is not called again and may be destroyed: a call under way on
  // another thread is awaited (so hold no lock that the watcher takes), one on this thread is not.
  virtual Task<void> unwatch(std::uint64_t watch) = 0;

  // Answers for names and groups strictly below `prefix` come from `child` from now on, and its
  // events reach the watchers here. A lease of this directory is matched by one with the child when
  // it first claims a name there; renewals and closings are passed on, and when this directory sees
  // a lease expire, the child sees the same within one term. A child keeps no reference to its
  // parent: join() of a group here with a member there is judged here.
  // Fails with Errc::name_taken while this directory itself holds such a name or group, or has
  // delegated `prefix` or something below it; a prefix below a delegated one goes to that child.
  virtual Task<Result<void>> delegate(Name prefix, std::shared_ptr<Directory> child) = 0;
};

// Limits of a directory in memory; what goes beyond one fails with Errc::limit_reached.
struct DirectoryLimits {
  std::size_t names = 4'000'000;  // 67,108,863 at most
  std::size_t watches = 100'000;
  std::size_t members_of_group = 1'000'000;
  std::size_t memberships = 16'000'000;  // of all groups together
  std::size_t leases = 100'000;
  // Under one lease; a directory in the node's own process has no use for these three.
  std::size_t names_of_lease = 1'000'000;
  std::size_t memberships_of_lease = 1'000'000;         // of these names, in all groups
  std::size_t bytes_of_lease = std::size_t{256} << 20;  // of names and their properties
};

// A directory in this process's memory. Leases are judged by `clock`, whenever the directory is
// asked; `epoch` distinguishes it from those that ran before it.
std::shared_ptr<Directory> local_directory(Clock& clock, std::uint32_t epoch = 1,
                                           DirectoryLimits limits = {});

}  // namespace coracle
