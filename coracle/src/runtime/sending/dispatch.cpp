#include "dispatch.hpp"

#include "coracle/support/error_texts.hpp"
#include "fast_path.hpp"
#include "runtime/elsewhere/side.hpp"
#include "runtime/remote/homes.hpp"
#include "runtime/store/storing.hpp"

namespace coracle::detail {

Dispatch::~Dispatch() {
  if (!waiting) return;
  worker.node().transport().forget(*this);
  worker.cycles.end(owner.agent_, owner);
}

void Dispatch::begin(Deadline patience) noexcept {
  waiting = true;
  const NodeOptions& options = worker.node().options();
  const Time present = worker.now();
  const Time own = patience.at(present);
  arm(worker, std::min(own, Deadline(options.patience).at(present)));
  begun = present;
  worker.dispatches.push_back(*this);
  await_credit();
}

void Dispatch::await_credit() noexcept {
  // No agent causes a full route, and the route empties by itself; only a full mailbox makes a
  // sender wait for the mailbox's agent. A reply has its slot, so it can only wait for the route.
  worker.cycles.end(owner.agent_, owner);
  const bool for_agent = (owner.record_->flags & reply_flag) == 0 &&
                         !is_storing(*owner.record_->target) &&
                         !worker.exchange.is_full_to(*owner.target_);
  if (for_agent && !worker.cycles.begin(owner.agent_, owner.target_, owner)) {
    owner.more().text = circle(*owner.target_, *Access::mailbox(owner.agent_));
    return give_up(Errc::deadlock);
  }
  Envelope envelope(owner.record_);
  worker.node().transport().await_credit(envelope, *this);
  Access::release(envelope);
}

void Dispatch::on_credit(bool granted) noexcept {
  Errc& error = owner.error_;
  if (!granted) {
    return give_up(owner.record_->target->is_held() ? Errc::mailbox_full : Errc::absent_full);
  }
  switch (worker.outgoing.try_send(owner.agent_, owner.record_, error)) {
    case Sent::accepted:
      return finish();
    case Sent::wait:
      return await_credit();
    case Sent::failed:
      return give_up(error);
  }
}

void Dispatch::on_time(TimerNode& node) noexcept {
  auto& self = static_cast<Dispatch&>(node);
  const Mailbox& target = *self.owner.record_->target;
  if (is_storing(target))
    self.owner.more().text = why_not_kept(reason_not_to_keep(known_side(target)->refusal));
  self.give_up(Errc::mailbox_full);
}

void Dispatch::give_up(Errc error) noexcept {
  owner.error_ = error;
  if (waiting) worker.node().transport().forget(*this);
  worker.outgoing.refuse(owner.agent_, owner.record_);
  finish();
}

void Dispatch::finish() noexcept {
  if (place != idle) disarm();
  if (waiting) worker.cycles.end(owner.agent_, owner);
  waiting = false;
  unlink();
  owner.on_dispatched();
}

}  // namespace coracle::detail
