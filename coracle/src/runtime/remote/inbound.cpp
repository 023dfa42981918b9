// Messages from other nodes, at the mailbox that they are for. See remote.hpp.
#include "runtime/sending/fast_path.hpp"

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
    return may_return(*message.record()) && message.record()->fields->life <= life;
  });
}

// Puts a message into a mailbox without room, since it was accepted when it was sent.
void put_besides(Worker& home, Mailbox& target, MessageRecord* record) noexcept {
  if (!is_beyond_its_share(target, record->fields->origin, home.bytes_limit(target)))
    return home.put(target, record);
  home.node().remote()->peers().on_excess(record->fields->origin);
  home.release_claim(target, *record);
  home.end_record(record, Outcome::refused);
}

}  // namespace

// Receives a simple message for an agent that is present and has received from that node before.
// False leaves everything as it was.
bool Worker::receive_simple(Mailbox& target, MessageRecord* record) noexcept {
  constexpr std::uint32_t unusual = present | moves | bytes_full | returns | watched;
  constexpr std::uint16_t special = special_to_offer | redelivered_flag;
  if ((record->flags & simple_flag) == 0 || (record->flags & special) != 0 ||
      (target.mode_now() & unusual) != present || !target.extension || target.queue ||
      own_queues_ || target.occupied() >= target.limit.load(std::memory_order_relaxed)) {
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
    hand_plain_to(reader, target, record);
    report(*record, ReportKind::taken);
    return true;
  }
  fields.sent_to = &target;
  count_in(target, *record);
  target.waiting.append(record);
  return true;
}

// Takes in a message that was read on the target's own worker.
void Worker::take_in(Mailbox& target, MessageRecord* record) noexcept {
  if (receive_simple(target, record)) return;
  if ((target.mode_now() & moves) != 0 && hold_back(target, record, index_)) return;
  arrive_at(target, record);
}

void Worker::receive_foreign(Mailbox& target, MessageRecord* record) noexcept {
  const OptionalFields& fields = *record->fields;
  auto& correspondents = target.ext().correspondents;
  if (std::find(correspondents.begin(), correspondents.end(), fields.origin) ==
      correspondents.end()) {
    correspondents.push_back(fields.origin);
    note_lease(*this, target, fields.origin);
    // The mailbox options in the directory may be old.
    if ((target.mode_now() & own_mailbox) != 0 && target.is_present()) {
      node_.remote()->reports().send_mailbox(fields.origin, target);
    }
  }
  if (record->fields->sent_to == nullptr) {
    record->fields->sent_to = &target;
    use_entry(target, *record);
  }
  // Before all else: such a message is never taken over from a sender that is gone, nor passed on.
  if (is_emptied(*record)) {
    release_claim(target, *record);
    deny_answer(*this, *record);
    return end_record(record, Outcome::refused);
  }
  if (!may_return(*record)) {  // it was redirected to this name
    if (offer(target, record, false) != Verdict::carried) put_besides(*this, target, record);
    return;
  }
  const Incarnation closed = target.extension->closed;
  if (fields.life <= closed) return turn_away(target, record, closed);
  if (!target.is_present()) {
    // The agent is about to begin here, unless the sender's node has old news.
    const RemoteSide* const side = target.extension->remote.get();
    const bool is_later = side == nullptr || side->next.life < fields.life ||
                          (side->next.life == fields.life && side->next.lease == 0);
    const bool is_awaited = target.incarnation < fields.life && is_later;
    return is_awaited ? put_besides(*this, target, record) : turn_away(target, record, fields.life);
  }
  if (offer(target, record, false) != Verdict::carried) put_besides(*this, target, record);
}

// The message was sent to an incarnation that is over here. Its sender gets that end again, since
// the first announcement may not have reached it. Then the sender's other messages to that
// incarnation go back as well, and come again in their order.
void Worker::turn_away(Mailbox& target, MessageRecord* record, Incarnation life) noexcept {
  const LeaseId sender = record->fields->origin;
  return_foreign(target, record);
  publish();
  node_.remote()->reports().send_closed(sender, target,
                                        Ending(target.name, life, EndReason::stopped));
}

