// The contents of a directory in memory, and the rules for changing them; without locks or
// coroutines.
#pragma once

#include "coracle/directory.hpp"
#include "former_holders.hpp"
#include "groups.hpp"
#include "leases.hpp"
#include "name_table.hpp"
#include "property_index.hpp"
#include "watches.hpp"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::detail {

// Returns whether `name` is below `prefix` and not `prefix` itself.
inline bool strictly_below(const Name& name, const Name& prefix) noexcept {
  return name.within(prefix) && name != prefix;
}

// The number of bytes that the properties count as.
std::size_t bytes_of(const Properties& properties);

// All calls require the lock of the directory that owns the book, and a sweep() before them. A
// function means the same as the function of that name in Directory.
class Book {
 public:
  // The counters of incarnations and of leases begin at `salt`: two books with the same epoch give
  // different numbers if their salts are far from each other.
  Book(std::uint32_t epoch, DirectoryLimits limits, Watches& watches, std::uint32_t salt = 0);

  // Another directory has given out leases up to that generation. From now on this book gives out
  // leases of later generations.
  void go_beyond(std::uint32_t generation);

  // The time when the next lease expires.
  Time next_expiry() const noexcept { return leases_.earliest(); }
  // Ends every lease that has expired.
  void sweep(Time now);

  Result<LeaseId> open_lease(std::string identity, Duration term, Time now);
  Result<void> renew(LeaseId lease, Time now);
  Result<void> close_lease(LeaseId lease, EndReason reason);
  // The lease, or nullptr when it has ended.
  const Lease* lease(LeaseId id) const noexcept;
  // The open leases.
  std::vector<LeaseId> leases() const { return leases_.all(); }
  // The leases that ended since the last call.
  std::vector<LeaseId> take_ended_leases() noexcept { return std::exchange(ended_leases_, {}); }
  bool leases_ended() const noexcept { return !ended_leases_.empty(); }

  // Prepares for a name that will soon be registered or looked up.
  void expect(const Name& name) const noexcept { names_.expect(name); }
  Result<Incarnation> claim(Claim claim);
  Result<Incarnation> take_over(Claim claim);
  Result<void> leave(const Name& name, Incarnation incarnation, Ending ending);
  Result<void> describe(const Name& name, Incarnation incarnation, Properties properties);

  std::optional<Entry> look_up(const Name& name) const;
  // From now on, the book remembers for a while the holder of a name that was given up or taken
  // over.
  void remember_holders() {
    if (!former_) former_.emplace();
  }
  // See Directory::may_speak_as().
  bool may_speak_as(LeaseId lease, const Name& source) const;

  // Adds the records that match, of `count` records from number `from` on; returns whether there
  // are more records. If few records have a property with the wanted value, looks only at these
  // records and returns false.
  bool search(const Query& query, std::uint32_t from, std::uint32_t count,
              std::vector<Entry>& found) const;

  // If `trusted`, the member may be one that this book does not know.
  Result<void> join(const Name& group, const Name& member, bool trusted);
  void leave_group(const Name& group, const Name& member);
  Groups::Members members(const Name& group) { return groups_.members(group); }
  // The numbers of names, of groups with members, and of memberships.
  std::size_t count_names() const noexcept { return names_.size(); }
  std::size_t count_groups() const noexcept { return groups_.size(); }
  std::size_t count_memberships() const noexcept { return groups_.memberships(); }
  // All groups that have members.
  std::vector<Name> groups() const { return groups_.all(); }
  // Ends the memberships of an agent that ended here or elsewhere.
  void end_memberships(const Name& member, Incarnation incarnation);

  // A name or a group that is held here strictly below `prefix`, or an empty name.
  Name any_below(const Name& prefix) const;

 private:
  // The counters from `first` on belong to this epoch.
  struct Era {
    std::uint32_t first;
    std::uint32_t epoch;
  };

  Incarnation incarnation_of(const Record& record) const;
  Entry entry_of(std::uint32_t at) const;
  Result<std::uint32_t> held(const Name& name, Incarnation incarnation) const;
  std::optional<Error> objection(std::uint32_t lease, const Claim& claim) const;
  Result<Incarnation> settle(std::uint32_t at, std::uint32_t lease, Claim claim);
  MailboxOptions mailbox_of(std::uint32_t at) const;
  void link(std::uint32_t at, std::uint32_t lease);
  void unlink(std::uint32_t at);
  void set_properties(std::uint32_t at, Properties properties);
  void end_lease(std::uint32_t lease, EndReason reason);
  void end_name(std::uint32_t at, Ending ending);
  void give_back(const Name& member, std::size_t memberships);
  void announce_ending(const Record& record, Ending ending);
  void announce(DirectoryEvent::Kind kind, const Name& name, Incarnation incarnation,
                const Name& group = {});

  std::vector<Era> eras_;  // the latest is the last
  const DirectoryLimits limits_;
  Watches& watches_;
  NameTable names_;
  Leases leases_;
  Groups groups_;
  std::optional<FormerHolders> former_;
  std::vector<LeaseId> ended_leases_;
  // By record: the mailbox options that differ from the defaults of MailboxOptions.
  std::unordered_map<std::uint32_t, MailboxOptions> mailboxes_;
  PropertyIndex<std::uint32_t> properties_;  // of records
  // One counter for all names, so that nothing need be kept of a name that was left.
  std::uint32_t last_counter_;
};

}  // namespace coracle::detail
