// Messages from other nodes, at the mailbox that they are for. See remote.hpp.
#include "inbound.hpp"

#include "runtime/node/lifecycle.hpp"
#include "runtime/receipts/settling.hpp"
#include "runtime/sending/delivery.hpp"
#include "runtime/sending/fast_path.hpp"
#include "slot_waiting.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

// Each node that sends may fill the mailbox once. With fewer messages, no node is taken for greedy.
constexpr std::size_t least_share = 1024;

// Returns whether a node goes on sending although the mailbox has no room for more of its messages.
// As long as all nodes together have at most one share each, plus one, it need not be counted how
// many messages are from which node.
bool is_beyond_its_share(Mailbox& target, LeaseId origin, std::size_t most_bytes) {
  Extension& ext = *target.extension;
  const std::size_t share = std::max<std::size_t>(target.limit.load(), least_share);
  const std::size_t shares = ext.correspondents.size() + 1;
  if (target.occupied() / shares < share && target.bytes / shares < most_bytes)
    return ext.greedy = 0, false;
  if (ext.greedy == origin) return true;
  std::size_t messages = 0, bytes = 0;
  target.each_waiting([&](const MessageRecord& record) {
    if ((record.flags & foreign_flag) == 0 || record.fields->origin != origin) return;
    ++messages;
    bytes += bytes_of(record);
  });
  if (messages < share && bytes < most_bytes) return false;
  ext.greedy = origin;
  return true;
}

// Matches what came from other nodes for an incarnation up to `life`.
Match sent_up_to(Incarnation life) {
  return that([life](const MessageView& message) {
    return may_return(*Access::record(message)) && Access::record(message)->fields->life <= life;
  });
}

// Puts a message into a mailbox without room, since it was accepted when it was sent.
void put_besides(Worker& home, Mailbox& target, MessageRecord* record) noexcept {
  if (!is_beyond_its_share(target, record->fields->origin, home.mailboxes.bytes_limit(target)))
    return put(home, target, record);
  home.node().remote()->peers().on_excess(record->fields->origin);
  release_claim(home, target, *record);
  end_record(home, record, Outcome::refused);
}

}  // namespace

// Receives a simple message for an agent that is present and has received from that node before.
// False leaves everything as it was.
bool receive_simple(Worker& home, Mailbox& target, MessageRecord* record) noexcept {
  constexpr std::uint32_t unusual = present | moves | bytes_full | returns | watched | steps;
  constexpr std::uint16_t special = special_to_offer | redelivered_flag;
  if ((record->flags & simple_flag) == 0 || (record->flags & special) != 0 ||
      (target.mode_now() & unusual) != present || !target.extension || target.queue ||
      home.mailboxes.own_queues() ||
      target.occupied() >= target.limit.load(std::memory_order_relaxed)) {
    return false;
  }
  const Extension& ext = *target.extension;
  OptionalFields& fields = *record->fields;
  if (fields.life <= ext.closed || ext.correspondents.empty() ||
      ext.correspondents.front() != fields.origin) {
    return false;
  }
  if (target.readers.linked()) {
    auto& reader = static_cast<Reader&>(*target.readers.next);
    if (reader.selective) return false;
    fields.sent_to = &target;
    hand_plain_to(home, reader, target, record);
    report(home, *record, ReportKind::taken);
    return true;
  }
  fields.sent_to = &target;
  home.mailboxes.count_in(target, *record);
  target.waiting.append(record);
  return true;
}

void take_in(Worker& home, Mailbox& target, MessageRecord* record) noexcept {
  if (receive_simple(home, target, record)) return;
  if ((target.mode_now() & moves) != 0 && home.relocation.hold_back(target, record, home.index()))
    return;
  arrive_at(home, target, record);
}

namespace {

// The message was sent to an incarnation that is over here. Its sender gets that end again, since
// the first announcement may not have reached it. Then the sender's other messages to that
// incarnation go back as well, and come again in their order.
void turn_away(Worker& home, Mailbox& target, MessageRecord* record, Incarnation life) noexcept {
  const LeaseId sender = record->fields->origin;
  return_foreign(home, target, record);
  home.publish();
  home.node().remote()->reports().send_closed(sender, target,
                                              Ending(target.name, life, EndReason::stopped));
}

}  // namespace

