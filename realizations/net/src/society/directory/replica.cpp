#include "replica.hpp"

#include <algorithm>
#include <utility>

namespace coracle::society {

using Kind = DirectoryEvent::Kind;

void Replica::lease_opened(NodeInfo info) {
  // A node has one lease: an earlier one is over, even if no living node could announce that.
  std::vector<LeaseId> over;
  for (const auto& [lease, known] : leases_) {
    if (known.info.node == info.node && lease != info.lease) over.push_back(lease);
  }
  for (const LeaseId lease : over) end_lease(lease);
  const LeaseId lease = info.lease;
  leases_[lease] = {std::move(info), round_};
}

void Replica::apply(const DirectoryEvent& event, std::optional<Entry> entry) {
  switch (event.kind) {
    case Kind::arrived:
    case Kind::changed:
      if (!entry) return;
      if (event.kind == Kind::arrived) end_earlier(*entry);
      keep(*std::move(entry));
      break;
    case Kind::ended: {
      const auto known = entries_.find(event.name);
      if (known != entries_.end() && known->second->entry.incarnation == event.incarnation)
        erase(known);
      break;
    }
    case Kind::joined:
      if (!groups_.join(event.group, event.name)) return;
      break;
    case Kind::left:
      if (!groups_.leave(event.group, event.name)) return;
      break;
    case Kind::lease_ended:
      return end_lease(event.lease, event.ending.reason);
  }
  watches_.publish(event);
}

void Replica::keep(Entry entry) {
  auto now = std::make_unique<KnownEntry>(KnownEntry{std::move(entry), round_});
  auto& known = entries_[now->entry.name];
  if (known) properties_.remove(known->entry.name, known->entry.properties);
  if (known && known->entry.lease != now->entry.lease) note_holder(known->entry);
  known = std::move(now);
  properties_.add(known->entry.name, known->entry.properties);
}

// The agent held the name until now, and more messages of it may come.
void Replica::note_holder(const Entry& entry) {
  if (leases_.contains(entry.lease)) former_.note(entry.name, entry.lease);
}

void Replica::erase(Entries::iterator known) {
  note_holder(known->second->entry);
  properties_.remove(known->first, known->second->entry.properties);
  entries_.erase(known);
}

void Replica::end_lease(LeaseId lease, EndReason reason) {
  if (leases_.erase(lease) == 0) return;
  ended_.insert(lease);
  DirectoryEvent event;
  event.kind = Kind::lease_ended;
  event.lease = lease;
  event.ending.reason = reason;
  watches_.publish(std::move(event));
}

void Replica::begin_again() { ++round_; }

void Replica::forget_stale() {
  std::vector<Name> names;
  for (const auto& [name, known] : entries_) {
    if (known->round != round_) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  for (const Name& name : names) end_name(name);
  std::vector<LeaseId> leases;
  for (const auto& [lease, known] : leases_) {
    if (known.round != round_) leases.push_back(lease);
  }
  std::sort(leases.begin(), leases.end());
  for (const LeaseId lease : leases) end_lease(lease);
}

// The holder at the time when an earlier service went away has not come back: otherwise its node
// would have another lease by now.
void Replica::end_earlier(const Entry& now) {
  const auto known = entries_.find(now.name);
  if (known == entries_.end()) return;
  const LeaseId lease = known->second->entry.lease;
  if (known->second->round != round_ && lease != now.lease && leases_.contains(lease))
    end_name(now.name);
}

// Notes the same events that the service would have sent.
void Replica::end_name(const Name& name) {
  const Incarnation life = entries_.at(name)->entry.incarnation;
  for (const Name& group : groups_.leave_all(name)) {
    DirectoryEvent event;
    event.kind = Kind::left;
    event.name = name;
    event.group = group;
    event.incarnation = life;
    watches_.publish(std::move(event));
  }
  erase(entries_.find(name));
  DirectoryEvent event;
  event.kind = Kind::ended;
  event.name = name;
  event.incarnation = life;
  event.ending = Ending(name, life, EndReason::unreachable);
  watches_.publish(std::move(event));
}

bool Replica::follows(const Name& prefix) const {
  return std::any_of(prefixes_.begin(), prefixes_.end(),
                     [&prefix](const Name& each) { return prefix.within(each); });
}

std::optional<Entry> Replica::look_up(const Name& name) const {
  const auto known = entries_.find(name);
  if (known == entries_.end()) return std::nullopt;
  return known->second->entry;
}

std::vector<Entry> Replica::search(const Query& query) const {
  std::vector<Entry> found;
  const auto look_at = [&](const Entry& entry) {
    if (entry.name.within(query.prefix) && query.condition.holds(entry.properties))
      found.push_back(entry);
  };
  if (const auto* names = properties_.candidates(query.condition)) {
    for (const Name& name : *names) look_at(entries_.at(name)->entry);
  } else {
    for (const auto& [name, known] : entries_) look_at(known->entry);
  }
  std::sort(found.begin(), found.end(),
            [](const Entry& a, const Entry& b) { return a.name < b.name; });
  if (found.size() > query.limit) found.erase(found.begin() + query.limit, found.end());
  return found;
}

std::vector<LeaseId> Replica::leases() const {
  std::vector<LeaseId> open;
  for (const auto& [lease, known] : leases_) open.push_back(lease);
  std::sort(open.begin(), open.end());
  return open;
}

bool Replica::may_speak_as(LeaseId lease, const Name& source) const {
  const auto known = entries_.find(source);
  return known == entries_.end() || known->second->entry.lease == lease ||
         former_.contain(source, lease);
}

bool Replica::is_message_store(LeaseId lease) const {
  const NodeInfo* const info = node_of(lease);
  return info != nullptr && info->is_message_store;
}

const NodeInfo* Replica::node_of(LeaseId lease) const {
  const auto known = leases_.find(lease);
  return known == leases_.end() ? nullptr : &known->second.info;
}

}  // namespace coracle::society
