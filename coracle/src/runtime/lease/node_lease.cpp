#include "node_lease.hpp"

#include "coracle/support/log.hpp"
#include "runtime/node/node_core.hpp"

#include <utility>

namespace coracle::detail {

struct NodeLease::Renewal final : TimerNode {
  explicit Renewal(NodeLease& which)
      : TimerNode([](TimerNode& timer) noexcept {
          static_cast<Renewal&>(timer).lease.renew(*timer.owner);
        }),
        lease(which) {}
  NodeLease& lease;
};

NodeLease::NodeLease(NodeCore& node) noexcept : node_(node) {}

NodeLease::~NodeLease() = default;

Task<> NodeLease::open() {
  auto lease = co_await node_.directory().open_lease(node_.options().identity, term);
  id_ = lease.value();
  schedule_renewal();
}

// Half a term is early enough, and late enough not to matter.
void NodeLease::schedule_renewal() {
  if (!renewal_) renewal_ = std::make_unique<Renewal>(*this);
  renewal_->arm(node_.worker(0), node_.clock().now() + term / 2);
}

bool NodeLease::renewal_is_due() const noexcept {
  return renewal_ && renewal_->place != TimerNode::idle;
}

void NodeLease::lose() noexcept {
  is_registering_.store(true);
  renew_soon();
}

void NodeLease::renew_soon() noexcept {
  node_.worker(0).post(command([this](Worker& at) {
    if (!node_.stopping().ended()) renew(at);
  }));
}

void NodeLease::renew(Worker& worker) noexcept {
  renews_again_ = std::exchange(is_renewing_, true);
  if (renews_again_) return;
  run_detached(worker, [](NodeLease& self) -> Task<> {
    const auto renewed = co_await self.node_.directory().renew(self.id_);
    if (!renewed && !self.node_.stopping().has_begun()) {
      const bool is_over = renewed.error().errc() == Errc::expired;
      log_warning(is_over
                      ? "this node's lease expired, because nothing was received from it for too "
                        "long; it registers its agents again"
                      : renewed.error().sentence());
      if (is_over) {
        Task<> registering = self.register_again(*Worker::current());
        co_await registering;
      }
    } else if (renewed && self.is_registering()) {  // the renewal was repeated, and all is well
      Task<> judging = self.judge_names();
      co_await judging;
    }
    self.is_renewing_ = false;
    if (self.node_.stopping().ended()) co_return;
    if (std::exchange(self.renews_again_, false)) co_return self.renew(*Worker::current());
    self.schedule_renewal();
  }(*this));
}

}  // namespace coracle::detail