void receive_foreign(Worker& home, Mailbox& target, MessageRecord* record) noexcept {
  const OptionalFields& fields = *record->fields;
  auto& correspondents = target.ext().correspondents;
  if (std::find(correspondents.begin(), correspondents.end(), fields.origin) ==
      correspondents.end()) {
    correspondents.push_back(fields.origin);
    note_lease(home, target, fields.origin);
    // The mailbox options in the directory may be old.
    if ((target.mode_now() & own_mailbox) != 0 && target.is_present()) {
      home.node().remote()->reports().send_mailbox(fields.origin, target);
    }
  }
  if (record->fields->sent_to == nullptr) {
    record->fields->sent_to = &target;
    use_reserved_slot(home, target, *record);
  }
  // Before all else: such a message is never taken over from a sender that is gone, nor passed on.
  if (is_emptied(*record)) {
    release_claim(home, target, *record);
    deny_answer(home, *record);
    return end_record(home, record, Outcome::refused);
  }
  if (!may_return(*record)) {  // it was redirected to this name
    if (offer(home, target, record, false) != Verdict::carried) put_besides(home, target, record);
    return;
  }
  const Incarnation closed = target.extension->closed;
  if (fields.life <= closed) return turn_away(home, target, record, closed);
  if (!target.is_present()) {
    // The agent is about to begin here, unless the sender's node has old news.
    const RemoteSide* const side = target.extension->remote.get();
    const bool is_later = side == nullptr || side->next.life < fields.life ||
                          (side->next.life == fields.life && side->next.lease == 0);
    const bool is_awaited = target.incarnation < fields.life && is_later;
    return is_awaited ? put_besides(home, target, record)
                      : turn_away(home, target, record, fields.life);
  }
  if (offer(home, target, record, false) != Verdict::carried) put_besides(home, target, record);
}

// Sends back what came for an agent that did not begin here, since that incarnation of the name is
// elsewhere.
void turn_away_earlier(Worker& home, Mailbox& target, Incarnation life) noexcept {
  const Match sent_to_it = sent_up_to(life);
  while (MessageRecord* const record = target.take(sent_to_it)) {
    home.mailboxes.left(target, *record);
    turn_away(home, target, record, life);
  }
}

// No agent is present to read the message. The node that sent it gets it back; if that node is
// gone, this node keeps the message.
void return_foreign(Worker& home, Mailbox& target, MessageRecord* record) noexcept {
  release_claim(home, target, *record);
  if (home.node().remote()->peers().is_gone(record->fields->origin)) {
    clear_flag(*record, foreign_flag);
    record->fields->origin = 0;
    return put(home, target, record);
  }
  const bool was_read = (record->flags & redelivered_flag) != 0;
  home.reports.add(*record,
                   static_cast<std::uint8_t>(was_read ? ReportKind::read : ReportKind::unread));
  ++home.flow.counters.passed_on;
  free_record(record);
}

std::vector<LeaseId> close_incarnation(Worker& home, Mailbox& mailbox, Incarnation life) noexcept {
  if (home.node().remote() == nullptr) return {};
  mailbox.ext().closed = std::max(mailbox.extension->closed, life);
  std::vector<MessageRecord*> foreign;
  const Match sent_to_it = sent_up_to(life);
  while (MessageRecord* const record = mailbox.take(sent_to_it)) {
    home.mailboxes.left(mailbox, *record);
    foreign.push_back(record);
  }
  for (MessageRecord* const record : foreign) return_foreign(home, mailbox, record);
  auto correspondents = std::exchange(mailbox.extension->correspondents, {});
  if (!correspondents.empty()) home.publish();  // the outcomes of its messages come first
  return correspondents;
}

void drop_foreign(Worker& home, Mailbox& mailbox) noexcept {
  const Match anything = sent_up_to({~std::uint32_t{0}, ~std::uint32_t{0}});
  while (MessageRecord* const record = mailbox.take(anything)) {
    home.mailboxes.left(mailbox, *record);
    ++home.flow.counters.passed_on;
    free_record(record);
  }
}

void revoke_name(Worker& home, Mailbox& mailbox) noexcept {
  mailbox.clear_mode(present | pinned);
  home.node().holds().leave(home, mailbox);
  fence(home, mailbox);
}

}  // namespace coracle::detail