// Sends back what came for an agent that did not begin here, since that incarnation of the name is
// elsewhere.
void turn_away_earlier(Worker& home, Mailbox& target, Incarnation life) noexcept {
  const Match sent_to_it = sent_up_to(life);
  while (MessageRecord* const record = target.take(sent_to_it)) {
    home.left_mailbox(target, *record);
    home.turn_away(target, record, life);
  }
}

// No agent is present to read the message. The node that sent it gets it back; if that node is
// gone, this node keeps the message.
void Worker::return_foreign(Mailbox& target, MessageRecord* record) noexcept {
  release_claim(target, *record);
  if (node_.remote()->peers().is_gone(record->fields->origin)) {
    clear_flag(*record, foreign_flag);
    record->fields->origin = 0;
    return put(target, record);
  }
  const bool was_read = (record->flags & redelivered_flag) != 0;
  reports_.push_back({record->fields->origin, record->fields->sent_to, record->fields->serial,
                      static_cast<std::uint8_t>(was_read ? ReportKind::read : ReportKind::unread)});
  ++flow.counters.passed_on;
  free_record(record);
}

// The agent here has ended, or lost its name. Messages for a later incarnation wait for that one.
std::vector<LeaseId> Worker::close(Mailbox& mailbox, Incarnation life) noexcept {
  if (node_.remote() == nullptr) return {};
  mailbox.ext().closed = std::max(mailbox.extension->closed, life);
  std::vector<MessageRecord*> foreign;
  const Match sent_to_it = sent_up_to(life);
  while (MessageRecord* const record = mailbox.take(sent_to_it)) {
    left_mailbox(mailbox, *record);
    foreign.push_back(record);
  }
  for (MessageRecord* const record : foreign) return_foreign(mailbox, record);
  auto correspondents = std::exchange(mailbox.extension->correspondents, {});
  if (!correspondents.empty()) publish();  // the outcomes of its messages come first
  return correspondents;
}

// Nobody waits for a report of these messages any more.
void Worker::drop_foreign(Mailbox& mailbox) noexcept {
  const Match anything = sent_up_to({~std::uint32_t{0}, ~std::uint32_t{0}});
  while (MessageRecord* const record = mailbox.take(anything)) {
    left_mailbox(mailbox, *record);
    ++flow.counters.passed_on;
    free_record(record);
  }
}

void Worker::revoke_name(Mailbox& mailbox) noexcept {
  mailbox.clear_mode(present | pinned);
  fence(mailbox);
}

void Worker::report(const MessageRecord& record, Outcome outcome, DropReason reason) {
  auto said = static_cast<std::uint8_t>(report_of(outcome));
  if ((record.flags & forbidden_flag) != 0) said = forbidden_report;
  else if ((record.flags & oversize_flag) != 0) said = too_large_report;
  else if ((record.flags & unanswered_flag) != 0) said = unanswered_report;
  if (outcome == Outcome::dropped) {
    said = static_cast<std::uint8_t>(static_cast<unsigned>(ReportKind::dropped) +
                                     static_cast<unsigned>(reason));
  }
  const OptionalFields& fields = *record.fields;
  reports_.push_back({fields.origin, fields.sent_to, fields.serial, said});
}

void Worker::report(const MessageRecord& record, ReportKind what) {
  const OptionalFields& fields = *record.fields;
  // A report that a message was taken is left out when the same turn reports that it was consumed,
  // so that messages that are read one after the other are one run.
  if (what == ReportKind::consumed && !fields.tracked && !reports_.empty()) {
    DeliveryReport& last = reports_.back();
    const bool is_same = last.serial == fields.serial && last.target == fields.sent_to &&
                         last.origin == fields.origin;
    if (is_same && last.report == static_cast<std::uint8_t>(ReportKind::taken)) {
      last.report = static_cast<std::uint8_t>(ReportKind::consumed);
      if (reports_.size() == 1 || !reports_[reports_.size() - 2].is_before(last)) return;
      reports_.pop_back();
      ++reports_.back().count;
      return;
    }
  }
  length_.queued(0);
  DeliveryReport& next = reports_.emplace_back();  // filled in place: most messages have one
  next.origin = fields.origin;
  next.target = fields.sent_to;
  next.serial = fields.serial;
  next.report = static_cast<std::uint8_t>(what);
}

}  // namespace coracle::detail
