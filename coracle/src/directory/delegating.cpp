// The calls that a local directory makes together with its children. No function awaits while it
// holds the lock.
#include "coracle/support/error_texts.hpp"
#include "coracle/support/quote.hpp"
#include "local_directory.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace coracle::detail {

namespace {

// The number of records that a search looks at before other calls get the directory.
constexpr std::uint32_t search_step = 1024;

// Orders entries by name, keeps the latest incarnation of each name, and at most `limit` entries.
void order_and_cut(std::vector<Entry>& entries, std::size_t limit) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.name != b.name ? a.name < b.name : a.incarnation > b.incarnation;
  });
  const auto same_name = [](const Entry& a, const Entry& b) { return a.name == b.name; };
  entries.erase(std::unique(entries.begin(), entries.end(), same_name), entries.end());
  if (entries.size() > limit)
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(limit), entries.end());
}

}  // namespace

Task<Result<void>> LocalDirectory::renew(LeaseId lease) {
  std::vector<Below> children;
  {
    Session session(*this);
    const Result<void> renewed = book_.renew(lease, clock_.now());
    if (!renewed) co_return renewed;
    children = delegations_.all();
  }
  for (const Below& below : children) {
    const LeaseId match = match_of(*below, lease);
    if (match == 0) continue;
    const Result<void> renewed = co_await below->child->renew(match);
    if (!renewed && renewed.error().errc() == Errc::expired) forget(*below, lease, match);
  }
  co_return Result<void>();
}

Task<Result<void>> LocalDirectory::close_lease(LeaseId lease, EndReason reason) {
  std::vector<std::pair<Below, LeaseId>> matches;
  {
    Session session(*this);
    for (const Below& below : delegations_.all())
      if (const LeaseId match = below->forget(lease)) matches.emplace_back(below, match);
    const Result<void> closed = book_.close_lease(lease, reason);
    if (!closed) co_return closed;
  }
  for (const auto& [below, match] : matches) {
    // It is no failure if the child's lease has ended already.
    const Result<void> closed = co_await below->child->close_lease(match, reason);
    if (!closed && closed.error().errc() != Errc::expired) co_return closed;
  }
  co_return Result<void>();
}

Task<std::vector<Entry>> LocalDirectory::search(Query query) {
  std::vector<Entry> found;
  if (query.limit == 0) co_return found;
  search_here(query, found);
  for (const Below& below : touching(query.prefix)) {
    Query asked = query;
    if (!query.prefix.within(below->prefix)) asked.prefix = below->prefix;
    // The child may have an entry for the prefix itself, which does not belong to the child.
    if (asked.limit < std::numeric_limits<std::size_t>::max()) ++asked.limit;
    std::vector<Entry> theirs = co_await below->child->search(std::move(asked));
    Session session(*this);
    for (Entry& entry : theirs)
      if (strictly_below(entry.name, below->prefix))
        found.push_back(below->translated(std::move(entry)));
  }
  order_and_cut(found, query.limit);
  co_return found;
}

Task<Result<void>> LocalDirectory::join(Name group, Name member) {
  Below of_group, of_member;
  {
    Session session(*this);
    of_group = delegations_.route(group);
    of_member = delegations_.route(member);
    if (of_group == nullptr) {
      const Result<void> joined = book_.join(group, member, of_member != nullptr);
      if (!joined || of_member == nullptr) co_return joined;
    }
  }
  if (of_group != nullptr) {
    if (of_group == of_member)
      co_return co_await of_group->child->join(std::move(group), std::move(member));
    co_return Error(Errc::unsupported,
                    "the group " + quoted(group.view()) + " belongs to a delegated directory, " +
                        "which does not have " + quoted(member.view()) +
                        "; choose a group outside of " + quoted(of_group->prefix.view()));
  }
  // The member joins before the child is asked, so that an ending in between is not missed.
  const std::optional<Entry> entry = co_await of_member->child->look_up(member);
  if (entry) co_return Result<void>();
  Session session(*this);
  book_.leave_group(group, member);
  co_return book_.join(group, member, false);  // fails with the reason
}

void LocalDirectory::forward(const Name& prefix, const DirectoryEvent& event) noexcept {
  const Name& subject = event.group.empty() ? event.name : event.group;
  if (!strictly_below(subject, prefix)) return;
  Session session(*this);
  if (event.kind == DirectoryEvent::Kind::ended)
    book_.end_memberships(event.name, event.incarnation);
  watches_.publish(event);
}

