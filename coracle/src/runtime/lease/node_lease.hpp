// The lease under which a node holds the names of its agents.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/directory.hpp"
#include "coracle/task.hpp"

#include <atomic>
#include <chrono>
#include <memory>

namespace coracle::detail {

class Mailbox;
class NodeCore;
class Worker;

// Renews the lease in time. If the lease ends although the node lives, the node opens another lease
// and registers its names again (registration.cpp). Until these registration requests are decided,
// no agent loses its name because another one seems to hold it. The first worker calls, unless
// stated.
class NodeLease {
 public:
  explicit NodeLease(NodeCore& node) noexcept;
  ~NodeLease();

  // From any thread.
  LeaseId id() const noexcept { return id_.load(std::memory_order_relaxed); }
  Task<> open();
  // Returns whether the alarm for the next renewal is set.
  bool renewal_is_due() const noexcept;
  // While all workers stand still: returns whether a renewal has had no reply yet.
  bool is_renewing() const noexcept { return is_renewing_; }
  // Renews the lease soon, after a report that it has ended. From any thread.
  void renew_soon() noexcept;
  // The directory has reported that the lease has ended. From any thread.
  void lose() noexcept;
  // Returns whether names are being registered again. From any thread.
  bool is_registering() const noexcept { return is_registering_.load(); }
  // Renews the lease, or registers again if the lease has ended, and waits a moment. On any worker.
  Task<> registers_soon();

 private:
  struct Renewal;
  static constexpr Duration term = std::chrono::seconds(30);

  void schedule_renewal();
  void renew(Worker& worker) noexcept;
  Task<> register_again(Worker& worker);
  Task<> claim_again(Mailbox& mailbox);
  Task<> judge_names();

  NodeCore& node_;
  std::atomic<LeaseId> id_{0};
  std::atomic<bool> is_registering_{false};
  std::unique_ptr<Renewal> renewal_;
  bool is_renewing_ = false, renews_again_ = false;
};

}  // namespace coracle::detail
