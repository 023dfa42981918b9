#include "directory/local_directory.hpp"

#include <utility>

namespace coracle {

namespace detail {

Task<Result<LeaseId>> LocalDirectory::open_lease(std::string identity, Duration term) {
  Session session(*this);
  co_return book_.open_lease(std::move(identity), term, clock_.now());
}

Task<Result<Incarnation>> LocalDirectory::claim(Claim claim) {
  Below below;
  {
    Session session(*this);
    below = delegations_.route(claim.name);
    if (below == nullptr) co_return book_.claim(std::move(claim));
  }
  co_return co_await claim_below(std::move(below), std::move(claim), false);
}

std::optional<Result<Incarnation>> LocalDirectory::try_claim(Claim& claim) {
  Session session(*this, claim.name);
  if (delegations_.route(claim.name) != nullptr) return std::nullopt;
  return book_.claim(std::move(claim));
}

Task<Result<Incarnation>> LocalDirectory::take_over(Claim claim) {
  Below below;
  {
    Session session(*this);
    below = delegations_.route(claim.name);
    if (below == nullptr) co_return book_.take_over(std::move(claim));
  }
  co_return co_await claim_below(std::move(below), std::move(claim), true);
}

Task<Result<void>> LocalDirectory::leave(Name name, Incarnation incarnation, Ending ending) {
  Below below;
  {
    Session session(*this);
    below = delegations_.route(name);
    if (below == nullptr) co_return book_.leave(name, incarnation, std::move(ending));
  }
  co_return co_await below->child->leave(std::move(name), incarnation, std::move(ending));
}

Task<Result<void>> LocalDirectory::describe(Name name, Incarnation incarnation,
                                            Properties properties) {
  Below below;
  {
    Session session(*this);
    below = delegations_.route(name);
    if (below == nullptr) co_return book_.describe(name, incarnation, std::move(properties));
  }
  co_return co_await below->child->describe(std::move(name), incarnation, std::move(properties));
}

Task<std::optional<Entry>> LocalDirectory::look_up(Name name) {
  Below below;
  {
    Session session(*this);
    below = delegations_.route(name);
    if (below == nullptr) co_return book_.look_up(name);
  }
  std::optional<Entry> entry = co_await below->child->look_up(std::move(name));
  Session session(*this);
  if (entry) entry = below->translated(std::move(*entry));
  co_return entry;
}

std::optional<std::optional<Entry>> LocalDirectory::try_look_up(const Name& name) {
  Session session(*this);
  if (delegations_.route(name) != nullptr) return std::nullopt;
  return book_.look_up(name);
}

Task<std::vector<LeaseId>> LocalDirectory::leases() {
  Session session(*this);
  co_return book_.leases();
}

bool LocalDirectory::may_speak_as(LeaseId lease, const Name& source) {
  Session session(*this);
  return delegations_.route(source) != nullptr || book_.may_speak_as(lease, source);
}

bool LocalDirectory::is_message_store(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  return message_stores_.contains(lease);
}

void LocalDirectory::has_backend(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  message_stores_.insert(lease);
}

Task<Result<void>> LocalDirectory::leave_group(Name group, Name member) {
  Below below;
  {
    Session session(*this);
    below = delegations_.route(group);
    if (below == nullptr) {
      book_.leave_group(group, member);
      co_return Result<void>();
    }
  }
  co_return co_await below->child->leave_group(std::move(group), std::move(member));
}

Task<std::shared_ptr<const std::vector<Name>>> LocalDirectory::members(Name group) {
  Below below;
  {
    Session session(*this);
    below = delegations_.route(group);
    if (below == nullptr) co_return book_.members(group);
  }
  co_return co_await below->child->members(std::move(group));
}

Task<std::uint64_t> LocalDirectory::watch(Name prefix, DirectoryWatcher& watcher) {
  Session session(*this);
  if (watches_.size() >= limits_.watches)
    throw Error(Errc::limit_reached, "the directory has as many watches as " +
                                         std::to_string(limits_.watches) +
                                         ", its limit; raise DirectoryLimits::watches, or watch "
                                         "a common prefix once");
  if (prefix.empty()) book_.remember_holders();  // a node of several watches all names
  co_return watches_.add(std::move(prefix), watcher);
}

Task<void> LocalDirectory::unwatch(std::uint64_t watch) {
  Session session(*this);
  watches_.remove(watch, session.lock());
  co_return;
}

}  // namespace detail

std::shared_ptr<Directory> local_directory(Clock& clock, std::uint32_t epoch,
                                           DirectoryLimits limits) {
  return std::make_shared<detail::LocalDirectory>(clock, epoch, limits);
}

}  // namespace coracle
