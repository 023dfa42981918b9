#include "frame_transport.hpp"

#include "realizations/net/src/society/home/connectivity.hpp"

#include <algorithm>
#include <utility>

namespace coracle::society {

void FrameTransport::attach(FrameReceiver& user, LeaseId self) {
  connectivity_.run([this, &user, self] {
    send_outgoing();
    user_ = &user;
    if (self_ != 0) earlier_.insert(self_);
    self_ = self;
    on_bound();
  });
}

void FrameTransport::detach() noexcept {
  user_ = nullptr;
  connectivity_.end();
}

bool FrameTransport::send(LeaseId self, LeaseId to, std::span<const std::byte> frame,
                          const Content& content, const Apart* apart) {
  const Leases leases{self, to};
  if (connectivity_.is_here()) {
    if (has_outgoing_.load()) send_outgoing();
    return send_now(leases, frame, content, apart);
  }
  Outgoing outgoing{leases, {frame.begin(), frame.end()}, content};
  if (apart != nullptr) outgoing.apart = *apart;
  return add(std::move(outgoing)) < most_outgoing;
}

// Runs later, because the sender may hold something that its user needs for a reply.
void FrameTransport::look_for_apart_gone(LeaseId to, FrameChannel& channel) {
  const auto number = channel.take_apart_gone();
  if (!number) return;
  connectivity_.soon([this, to, number = *number] {
    if (user_ != nullptr) user_->on_apart_gone(to, number);
  });
}

void FrameTransport::meet(LeaseId self, LeaseId peer) {
  if (!connectivity_.is_here()) return (void)add({{self, peer}, {}, {}});
  send_outgoing();
  on_met({self, peer});
}

std::size_t FrameTransport::add(Outgoing outgoing) {
  std::size_t waiting = 0;
  {
    const std::lock_guard lock(mutex_);
    const LeaseId to = outgoing.leases.to;
    outgoing_.push_back(std::move(outgoing));
    waiting = outgoing_.size();
    has_outgoing_.store(true);
    if (waiting >= most_outgoing) wanting_.push_back(to);
  }
  if (waiting == 1) connectivity_.run([this] { send_outgoing(); });
  return waiting;
}

void FrameTransport::send_outgoing() {
  if (!has_outgoing_.load()) return;
  std::vector<Outgoing> outgoing;
  std::vector<LeaseId> wanting;
  {
    const std::lock_guard lock(mutex_);
    has_outgoing_.store(false);
    outgoing.swap(outgoing_);
    wanting.swap(wanting_);
  }
  std::vector<LeaseId> full;
  for (const Outgoing& each : outgoing) {
    if (each.frame.empty()) {
      on_met(each.leases);
      continue;
    }
    const Apart* const apart = each.apart ? &*each.apart : nullptr;
    if (!send_now(each.leases, each.frame, each.content, apart)) full.push_back(each.leases.to);
  }
  std::erase_if(wanting, [&full](LeaseId lease) {
    return std::find(full.begin(), full.end(), lease) != full.end();
  });
  if (wanting.empty()) return;
  // Runs later, because the sender may hold something that its user needs for a reply.
  connectivity_.soon([this, wanting = std::move(wanting)] {
    for (const LeaseId lease : wanting) {
      if (user_ != nullptr) user_->on_room(lease);
    }
  });
}

bool FrameTransport::is_acknowledged(net::Link& link) {
  if (!link.session().has_unacknowledged()) return true;
  link.session().hurry();
  link.flush();
  return false;
}

bool FrameTransport::is_handed_over() {
  const std::lock_guard lock(mutex_);
  return outgoing_.empty();
}

}  // namespace coracle::society
