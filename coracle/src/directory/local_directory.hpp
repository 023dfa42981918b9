// The directory in this process's memory: a Book under a lock, and children that are asked about
// the names that were delegated to them. A call that concerns no child takes the lock once.
#pragma once

#include "book.hpp"
#include "delegation.hpp"
#include "watches.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coracle::detail {

// Names of this directory are in book_; names of the children are looked up there without the lock.
class LocalDirectory final : public Directory,
                             public Forwarder::Parent,
                             public std::enable_shared_from_this<LocalDirectory> {
 public:
  LocalDirectory(Clock& clock, std::uint32_t epoch, DirectoryLimits limits)
      : clock_(clock), limits_(limits), book_(epoch, of_one_process(limits), watches_) {}

  Task<Result<LeaseId>> open_lease(std::string identity, Duration term) override;
  Task<Result<void>> renew(LeaseId lease) override;
  Task<Result<void>> close_lease(LeaseId lease, EndReason reason) override;
  Task<Result<Incarnation>> claim(Claim claim) override;
  std::optional<Result<Incarnation>> try_claim(Claim& claim) override;
  Task<Result<Incarnation>> take_over(Claim claim) override;
  Task<Result<void>> leave(Name name, Incarnation incarnation, Ending ending) override;
  Task<Result<void>> describe(Name name, Incarnation incarnation, Properties properties) override;
  Task<std::optional<Entry>> look_up(Name name) override;
  std::optional<std::optional<Entry>> try_look_up(const Name& name) override;
  Task<std::vector<LeaseId>> leases() override;
  bool may_speak_as(LeaseId lease, const Name& source) override;
  bool is_message_store(LeaseId lease) override;
  void has_backend(LeaseId lease) override;
  Task<std::vector<Entry>> search(Query query) override;
  Task<Result<void>> join(Name group, Name member) override;
  Task<Result<void>> leave_group(Name group, Name member) override;
  Task<std::shared_ptr<const std::vector<Name>>> members(Name group) override;
  Task<std::uint64_t> watch(Name prefix, DirectoryWatcher& watcher) override;
  Task<void> unwatch(std::uint64_t watch) override;
  Task<Result<void>> delegate(Name prefix, std::shared_ptr<Directory> child) override;

  void forward(const Name& prefix, const DirectoryEvent& event) noexcept override;

 private:
  static DirectoryLimits of_one_process(DirectoryLimits limits) {
    limits.names_of_lease = limits.memberships_of_lease = limits.bytes_of_lease = ~std::size_t{0};
    return limits;
  }

  using Below = std::shared_ptr<Delegation>;

  // One hold of the lock. It begins with the endings that are due and ends by notifying watchers.
  class Session {
   public:
    explicit Session(LocalDirectory& directory, const Name& expected = {})
        : directory_(directory), lock_(directory.mutex_) {
      Book& book = directory_.book_;
      if (!expected.empty()) book.expect(expected);
      if (book.next_expiry() != Time::max()) book.sweep(directory_.clock_.now());
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session() {
      if (directory_.book_.leases_ended())
        for (const LeaseId lease : directory_.book_.take_ended_leases())
          directory_.delegations_.forget(lease);
      directory_.watches_.tell(lock_);
    }

    std::unique_lock<std::mutex>& lock() noexcept { return lock_; }

   private:
    LocalDirectory& directory_;
    std::unique_lock<std::mutex> lock_;
  };

  void search_here(const Query& query, std::vector<Entry>& found);
  std::vector<Below> touching(const Name& prefix);
  LeaseId match_of(const Delegation& below, LeaseId lease);
  void forget(Delegation& below, LeaseId lease, LeaseId match);
  Task<Result<LeaseId>> lease_below(Below below, LeaseId lease);
  Task<Result<Incarnation>> claim_below(Below below, Claim claim, bool take_over);
  std::optional<Error> objection(const Name& prefix) const;

  Clock& clock_;
  const DirectoryLimits limits_;
  std::mutex mutex_;  // guards the members below
  Watches watches_;
  Book book_;
  Delegations delegations_;
  std::vector<ForwarderWatch> forwarders_;
  std::set<LeaseId> message_stores_;
};

}  // namespace coracle::detail
