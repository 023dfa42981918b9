#include "book.hpp"

#include "coracle/support/error_texts.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

namespace coracle::detail {

namespace {

Error limit_reached(const std::string& what, std::size_t limit, const char* option) {
  return Error(Errc::limit_reached, what + " " + std::to_string(limit) + ", its limit; raise " +
                                        option + " or give up what is no longer needed");
}

std::size_t bytes_of(const Record& record) {
  return record.name.view().size() + (record.properties ? detail::bytes_of(*record.properties) : 0);
}

Error too_many_lives() {
  return Error(Errc::limit_reached,
               "the directory has given out all 4294967295 incarnations of its epoch; start it "
               "again with a higher epoch");
}

}  // namespace

std::size_t bytes_of(const Properties& properties) {
  std::size_t bytes = 0;
  for (const auto& [key, value] : properties.all()) {
    const auto* const text = std::get_if<std::string>(&value);
    bytes += sizeof value + key.size() + (text != nullptr ? text->size() : 0);
  }
  return bytes;
}

Book::Book(std::uint32_t epoch, DirectoryLimits limits, Watches& watches, std::uint32_t salt)
    : eras_{{0, epoch}},
      limits_(limits),
      watches_(watches),
      leases_(epoch, salt),
      last_counter_(salt) {}

void Book::go_beyond(std::uint32_t generation) {
  if (generation < eras_.back().epoch) return;
  const std::uint32_t epoch = generation + 1;
  eras_.push_back({last_counter_ + 1, epoch});
  leases_.go_on_from(epoch);
}

Incarnation Book::incarnation_of(const Record& record) const {
  auto era = eras_.rbegin();
  while (era->first > record.counter) ++era;
  return {era->epoch, record.counter};
}

void Book::sweep(Time now) {
  while (leases_.earliest() <= now && leases_.earliest() != Time::max())
    end_lease(leases_.first_due(), EndReason::expired);
}

Result<LeaseId> Book::open_lease(std::string identity, Duration term, Time now) {
  if (term <= Duration::zero())
    return Error(Errc::bad_options, "a lease of no time would end at once; give a positive term");
  if (leases_.size() >= limits_.leases)
    return limit_reached("the directory has as many leases as", limits_.leases,
                         "DirectoryLimits::leases");
  return leases_.open(std::move(identity), term, now);
}

Result<void> Book::renew(LeaseId lease, Time now) {
  const std::uint32_t index = leases_.find(lease);
  if (index == NameTable::none) return lease_ended(lease);
  leases_.renew(index, now);
  return {};
}

Result<void> Book::close_lease(LeaseId lease, EndReason reason) {
  const std::uint32_t index = leases_.find(lease);
  if (index == NameTable::none) return lease_ended(lease);
  end_lease(index, reason);
  return {};
}

const Lease* Book::lease(LeaseId id) const noexcept {
  const std::uint32_t index = leases_.find(id);
  return index == NameTable::none ? nullptr : &leases_[index];
}

Result<Incarnation> Book::claim(Claim claim) {
  const std::uint32_t lease = leases_.find(claim.lease);
  if (lease == NameTable::none) return lease_ended(claim.lease);
  if (claim.name.empty())
    return Error(Errc::bad_name, "an empty name cannot be registered; give the agent a name");
  if (names_.find(claim.name) != NameTable::none)
    return Error(Errc::name_taken, quoted(claim.name.view()) +
                                       " is held by a live agent; choose another name, wait until "
                                       "it ends, or take it over with the same identity");
  const std::size_t limit = std::min<std::size_t>(limits_.names, NameTable::max_names);
  if (names_.size() >= limit)
    return limit_reached("the directory holds as many names as", limit, "DirectoryLimits::names");
  if (auto no = objection(lease, claim)) return *std::move(no);
  if (last_counter_ == std::numeric_limits<std::uint32_t>::max()) return too_many_lives();
  const std::uint32_t at = names_.insert(claim.name);
  return settle(at, lease, std::move(claim));
}

// The reason why a lease may hold no more, if there is one.
std::optional<Error> Book::objection(std::uint32_t lease, const Claim& claim) const {
  const Lease& holder = leases_[lease];
  if (holder.names >= limits_.names_of_lease)
    return limit_reached("a lease holds as many names as", limits_.names_of_lease,
                         "DirectoryLimits::names_of_lease");
  const std::size_t more = claim.name.view().size() + bytes_of(claim.properties);
  if (holder.bytes + more > limits_.bytes_of_lease)
    return limit_reached("the names of a lease take as many bytes as", limits_.bytes_of_lease,
                         "DirectoryLimits::bytes_of_lease");
  return std::nullopt;
}

Result<Incarnation> Book::take_over(Claim claim) {
  const std::uint32_t at = names_.find(claim.name);
  if (at == NameTable::none) return this->claim(std::move(claim));
  const std::uint32_t lease = leases_.find(claim.lease);
  if (lease == NameTable::none) return lease_ended(claim.lease);
  if (last_counter_ == std::numeric_limits<std::uint32_t>::max()) return too_many_lives();
  Record& record = names_[at];
  if (leases_[record.lease].identity != leases_[lease].identity)
    return Error(Errc::not_permitted, quoted(claim.name.view()) +
                                          " is held by another identity; take it over with the "
                                          "identity that registered it, or choose another name");
  if (auto no = objection(lease, claim)) return *std::move(no);
  announce_ending(record, {record.name, incarnation_of(record), EndReason::fenced, {}});
  if (former_) former_->note(record.name, leases_.id_of(record.lease));
  unlink(at);
  return settle(at, lease, std::move(claim));
}

Result<void> Book::leave(const Name& name, Incarnation incarnation, Ending ending) {
  const Result<std::uint32_t> at = held(name, incarnation);
  if (!at) return at.error();
  if (former_) former_->note(name, leases_.id_of(names_[*at].lease));
  end_name(*at, std::move(ending));
  return {};
}

Result<void> Book::describe(const Name& name, Incarnation incarnation, Properties properties) {
  const Result<std::uint32_t> at = held(name, incarnation);
  if (!at) return at.error();
  Lease& holder = leases_[names_[*at].lease];
  const std::size_t others = holder.bytes - bytes_of(names_[*at]);
  if (others + name.view().size() + bytes_of(properties) > limits_.bytes_of_lease)
    return limit_reached("the names of a lease take as many bytes as", limits_.bytes_of_lease,
                         "DirectoryLimits::bytes_of_lease");
  set_properties(*at, std::move(properties));
  holder.bytes = others + bytes_of(names_[*at]);
  announce(DirectoryEvent::Kind::changed, names_[*at].name, incarnation);
  return {};
}

void Book::set_properties(std::uint32_t at, Properties properties) {
  Record& record = names_[at];
  if (record.properties) properties_.remove(at, *record.properties);
  record.properties = nullptr;
  if (properties.empty()) return;
  properties_.add(at, properties);
  record.properties = std::make_unique<Properties>(std::move(properties));
}

std::optional<Entry> Book::look_up(const Name& name) const {
  const std::uint32_t at = names_.find(name);
  if (at == NameTable::none) return std::nullopt;
  return entry_of(at);
}

bool Book::may_speak_as(LeaseId lease, const Name& source) const {
  const std::uint32_t at = names_.find(source);
  return at == NameTable::none || leases_.id_of(names_[at].lease) == lease ||
         (former_ && former_->contain(source, lease));
}

bool Book::search(const Query& query, std::uint32_t from, std::uint32_t count,
                  std::vector<Entry>& found) const {
  static const Properties no_properties;
  const auto look_at = [&](std::uint32_t at) {
    const Record& record = names_[at];
    if (record.name.empty() || !record.name.within(query.prefix)) return;
    const Properties& properties = record.properties ? *record.properties : no_properties;
    if (query.condition.holds(properties)) found.push_back(entry_of(at));
  };
  // Only from the beginning on: later, the index would find records again that were found already.
  const auto* const records = from == 0 ? properties_.candidates(query.condition) : nullptr;
  if (records != nullptr && records->size() <= count) {
    for (const std::uint32_t at : *records) look_at(at);
    return false;
  }
  const std::uint32_t end = std::min<std::uint32_t>(names_.end(), from + count);
  for (std::uint32_t at = from; at < end; ++at) look_at(at);
  return end < names_.end();
}

Result<void> Book::join(const Name& group, const Name& member, bool trusted) {
  if (group.empty())
    return Error(Errc::bad_name, "a group needs a name; give one such as lab/sonars");
  const std::uint32_t at = names_.find(member);
  if (at == NameTable::none && (member.empty() || !trusted))
    return Error(Errc::no_such_agent, "nobody holds " + quoted(member.view()) +
                                          "; register the name before it joins " +
                                          quoted(group.view()));
  if (groups_.contains(group, member)) return {};
  if (groups_.size_of(group) >= limits_.members_of_group)
    return limit_reached("the group " + quoted(group.view()) + " has as many members as",
                         limits_.members_of_group, "DirectoryLimits::members_of_group");
  if (groups_.memberships() >= limits_.memberships)
    return limit_reached("all groups together have as many members as", limits_.memberships,
                         "DirectoryLimits::memberships");
  if (at != NameTable::none) {
    Lease& holder = leases_[names_[at].lease];
    if (holder.memberships >= limits_.memberships_of_lease)
      return limit_reached("the names of a lease have as many memberships as",
                           limits_.memberships_of_lease, "DirectoryLimits::memberships_of_lease");
    ++holder.memberships;
  }
  groups_.join(group, member);
  announce(DirectoryEvent::Kind::joined, member,
           at == NameTable::none ? Incarnation{} : incarnation_of(names_[at]), group);
  return {};
}

void Book::leave_group(const Name& group, const Name& member) {
  if (!groups_.leave(group, member)) return;
  give_back(member, 1);
  const std::uint32_t at = names_.find(member);
  announce(DirectoryEvent::Kind::left, member,
           at == NameTable::none ? Incarnation{} : incarnation_of(names_[at]), group);
}

void Book::end_memberships(const Name& member, Incarnation incarnation) {
  const std::vector<Name> left = groups_.leave_all(member);
  if (left.empty()) return;
  give_back(member, left.size());
  for (const Name& group : left)
    announce(DirectoryEvent::Kind::left, member, incarnation, group);
}

// Some of the memberships may be older than the present holder of the name.
void Book::give_back(const Name& member, std::size_t memberships) {
  const std::uint32_t at = names_.find(member);
  if (at == NameTable::none) return;
  std::size_t& held = leases_[names_[at].lease].memberships;
  held -= std::min(held, memberships);
}

Name Book::any_below(const Name& prefix) const {
  for (std::uint32_t at = 0; at < names_.end(); ++at)
    if (!names_[at].name.empty() && strictly_below(names_[at].name, prefix)) return names_[at].name;
  return groups_.any_below(prefix);
}

MailboxOptions Book::mailbox_of(std::uint32_t at) const {
  const auto found = mailboxes_.find(at);
  return found == mailboxes_.end() ? MailboxOptions() : found->second;
}

Entry Book::entry_of(std::uint32_t at) const {
  const Record& record = names_[at];
  Entry entry;
  entry.name = record.name;
  entry.incarnation = incarnation_of(record);
  entry.lease = leases_.id_of(record.lease);
  entry.identity = leases_[record.lease].identity;
  if (record.properties) entry.properties = *record.properties;
  entry.mailbox = mailbox_of(at);
  return entry;
}

Result<std::uint32_t> Book::held(const Name& name, Incarnation incarnation) const {
  const std::uint32_t at = names_.find(name);
  if (at == NameTable::none)
    return Error(Errc::fenced, quoted(name.view()) +
                                   " has no holder any more (the agent left, or its lease has "
                                   "ended); register it again before acting under it");
  if (incarnation_of(names_[at]) != incarnation)
    return Error(Errc::fenced, quoted(name.view()) +
                                   " is held by another incarnation now; stop acting under it, or "
                                   "take it over");
  return at;
}

// Gives the record to a lease under a new incarnation.
Result<Incarnation> Book::settle(std::uint32_t at, std::uint32_t lease, Claim claim) {
  Record& record = names_[at];
  record.counter = ++last_counter_;
  set_properties(at, std::move(claim.properties));
  mailboxes_.erase(at);
  if (claim.mailbox != MailboxOptions()) mailboxes_.emplace(at, std::move(claim.mailbox));
  link(at, lease);
  if (watches_.wanted(record.name)) {
    DirectoryEvent event;
    event.kind = DirectoryEvent::Kind::arrived;
    event.name = record.name;
    event.incarnation = incarnation_of(record);
    event.lease = leases_.id_of(lease);
    event.mailbox = mailbox_of(at);
    watches_.publish(std::move(event));
  }
  return incarnation_of(record);
}

void Book::link(std::uint32_t at, std::uint32_t lease) {
  Lease& holder = leases_[lease];
  Record& record = names_[at];
  record.lease = lease;
  record.previous = holder.last;
  record.next = NameTable::none;
  (holder.last == NameTable::none ? holder.first : names_[holder.last].next) = at;
  holder.last = at;
  ++holder.names;
  holder.bytes += bytes_of(record);
}

void Book::unlink(std::uint32_t at) {
  const Record& record = names_[at];
  Lease& holder = leases_[record.lease];
  --holder.names;
  holder.bytes -= bytes_of(record);
  (record.previous == NameTable::none ? holder.first : names_[record.previous].next) = record.next;
  (record.next == NameTable::none ? holder.last : names_[record.next].previous) = record.previous;
}

void Book::end_lease(std::uint32_t lease, EndReason reason) {
  while (leases_[lease].first != NameTable::none)
    end_name(leases_[lease].first, {Name(), Incarnation(), reason, {}});
  ended_leases_.push_back(leases_.id_of(lease));
  if (watches_.wanted(Name())) {
    DirectoryEvent event;
    event.kind = DirectoryEvent::Kind::lease_ended;
    event.lease = leases_.id_of(lease);
    event.ending.reason = reason;
    watches_.publish(std::move(event));
  }
  leases_.close(lease);
}

void Book::end_name(std::uint32_t at, Ending ending) {
  announce_ending(names_[at], std::move(ending));
  unlink(at);
  set_properties(at, {});
  mailboxes_.erase(at);
  names_.erase(at);
}

void Book::announce_ending(const Record& record, Ending ending) {
  end_memberships(record.name, incarnation_of(record));
  if (!watches_.wanted(record.name)) return;
  DirectoryEvent event;
  event.kind = DirectoryEvent::Kind::ended;
  event.name = record.name;
  event.incarnation = incarnation_of(record);
  event.ending = std::move(ending);
  event.ending.name = record.name;
  event.ending.incarnation = event.incarnation;
  watches_.publish(std::move(event));
}

void Book::announce(DirectoryEvent::Kind kind, const Name& name, Incarnation incarnation,
                    const Name& group) {
  if (!watches_.wanted(name) && (group.empty() || !watches_.wanted(group))) return;
  DirectoryEvent event;
  event.kind = kind;
  event.name = name;
  event.group = group;
  event.incarnation = incarnation;
  watches_.publish(std::move(event));
}

}  // namespace coracle::detail
