// Messages that go to the society's message store, on the node that sends them. See storing.hpp.
#include "storing.hpp"

#include "runtime/elsewhere/outbound.hpp"
#include "runtime/receipts/receipt_state.hpp"
#include "runtime/remote/homes.hpp"
#include "runtime/sending/fast_path.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

constexpr std::uint32_t stored_at_once = 256;  // for one name, a quarter of what is kept for it
constexpr Duration first_pause = std::chrono::milliseconds(2), longest_pause = 32 * first_pause;

Incarnation next_round(const RemoteSide& side) {
  Incarnation round = std::max(side.now.life, side.next.life);
  ++round.counter;
  return round;
}

// A second mailbox begins to stand for its name.
void begin_storing(Worker& home, Mailbox& mailbox, Mailbox& of) {
  mailbox.ext().remote = std::make_unique<RemoteSide>();
  mailbox.extension->remote->stands_for = &of;
  mailbox.set_mode(storing | elsewhere);
  home.mailboxes.set(mailbox, MailboxOptions().messages(stored_at_once));
  on_store(home, mailbox, home.node().remote()->store().lease());
}

// Returns whether somebody here waits for the outcome of the message.
bool is_awaited_here(const MessageRecord& record) noexcept {
  if ((record.flags & request_flag) != 0) return true;
  const OptionalFields* const fields = record.fields;
  return fields != nullptr && fields->receipt &&
         fields->receipt->is_awaited(fields->receipt.use_count());
}

// The message store has taken the message over.
void settle_kept(Worker& home, UnderWay& message) {
  const MessageRecord& record = *message.record;
  const bool has_receipt = record.fields != nullptr && record.fields->receipt;
  if (has_receipt && home.node().remote()->store().promise() == Stage::stored)
    tell_receipt(record, Stage::stored);
  message.kept = is_awaited_here(record);
  if (message.kept) return;
  ++home.flow.counters.passed_on;
  free_record(std::exchange(message.record, nullptr));
}

bool is_told(Worker& worker, const MessageRecord& record) {
  return is_awaited_elsewhere(record) &&
         !worker.node().remote()->peers().is_gone(record.fields->origin);
}

}  // namespace

// Replies end with their requester, and dead letters are not stored.
void send_to_store(Worker& worker, MessageRecord& record) {
  static const Name letters = Node::dead_letters();
  Mailbox& target = *record.target;
  if ((record.flags & reply_flag) != 0 || is_storing(target) || target.name == letters) return;
  NodeCore& node = worker.node();
  bool is_new = false;
  Mailbox* const mailbox = node.storing_mailboxes().find_or_add(target.name, worker, is_new);
  if (is_new) begin_storing(worker, *mailbox, target);
  record.target = mailbox;
}

Mailbox& spoken_of(Mailbox& mailbox) noexcept {
  return is_storing(mailbox) ? *mailbox.extension->remote->stands_for : mailbox;
}

void on_store(Worker& home, Mailbox& mailbox, LeaseId store) {
  RemoteSide& side = *mailbox.extension->remote;
  if (side.next.lease == store) return;
  side.next = Holder{store, next_round(side), {}};
  note_lease(home, mailbox, store);
  side.refusal = keeps_nothing;
  go_to_next_holder(home, mailbox);
}

void on_kept(Worker& home, Mailbox& mailbox, RemoteSide& side, UnderWay& message) {
  if (message.kept) return;
  free_place(home, mailbox, message);
  --side.open;
  side.pause_length = Duration::zero();
  side.refusal = keeps_nothing;
  const bool was_probing = std::exchange(side.is_probing, false);
  settle_kept(home, message);
  if (was_probing) pump(home, mailbox);
}

void note_refusal(Mailbox& mailbox, std::uint8_t why) noexcept {
  if (is_storing(mailbox)) known_side(mailbox)->refusal = why;
}

void on_turned_down(RemoteSide& side, UnderWay& message, bool may_be_stored) {
  if (message.kept) return;
  message.came_back = true;
  message.was_read = may_be_stored;
  --side.open;
  side.turned_down = true;
}

void begin_round(Worker& home, Mailbox& mailbox, RemoteSide& side) {
  if (side.next.lease == side.now.lease && side.next.life == side.now.life)
    side.next = Holder{side.now.lease, next_round(side), {}};
  side.closed = true;
  go_to_next_holder(home, mailbox);
}

void leave_kept(Worker& home, UnderWay& message) noexcept {
  MessageRecord* const record = std::exchange(message.record, nullptr);
  ++home.flow.counters.passed_on;
  report_out_of_sight(*record);
  free_record(record);
}

void enter_round(Worker& home, Mailbox& mailbox, RemoteSide& side) {
  if (!std::exchange(side.turned_down, false)) return pump(home, mailbox);
  side.is_probing = side.blocked = true;
  side.pause_length = std::clamp(2 * side.pause_length, first_pause, longest_pause);
  if (!side.pause) side.pause = std::make_unique<RemoteSide::Pause>(home, mailbox);
  side.pause->arm(home, home.now() + side.pause_length);
}

void tell_askers(NodeCore& node, Mailbox& spoken_of, const Ending& ending) {
  Mailbox* const mailbox = node.storing_mailboxes().find(spoken_of.name.view());
  if (mailbox == nullptr) return;
  at_home(*mailbox, [ending](Worker& home, Mailbox& there) {
    const RemoteSide& side = *there.extension->remote;
    fail_requests_to(*side.stands_for, home, ending.reason, ending.text,
                     requests_left(there, ending.reason));
  });
}

void RemoteSide::Pause::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Pause&>(timer);
  unblock(self.worker, self.mailbox);
}

// ── as the message store ────────────────────────────────────────────────────────────────────────

void tell_sender(Worker& worker, const MessageRecord& record, Outcome outcome, DropReason reason) {
  if (!is_told(worker, record)) return;
  report(worker, record, outcome, reason);
}

void tell_sender(Worker& worker, const MessageRecord& record, std::uint8_t said) {
  if (!is_told(worker, record)) return;
  report(worker, record, static_cast<ReportKind>(said));
}

void note_asker(Worker& home, Mailbox& target, const MessageRecord& record) {
  if ((record.flags & request_flag) == 0) return;
  auto& askers = target.ext().correspondents;
  const LeaseId origin = record.fields->origin;
  if (std::find(askers.begin(), askers.end(), origin) != askers.end()) return;
  askers.push_back(origin);
  note_lease(home, target, origin);
}

void tell_of_end(NodeCore& node, Mailbox& mailbox, const RemoteSide& side) {
  const Ending ending(mailbox.name, side.now.life, side.reason, side.text);
  for (const LeaseId asker : mailbox.extension->correspondents)
    node.remote()->reports().send_closed(asker, mailbox, ending);
}

}  // namespace coracle::detail
