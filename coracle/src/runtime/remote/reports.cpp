// Reports from other nodes: of messages that went there, of slot requests, of agents that have
// ended, and of agents that wait. A report of a name that has no record here is ignored.
#include "homes.hpp"
#include "runtime/mailbox/probe.hpp"
#include "runtime/mailbox/room.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/store/storing.hpp"

namespace coracle::detail {

namespace {

// Limits for one peer, at all mailboxes.
constexpr std::size_t slot_requests_limit = 1 << 18,
                      slot_requests_bytes_limit = std::size_t{128} << 20;
constexpr std::size_t slot_request_bytes = 512;  // for one request, besides its content

}  // namespace

namespace {

constexpr std::uint64_t reports_limit = std::uint64_t{1} << 32;

}  // namespace

bool Remote::read_slot_request(Worker& at, LeaseId from, FrameReader& in, Content content) {
  Peer& other = peer(from);
  ReceivedName passing;
  ReceivedName* const heard = hear_name(other, in, passing);
  const std::uint64_t number = in.number();
  if (heard == nullptr || number == 0) return false;
  (void)read_life(in, heard->life);
  Source source;
  Mailbox* const mailbox = known(*heard);
  source.target = heard->name();
  MessageRecord* const likeness = read_record(at, other, in, std::move(content), source);
  if (likeness == nullptr) return false;
  likeness->target = mailbox;
  if (!is_counted(*likeness) || source.name.empty()) return free_record(likeness), false;
  (void)speaks_as(at, other, source, *likeness);  // the message itself is checked when it comes
  const auto charge = charge_slot_request(from, *likeness);
  if (likeness->target == nullptr || !charge->fits()) {
    const std::uint8_t answer = likeness->target == nullptr ? try_again : no_slot;
    if (answer == no_slot) on_excess(from);
    free_record(likeness);
    return send_slot_answer(from, heard->name(), number, answer), true;
  }
  auto* const ticket = new RoomTicket;
  ticket->likeness = likeness;
  ticket->number = number;
  ticket->origin = from;
  ticket->charge = charge;
  at_home(*likeness->target,
          [ticket](Worker& home, Mailbox& there) { home.on_slot_request(there, ticket); });
  return true;
}

std::shared_ptr<const Charge> Remote::charge_slot_request(LeaseId to,
                                                          const MessageRecord& likeness) {
  const std::size_t bytes = likeness.content != nullptr ? likeness.content->size : 0;
  const std::lock_guard lock(mutex_);
  auto& share = slot_requests_of_[to];
  if (!share) share = std::make_shared<Share>(slot_requests_limit, slot_requests_bytes_limit);
  return std::make_shared<const Charge>(share, bytes + slot_request_bytes);
}

bool Remote::read_slot_withdrawal(Worker&, LeaseId from, FrameReader& in) {
  Mailbox* target = nullptr;
  if (!read_known(peer(from), in, target)) return false;
  const std::uint64_t number = in.number();
  if (target == nullptr || !in.ok()) return in.ok();
  at_home(*target, [from, number](Worker& home, Mailbox& there) {
    home.on_slot_withdrawal(there, from, number);
  });
  return true;
}

bool Remote::read_slot_answer(Worker&, LeaseId from, FrameReader& in) {
  Mailbox* target = nullptr;
  if (!read_known(peer(from), in, target)) return false;
  const std::uint64_t number = in.number();
  const std::uint8_t answer = in.byte();
  if (!in.ok() || answer > show_all) return false;
  if (target == nullptr) return true;
  at_home(*target, [from, number, answer](Worker& home, Mailbox& there) {
    home.on_answer(there, from, number, answer);
  });
  return true;
}

bool Remote::read_reports(Worker&, LeaseId from, FrameReader& in) {
  Peer& other = peer(from);
  const bool is_of_store = node_.stores() && from == store();
  while (!in.at_end()) {
    Mailbox* mailbox = nullptr;
    if (!read_known(other, in, mailbox)) return false;
    const std::uint8_t report = in.byte();
    const std::uint64_t first = in.number();
    const std::uint64_t count = in.number_up_to(reports_limit);
    if (!in.ok() || report > last_report) return false;
    if (mailbox == nullptr) continue;
    if (Mailbox* const there =
            is_of_store ? node_.storing_mailboxes().find(mailbox->name.view()) : nullptr)
      mailbox = there;
    const bool is_turned_down = report == later_report || report == doubtful_report;
    const std::uint8_t why = refusal_.load();  // as it was sent before this frame
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
  if (!read_known(peer(from), in, mailbox)) return false;
  const Incarnation life = read_life(in);
  const std::uint8_t reason = in.byte();
  std::string text(in.text().substr(0, closed_text_limit));
  if (!in.ok() || reason > static_cast<std::uint8_t>(EndReason::fenced)) return false;
  if (mailbox == nullptr) return true;
  const Ending ending(mailbox->name, life, static_cast<EndReason>(reason), std::move(text));
  if (node_.stores() && from == store()) return tell_askers(node_, *mailbox, ending), true;
  at_home(*mailbox, [from, ending](Worker& home, Mailbox& there) {
    home.on_holder_closed(there, from, ending);
  });
  return true;
}

bool Remote::read_mailbox(Worker&, LeaseId from, FrameReader& in) {
  Mailbox* mailbox = nullptr;
  if (!read_known(peer(from), in, mailbox)) return false;
  const MailboxOptions options = detail::read_mailbox(in);
  if (mailbox == nullptr || !in.ok()) return in.ok();
  at_home(*mailbox,
          [from, options](Worker& home, Mailbox& there) { home.on_mailbox(there, from, options); });
  return true;
}

bool Remote::read_probe(Worker& at, LeaseId from, FrameReader& in) {
  Peer& other = peer(from);
  ReceivedName passing;
  const ReceivedName* const origin = hear_name(other, in, passing);
  if (origin == nullptr) return false;
  auto probe = std::make_unique<Probe>();
  probe->origin = origin->name();
  probe->token = in.number();
  if (!read_known(other, in, probe->at)) return false;
  probe->hops = static_cast<int>(in.number_up_to(probe_hops_limit));
  probe->path = in.text();
  if (!in.ok() || probe->path.size() > probe_path_limit) return false;
  if (probe->at != nullptr) at.follow(probe.release());
  return true;
}

}  // namespace coracle::detail
