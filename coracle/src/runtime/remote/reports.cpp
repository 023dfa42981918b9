// Reports from other nodes: of messages that went there, of slot requests, of agents that have
// ended, and of agents that wait. A report of a name that has no record here is ignored.
#include "homes.hpp"
#include "runtime/mailbox/probe.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/store/storing.hpp"

namespace coracle::detail {

namespace {

constexpr std::uint64_t reports_limit = std::uint64_t{1} << 32;

}  // namespace

bool Remote::read_reports(Worker&, LeaseId from, FrameReader& in) {
  Peer& other = peers_.of(from);
  const bool is_of_store = node_.stores() && from == store_.lease();
  while (!in.at_end()) {
    Mailbox* mailbox = nullptr;
    if (!other.received.read(in, mailbox)) return false;
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
    at_home(*mailbox,
            [from, report, first, count, is_turned_down, why](Worker& home, Mailbox& there) {
              if (is_turned_down) note_refusal(there, why);
              home.on_report(there, from, report, first, count);
            });
  }
  return true;
}

bool Remote::read_closed(Worker&, LeaseId from, FrameReader& in) {
  Mailbox* mailbox = nullptr;
  if (!peers_.of(from).received.read(in, mailbox)) return false;
  const Incarnation life = read_life(in);
  const std::uint8_t reason = in.byte();
  std::string text(in.text().substr(0, closed_text_limit));
  if (!in.ok() || reason > static_cast<std::uint8_t>(EndReason::fenced)) return false;
  if (mailbox == nullptr) return true;
  const Ending ending(mailbox->name, life, static_cast<EndReason>(reason), std::move(text));
  if (node_.stores() && from == store_.lease()) return tell_askers(node_, *mailbox, ending), true;
  at_home(*mailbox, [from, ending](Worker& home, Mailbox& there) {
    home.on_holder_closed(there, from, ending);
  });
  return true;
}

bool Remote::read_mailbox(Worker&, LeaseId from, FrameReader& in) {
  Mailbox* mailbox = nullptr;
  if (!peers_.of(from).received.read(in, mailbox)) return false;
  const MailboxOptions options = detail::read_mailbox(in);
  if (mailbox == nullptr || !in.ok()) return in.ok();
  at_home(*mailbox,
          [from, options](Worker& home, Mailbox& there) { home.on_mailbox(there, from, options); });
  return true;
}

bool Remote::read_probe(Worker& at, LeaseId from, FrameReader& in) {
  Peer& other = peers_.of(from);
  ReceivedName passing;
  const ReceivedName* const origin = other.received.read(in, passing);
  if (origin == nullptr) return false;
  auto probe = std::make_unique<Probe>();
  probe->origin = origin->name();
  probe->token = in.number();
  if (!other.received.read(in, probe->at)) return false;
  probe->hops = static_cast<int>(in.number_up_to(probe_hops_limit));
  probe->path = in.text();
  if (!in.ok() || probe->path.size() > probe_path_limit) return false;
  if (probe->at != nullptr) at.follow(probe.release());
  return true;
}

}  // namespace coracle::detail
