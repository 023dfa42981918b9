#include "reports.hpp"

#include "coracle/support/mutations.hpp"
#include "homes.hpp"
#include "runtime/elsewhere/outbound.hpp"
#include "runtime/mailbox/probe.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/store/store_client.hpp"
#include "runtime/store/storing.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

constexpr std::uint64_t reports_limit = std::uint64_t{1} << 32;

}  // namespace

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

// Combines a run of equal reports into one; most reports are in runs.
void Reports::send(std::vector<DeliveryReport>& reports) {
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

void Reports::send_closed(LeaseId to, const Mailbox& mailbox, const Ending& ending) {
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

void Reports::send_mailbox(LeaseId to, const Mailbox& mailbox) {
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

void Reports::send_probe(LeaseId to, const Probe& probe) {
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

bool Reports::read(Peer& from, FrameReader& in) {
  const bool is_of_store = node_.realization().stores && from.lease == store_.lease();
  while (!in.at_end()) {
    Mailbox* mailbox = nullptr;
    if (!from.received.read(in, mailbox)) return false;
    const std::uint8_t report = in.byte();
    const std::uint64_t first = in.number();
    const std::uint64_t count = in.number_up_to(reports_limit);
    if (!in.ok() || report > last_report) return false;
    if (mailbox == nullptr) continue;
    if (Mailbox* const there =
            is_of_store ? node_.storing_mailboxes().find(mailbox->name.view()) : nullptr)
      mailbox = there;
    const bool is_turned_down = report == later_report || report == doubtful_report;
    const std::uint8_t why = store_.refusal();  // as it was sent before this frame
    at_home(*mailbox, [lease = from.lease, report, first, count, is_turned_down, why](
                          Worker& home, Mailbox& there) {
      if (is_turned_down) note_refusal(there, why);
      on_report(home, there, lease, report, first, count);
    });
  }
  return true;
}

bool Reports::read_closed(Peer& from, FrameReader& in) {
  Mailbox* mailbox = nullptr;
  if (!from.received.read(in, mailbox)) return false;
  const Incarnation life = read_life(in);
  const std::uint8_t reason = in.byte();
  std::string text(in.text().substr(0, closed_text_limit));
  if (!in.ok() || reason > static_cast<std::uint8_t>(EndReason::fenced)) return false;
  if (mailbox == nullptr) return true;
  const Ending ending(mailbox->name, life, static_cast<EndReason>(reason), std::move(text));
  if (node_.realization().stores && from.lease == store_.lease())
    return tell_askers(node_, *mailbox, ending), true;
  at_home(*mailbox, [lease = from.lease, ending](Worker& home, Mailbox& there) {
    on_holder_closed(home, there, lease, ending);
  });
  return true;
}

bool Reports::read_mailbox(Peer& from, FrameReader& in) {
  Mailbox* mailbox = nullptr;
  if (!from.received.read(in, mailbox)) return false;
  const MailboxOptions options = detail::read_mailbox(in);
  if (mailbox == nullptr || !in.ok()) return in.ok();
  at_home(*mailbox, [lease = from.lease, options](Worker& home, Mailbox& there) {
    on_mailbox(home, there, lease, options);
  });
  return true;
}

bool Reports::read_probe(Worker& at, Peer& from, FrameReader& in) {
  ReceivedName passing;
  const ReceivedName* const origin = from.received.read(in, passing);
  if (origin == nullptr) return false;
  auto probe = std::make_unique<Probe>();
  probe->origin = origin->name();
  probe->token = in.number();
  if (!from.received.read(in, probe->at)) return false;
  probe->hops = static_cast<int>(in.number_up_to(probe_hops_limit));
  probe->path = in.text();
  if (!in.ok() || probe->path.size() > probe_path_limit) return false;
  if (probe->at != nullptr || mutated(Mutation::any_probe)) at.cycles.follow(probe.release());
  return true;
}

}  // namespace coracle::detail
