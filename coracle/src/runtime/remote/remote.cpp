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

Remote::Remote(NodeCore& node, Transport& transport) noexcept
    : node_(node), transport_(transport), peers_(node), sources_(node, peers_) {}

Remote::~Remote() = default;

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
      [this](LeaseId to, std::uint64_t token) { send_token(to, hello_frame, token); };
  Task<> asking = ask_all(*Worker::current(), greeting_patience, greet);
  co_await asking;
}

void Remote::take_lease(const std::vector<LeaseId>& open) {
  peers_.take_lease(open);
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

void Remote::send_slot_cancellation(Mailbox& target, std::uint64_t number) {
  at_home(target, [this, number](Worker&, Mailbox& there) {
    const RemoteSide* const side = there.extension->remote.get();
    if (side == nullptr || side->now.lease == 0) return;
    Peer& other = peers_.of(side->now.lease);
    const std::lock_guard lock(other.mutex);
    FrameBuffer& out = other.frame;
    out.clear();
    out.byte(slot_cancellation_frame);
    other.sent.write(out, there);
    out.number(number);
    other.send(out);
  });
}

void Remote::send_slot_answer(LeaseId to, const Mailbox& target, std::uint64_t number,
                              std::uint8_t answer) {
  Peer& other = peers_.of(to);
  const std::lock_guard lock(other.mutex);
  FrameBuffer& out = other.frame;
  out.clear();
  out.byte(slot_answer_frame);
  other.sent.write(out, target);
  out.number(number);
  out.byte(answer);
  other.send(out);
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
  peers_.send(to, frame);
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
    Peer& other = peers_.of(origin);
    const std::lock_guard lock(other.mutex);
    FrameBuffer& out = other.frame;
    out.clear();
    out.byte(reports_frame);
    while (at < reports.size() && reports[at].origin == origin) {
      const DeliveryReport& begin = reports[at];
      std::uint64_t count = begin.count;
      for (++at; at < reports.size() && reports[at - 1].is_before(reports[at]); ++at)
        count += reports[at].count;
      other.sent.write(out, *begin.target);
      out.byte(begin.report);
      out.number(begin.serial);
      out.number(count);
    }
    other.send(out);
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
  pass_through_all(node_, 0, [this, self = peers_.of(to).self, to, frame, pair] {
    Peer& other = peers_.of(to);
    if (other.self != self) return;  // the earlier lease and its frames are void
    const std::lock_guard lock(other.mutex);
    other.send(frame, {}, peers_.place_of(other, pair, false));
  });
}

void Remote::send_mailbox(LeaseId to, const Mailbox& mailbox) {
  const MailboxOptions& options = mailbox.extension->mailbox;
  Peer& other = peers_.of(to);
  const std::lock_guard lock(other.mutex);
  FrameBuffer& out = other.frame;
  out.clear();
  out.byte(mailbox_frame);
  other.sent.write(out, mailbox);
  write_mailbox(out, options);
  other.send(out);
}

void Remote::send_probe(LeaseId to, const Probe& probe) {
  if (probe.path.size() > probe_path_limit) return;
  Peer& other = peers_.of(to);
  const std::lock_guard lock(other.mutex);
  // The probe goes behind all frames that may end the wait of the agent that it goes to.
  const std::optional<Apart> apart = peers_.place_of(other, frame_pair(nullptr, probe.at), false);
  FrameBuffer& out = other.frame;
  out.clear();
  out.byte(probe_frame);
  spell(out, probe.origin.view());
  out.number(probe.token);
  if (apart) spell(out, probe.at->name.view());
  else other.sent.write(out, *probe.at);
  out.number(static_cast<std::uint64_t>(probe.hops));
  out.text(probe.path);
  other.send(out, {}, apart);
}

}  // namespace coracle::detail
