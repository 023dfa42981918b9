#include "traffic.hpp"

#include "station.hpp"

#include <algorithm>
#include <utility>

namespace coracle::society {

void Traffic::bind(LinkUser& user, LeaseId self) {
  station_.run([this, &user, self] {
    send_outgoing();
    user_ = &user;
    if (self_ != 0) earlier_.insert(self_);
    self_ = self;
    on_bound();
  });
}

void Traffic::unbind() noexcept {
  user_ = nullptr;
  station_.end();
}

[[gnu::always_inline]] inline bool Traffic::pass(const Leases& leases, ByteSpan frame,
                                                 const Content& content, const Apart* apart) {
  if (station_.is_here()) {
    if (has_outgoing_.load()) send_outgoing();
    return send_now(leases, frame, content, apart);
  }
  Outgoing outgoing{leases, {frame.begin(), frame.end()}, content};
  if (apart != nullptr) outgoing.apart = *apart;
  return add(std::move(outgoing)) < most_outgoing;
}

bool Traffic::send(LeaseId self, LeaseId to, std::span<const std::byte> frame,
                   const Content& content) {
  return pass({self, to}, frame, content, nullptr);
}

bool Traffic::send_apart(LeaseId self, LeaseId to, std::span<const std::byte> frame,
                         const Content& content, const Apart& apart) {
  return pass({self, to}, frame, content, &apart);
}

// Not now: whoever sends may hold what its user needs for an answer.
void Traffic::look_for_apart_gone(LeaseId to, Way& way) {
  const auto number = way.take_apart_gone();
  if (!number) return;
  station_.soon([this, to, number = *number] {
    if (user_ != nullptr) user_->on_apart_gone(to, number);
  });
}

void Traffic::meet(LeaseId self, LeaseId peer) {
  if (!station_.is_here()) return (void)add({{self, peer}, {}, {}});
  send_outgoing();
  on_met({self, peer});
}

std::size_t Traffic::add(Outgoing outgoing) {
  std::size_t waiting = 0;
  {
    const std::lock_guard lock(mutex_);
    const LeaseId to = outgoing.leases.to;
    outgoing_.push_back(std::move(outgoing));
    waiting = outgoing_.size();
    has_outgoing_.store(true);
    if (waiting >= most_outgoing) wanting_.push_back(to);
  }
  if (waiting == 1) station_.run([this] { send_outgoing(); });
  return waiting;
}

void Traffic::send_outgoing() {
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
  // Not now: whoever sends may hold what its user needs for an answer.
  station_.soon([this, wanting = std::move(wanting)] {
    for (const LeaseId lease : wanting) {
      if (user_ != nullptr) user_->on_room(lease);
    }
  });
}

bool Traffic::is_acknowledged(net::Link& link) {
  if (!link.session().has_to_say()) return true;
  link.session().hurry();
  link.flush();
  return false;
}

bool Traffic::is_handed_over() {
  const std::lock_guard lock(mutex_);
  return outgoing_.empty();
}

}  // namespace coracle::society
