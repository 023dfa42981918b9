// The frames that a node sends to other nodes. A frame is a kind, followed by the contents of that
// kind. A name is spelled once for each pair of nodes; after that, a number stands for it.
#include "remote.hpp"

#include "borrowed_content.hpp"
#include "coracle/support/mutations.hpp"
#include "homes.hpp"
#include "runtime/mailbox/probe.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/store/storing.hpp"

#include <algorithm>

namespace coracle::detail {

ReportKind report_of(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::consumed:
      return ReportKind::consumed;
    case Outcome::expired:
      return ReportKind::expired;
    case Outcome::refused:
      return ReportKind::refused;
    default:
      return ReportKind::undeliverable;
  }
}

Task<> Remote::begin() {
  Directory& directory = node_.directory();
  watch_ = co_await directory.watch(Name(), *this);
  take_lease();
  // Stored messages are loaded before any holder is known. Otherwise a holder could be taken for
  // one that has none of these messages.
  if (node_.backend() != nullptr) begin_keeping(*Worker::current());
  locate(*node_.mailbox(Node::dead_letters(), *Worker::current()));  // older than the watch
  if (mutated(Mutation::taps_not_asked_for)) co_return;
  const std::function<void(LeaseId, std::uint64_t)> greet =
      [this](LeaseId to, std::uint64_t token) { send_token(to, greeting_frame, token); };
  Task<> asking = ask_all(*Worker::current(), greeting_patience, greet);
  co_await asking;
}

void Remote::take_lease(const std::vector<LeaseId>& open) {
  {
    const std::lock_guard lock(mutex_);
    self_ = node_.lease();
    for (const LeaseId lease : open) {
      gone_.erase(lease);
      ended_.erase(lease);
    }
    for (auto& [lease, peer] : peers_) retired_.push_back(std::move(peer));
    peers_.clear();
    latest_.store(nullptr, std::memory_order_release);
  }
  transport_.attach(*this, node_.lease());
}

Task<> Remote::begin_again(Worker& at) {
  std::vector<OwnTap> taps;
  {
    const std::lock_guard lock(mutex_);
    taps = own_taps_;
  }
  // All requests are sent at once, so that slow nodes are waited for only once.
  const Signal done(at);
  {
    const std::shared_ptr<void> last(nullptr, [done](void*) { done.set(); });
    for (const OwnTap& tap : taps) {
      at.run_detached([](Remote& self, Worker& here, OwnTap one, std::shared_ptr<void>) -> Task<> {
        Task<> asking = self.ask_to_hear(here, std::move(one));
        co_await asking;
      }(*this, at, tap, last));
    }
  }
  (void)co_await done.wait();
  const std::vector<LeaseId> leases = co_await node_.directory().leases();
  for (const LeaseId lease : leases) {
    if (lease != node_.lease()) send_store(lease, kept_here());
  }
}

Task<> Remote::end() {
  if (node_.backend() != nullptr) node_.backend()->end(node_.clock().now());
  transport_.detach();
  co_await node_.directory().unwatch(watch_);
}

Remote::Peer& Remote::look_up(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  auto& found = peers_[lease];
  if (!found) {
    found = std::make_unique<Peer>(self_, lease, node_.worker_count() > 1);
    if (gone_.contains(lease)) forget_soon(lease);
  }
  latest_.store(found.get(), std::memory_order_release);
  return *found;
}

Remote::Peer* Remote::known_peer(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  const auto known = peers_.find(lease);
  return known == peers_.end() ? nullptr : known->second.get();
}

LeaseId Remote::self() {
  const std::lock_guard lock(mutex_);
  return self_;
}

bool Remote::is_gone(LeaseId lease) {
  const std::lock_guard lock(mutex_);
  return gone_.contains(lease);
}

// Returns the entry that the caller updates for the next message; nullptr when the name gets no
// number.
Remote::SentName* Remote::write_name(Peer& to, FrameBuffer& out, const Mailbox& mailbox) {
  // Most messages are between the same few names.
  auto& lately = to.sent_lately(mailbox);
  if (lately.first == &mailbox) [[likely]] {
    out.number(lately.second->number);
    return lately.second;
  }
  return find_name(to, out, mailbox);
}

Remote::SentName* Remote::find_name(Peer& to, FrameBuffer& out, const Mailbox& mailbox) {
  const auto known = to.told.find(&mailbox);
  if (known != to.told.end()) {
    to.sent_lately(mailbox) = {&mailbox, &known->second};
    out.number(known->second.number);
    return &known->second;
  }
  const bool keep = to.told.size() < names_sent_limit;
  out.number(keep ? new_name : passing_name);
  out.text(mailbox.name.view());
  if (!keep) return nullptr;
  return &to.told.emplace(&mailbox, SentName{to.told.size() + first_number, {}, 0, 0, {}})
              .first->second;
}

