// A node's copy of a part of the directory: what the node follows, as the directory service has
// announced it. The replica answers look-ups.
#pragma once

#include "coracle/support/lease_set.hpp"
#include "directory/former_holders.hpp"
#include "directory/groups.hpp"
#include "directory/property_index.hpp"
#include "directory/watches.hpp"
#include "directory_frames.hpp"

#include <boost/unordered/unordered_flat_map.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coracle::society {

// All calls need the lock of the replica's owner. Changes are noted for the watchers;
// watches().tell() notifies them.
class Replica {
 public:
  detail::Watches& watches() noexcept { return watches_; }

  // --- announcements of the service ---
  void lease_opened(NodeInfo info);
  void end_lease(LeaseId lease, EndReason reason = EndReason::unreachable);
  void apply(const DirectoryEvent& event, std::optional<Entry> entry);
  // The service begins anew, with nothing: known entries stay until announced again, or forgotten.
  void begin_again();
  // Removes everything that was not announced again.
  void forget_stale();

  // --- what the node follows ---
  // From now on it has all names and groups within that prefix.
  void follow(const Name& prefix) { prefixes_.insert(prefix); }
  // Returns whether it has all of them.
  bool follows(const Name& prefix) const;
  const std::set<Name>& prefixes() const noexcept { return prefixes_; }

  // --- queries ---
  std::optional<Entry> look_up(const Name& name) const;
  std::vector<Entry> search(const Query& query) const;
  std::vector<LeaseId> leases() const;
  template <class Show>
  void each_node(Show show) const {
    for (const auto& [lease, known] : leases_) show(known.info);
  }
  template <class Show>
  void each_entry(Show show) const {
    for (const auto& [name, known] : entries_) show(known->entry);
  }
  // Returns the node of that lease; nullptr when there is none.
  const NodeInfo* node_of(LeaseId lease) const;
  // Returns whether the lease was open, and is not.
  bool has_ended(LeaseId lease) const { return ended_.contains(lease) && !leases_.contains(lease); }
  detail::Groups::Members members(const Name& group) { return groups_.members(group); }
  // See Directory.
  bool may_speak_as(LeaseId lease, const Name& source) const;
  // The service has answered that it may.
  void note_speaker(LeaseId lease, const Name& source) {
    if (!may_speak_as(lease, source)) former_.note(source, lease);
  }
  bool is_message_store(LeaseId lease) const;

 private:
  // The round of the announcement; a new round begins with each service.
  struct KnownEntry {
    Entry entry;
    std::uint32_t round;
  };
  struct KnownNode {
    NodeInfo info;
    std::uint32_t round;
  };

  using Entries = boost::unordered_flat_map<Name, std::unique_ptr<KnownEntry>, detail::SecretHash>;

  void keep(Entry entry);
  void erase(Entries::iterator known);
  void note_holder(const Entry& entry);
  void end_name(const Name& name);
  void end_earlier(const Entry& now);

  Entries entries_;
  detail::PropertyIndex<Name> properties_;
  std::unordered_map<LeaseId, KnownNode> leases_;
  detail::LeaseSet ended_;
  detail::FormerHolders former_;
  detail::Groups groups_;
  detail::Watches watches_;
  std::set<Name> prefixes_;
  std::uint32_t round_ = 0;
};

}  // namespace coracle::society