void LocalDirectory::search_here(const Query& query, std::vector<Entry>& found) {
  const std::size_t enough = std::min(query.limit, std::size_t{1} << 40) * 2 + search_step;
  bool more = true;
  for (std::uint32_t from = 0; more; from += search_step) {
    {
      Session session(*this);
      more = book_.search(query, from, search_step, found);
    }
    if (found.size() >= enough) order_and_cut(found, query.limit);
  }
  order_and_cut(found, query.limit);
}

std::vector<LocalDirectory::Below> LocalDirectory::touching(const Name& prefix) {
  Session session(*this);
  return delegations_.touching(prefix);
}

LeaseId LocalDirectory::match_of(const Delegation& below, LeaseId lease) {
  Session session(*this);
  return below.match_of(lease);
}

// Forgets that `match` is the child's lease, unless another match has replaced it.
void LocalDirectory::forget(Delegation& below, LeaseId lease, LeaseId match) {
  Session session(*this);
  if (below.match_of(lease) == match) below.forget(lease);
}

// The child's lease that matches ours; it is opened when it is first needed.
Task<Result<LeaseId>> LocalDirectory::lease_below(Below below, LeaseId lease) {
  std::string identity;
  Duration term{};
  {
    Session session(*this);
    const Lease* held = book_.lease(lease);
    if (held == nullptr) co_return lease_ended(lease);
    if (const LeaseId match = below->match_of(lease)) co_return match;
    identity = held->identity;
    term = held->term;
  }
  const Result<LeaseId> opened = co_await below->child->open_lease(std::move(identity), term);
  if (!opened) co_return opened;
  LeaseId match = 0;
  {
    Session session(*this);
    const bool alive = book_.lease(lease) != nullptr;
    match = below->match_of(lease);
    if (alive && match == 0) {
      below->there.emplace(lease, *opened);
      below->here.emplace(*opened, lease);
      co_return opened;
    }
  }
  // Another call has opened a lease first, or our lease has ended: the new lease is not needed.
  const Result<void> closed = co_await below->child->close_lease(*opened, EndReason::stopped);
  static_cast<void>(closed);
  if (match == 0) co_return lease_ended(lease);
  co_return match;
}

Task<Result<Incarnation>> LocalDirectory::claim_below(Below below, Claim claim, bool take_over) {
  const LeaseId lease = claim.lease;
  for (int attempt = 1;; ++attempt) {
    const Result<LeaseId> match = co_await lease_below(below, lease);
    if (!match) co_return match.error();
    Claim asked = claim;
    asked.lease = *match;
    Result<Incarnation> result = Incarnation();
    if (take_over) result = co_await below->child->take_over(std::move(asked));
    else result = co_await below->child->claim(std::move(asked));
    if (result || result.error().errc() != Errc::expired || attempt == 2) co_return result;
    // The child has lost the lease, but ours may still be open: try once more with a new lease.
    forget(*below, lease, *match);
  }
}

std::optional<Error> LocalDirectory::objection(const Name& prefix) const {
  if (const Below other = delegations_.any_within(prefix))
    return Error(Errc::name_taken, quoted(other->prefix.view()) +
                                       " is delegated already; delegate outer prefixes first");
  const Name taken = book_.any_below(prefix);
  if (taken.empty()) return std::nullopt;
  return Error(Errc::name_taken, quoted(taken.view()) + " is held here; delegate " +
                                     quoted(prefix.view()) +
                                     " before names below it are registered");
}

Task<Result<void>> LocalDirectory::delegate(Name prefix, std::shared_ptr<Directory> child) {
  if (prefix.empty())
    co_return Error(Errc::bad_name,
                    "an empty prefix would delegate everything; use the child "
                    "itself, or give the prefix that it is responsible for");
  if (child == nullptr || child.get() == this)
    co_return Error(Errc::bad_options,
                    "a directory cannot delegate to itself or to no directory; "
                    "give another directory");
  Below outer;
  {
    Session session(*this);
    outer = delegations_.route(prefix);
    if (outer == nullptr)
      if (const std::optional<Error> error = objection(prefix)) co_return *error;
  }
  if (outer != nullptr)
    co_return co_await outer->child->delegate(std::move(prefix), std::move(child));

  // The watch begins before this directory asks the child for `prefix`, so that no event is missed.
  auto forwarder = std::make_unique<Forwarder>(
      std::weak_ptr<Forwarder::Parent>(shared_from_this()), prefix);
  const std::uint64_t id = co_await child->watch(prefix, *forwarder);
  ForwarderWatch watch(child, std::move(forwarder), id);
  Session session(*this);
  if (const std::optional<Error> error = objection(prefix)) co_return *error;
  delegations_.add(std::make_shared<Delegation>(prefix, child));
  forwarders_.push_back(std::move(watch));
  co_return Result<void>();
}

}  // namespace coracle::detail