void Remote::send_slot_withdrawal(Mailbox& target, std::uint64_t number) {
  at_home(target, [this, number](Worker&, Mailbox& there) {
    const RemoteSide* const side = there.extension->remote.get();
    if (side == nullptr || side->now.lease == 0) return;
    Peer& other = peer(side->now.lease);
    const std::lock_guard lock(other.mutex);
    FrameBuffer& out = other.frame;
    out.clear();
    out.byte(slot_withdrawal_frame);
    write_name(other, out, there);
    out.number(number);
    transport_.send(other.self, side->now.lease, out, {}, nullptr);
  });
}

void Remote::send_slot_answer(LeaseId to, const Mailbox& target, std::uint64_t number,
                              std::uint8_t answer) {
  Peer& other = peer(to);
  const std::lock_guard lock(other.mutex);
  FrameBuffer& out = other.frame;
  out.clear();
  out.byte(slot_answer_frame);
  write_name(other, out, target);
  out.number(number);
  out.byte(answer);
  transport_.send(other.self, to, out, {}, nullptr);
}

// The answer to a slot request for a name that has no record here.
void Remote::send_slot_answer(LeaseId to, const Name& target, std::uint64_t number,
                              std::uint8_t answer) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(slot_answer_frame);
  spell(out, target.view());
  out.number(number);
  out.byte(answer);
  transport_.send(self(), to, frame, {}, nullptr);
}

void Remote::on_room(LeaseId lease) {
  if (!node_.is_here()) {
    return node_.worker(0).post(command([this, lease](Worker&) { on_room(lease); }));
  }
  Peer& other = peer(lease);
  std::vector<Mailbox*> blocked;
  {
    const std::lock_guard lock(other.mutex);
    blocked.swap(other.blocked);
    other.is_full = false;
  }
  for (Mailbox* const mailbox : blocked) {
    at_home(*mailbox, [](Worker& home, Mailbox& there) { home.unblock(there); });
  }
}

// Combines a run of equal reports into one; most reports are in runs.
void Remote::send_reports(std::vector<DeliveryReport>& reports) {
  const auto in_order = [](const DeliveryReport& a, const DeliveryReport& b) {
    if (a.origin != b.origin) return a.origin < b.origin;
    // Sorted by name, not by address, so that a run can be repeated.
    return a.target != b.target && a.target->name.view() < b.target->name.view();
  };
  if (!std::is_sorted(reports.begin(), reports.end(), in_order)) {
    std::stable_sort(reports.begin(), reports.end(), in_order);
  }
  for (std::size_t at = 0; at < reports.size();) {
    const LeaseId origin = reports[at].origin;
    Peer& other = peer(origin);
    const std::lock_guard lock(other.mutex);
    FrameBuffer& out = other.frame;
    out.clear();
    out.byte(reports_frame);
    while (at < reports.size() && reports[at].origin == origin) {
      const DeliveryReport& begin = reports[at];
      std::uint64_t count = begin.count;
      for (++at; at < reports.size() && reports[at - 1].is_before(reports[at]); ++at)
        count += reports[at].count;
      write_name(other, out, *begin.target);
      out.byte(begin.report);
      out.number(begin.serial);
      out.number(count);
    }
    transport_.send(other.self, origin, out, {}, nullptr);
  }
  reports.clear();
}

void Remote::send_closed(LeaseId to, const Mailbox& mailbox, const Ending& ending) {
  std::vector<std::byte> frame;
  FrameWriter out(frame);
  out.byte(closed_frame);
  spell(out, mailbox.name.view());  // gets no number: it goes out later than other frames
  out.number(number_of_life(ending.incarnation));
  out.byte(static_cast<std::uint8_t>(ending.reason));
  out.text(std::string_view(ending.text).substr(0, closed_text_limit));
  const FramePair pair = frame_pair(&mailbox, nullptr);
  pass_through_all(node_, 0, [this, self = peer(to).self, to, frame, pair] {
    Peer& other = peer(to);
    if (other.self != self) return;  // the earlier lease and its frames are void
    const std::lock_guard lock(other.mutex);
    send_frame(other, frame, {}, place_of(other, pair, false));
  });
}

void Remote::send_mailbox(LeaseId to, const Mailbox& mailbox) {
  const MailboxOptions& options = mailbox.extension->mailbox;
  Peer& other = peer(to);
  const std::lock_guard lock(other.mutex);
  FrameBuffer& out = other.frame;
  out.clear();
  out.byte(mailbox_frame);
  write_name(other, out, mailbox);
  write_mailbox(out, options);
  transport_.send(other.self, to, out, {}, nullptr);
}

void Remote::send_probe(LeaseId to, const Probe& probe) {
  if (probe.path.size() > probe_path_limit) return;
  Peer& other = peer(to);
  const std::lock_guard lock(other.mutex);
  // The probe goes behind all frames that may end the wait of the agent that it goes to.
  const std::optional<Apart> apart = place_of(other, frame_pair(nullptr, probe.at), false);
  FrameBuffer& out = other.frame;
  out.clear();
  out.byte(probe_frame);
  spell(out, probe.origin.view());
  out.number(probe.token);
  if (apart) spell(out, probe.at->name.view());
  else write_name(other, out, *probe.at);
  out.number(static_cast<std::uint64_t>(probe.hops));
  out.text(probe.path);
  send_frame(other, out, {}, apart);
}

}  // namespace coracle::detail
