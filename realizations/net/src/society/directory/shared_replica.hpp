// A node's replica of the directory, and the policy if the node enforces one. The announcements of
// the service change it on the thread of the links; the node's workers look in it.
// `net` in a comment means: on the thread of the links.
#pragma once

#include "node_events.hpp"
#include "realizations/net/src/link.hpp"
#include "realizations/net/src/society/policy/gate.hpp"
#include "realizations/net/src/society/policy/refusal_reports.hpp"
#include "replica.hpp"
#include "service_channel.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

namespace coracle::society {

class NodeConnectivity;

class SharedReplica {
 public:
  // The replica, and the lock that it needs.
  struct Access {
    std::unique_lock<std::mutex> lock;
    Replica* replica;
    Replica* operator->() const noexcept { return replica; }
  };

  // The references outlive this object.
  SharedReplica(NodeConnectivity& connectivity, NodeEvents& events, ServiceChannel& channel);

  Access lock() { return {std::unique_lock(mutex_), &replica_}; }
  // Returns the node of a lease, if it is known.
  std::optional<NodeInfo> node_of(LeaseId lease);
  // Returns whether this node or the service enforces a policy.
  bool has_policy() const noexcept { return has_policy_.load(); }

  // net: the policy, if the directory has this node enforce one.
  Gate& gate() noexcept { return gate_; }
  // net: reports at once what the gate has refused.
  void report_refusals() { reports_.report(); }
  // net: a service begins anew, with nothing.
  void begin_again();
  // net: requests from a service that begins anew what the replica follows.
  void follow_again();
  // net: reads the rest of an announcement; returns false when it is malformed.
  bool receive(Announcement kind, FrameReader& in);
  // net: this node's lease is not valid any more. The node learns it at once, and opens another.
  void end_own(LeaseId lease);
  // net: returns whether a service has ever announced all that it knew of what is followed.
  bool was_complete() const noexcept { return was_complete_; }
  // net: returns the latest generation of the announced leases.
  std::uint64_t latest_generation() const noexcept { return latest_generation_; }

 private:
  bool receive_lease(FrameReader& in);
  bool receive_event(FrameReader& in);
  bool receive_policy(FrameReader& in);
  void note_complete();
  void confirm_group_change();
  void forget_missing();
  void notify_watchers();

  NodeConnectivity& connectivity_;
  NodeEvents& events_;
  ServiceChannel& channel_;

  // net
  Gate gate_;
  RefusalReports reports_;
  std::uint64_t latest_generation_ = 0;
  std::uint64_t groups_seen_ = 0;  // changes of groups since the replica was complete
  bool is_complete_ = false;       // all that this service knew of what is followed has come
  bool was_complete_ = false;
  std::unique_ptr<net::Alarm> missing_;  // for entries that were not announced again

  std::atomic<bool> has_policy_{false};
  std::mutex mutex_;  // guards what follows
  Replica replica_;
};

}  // namespace coracle::society
