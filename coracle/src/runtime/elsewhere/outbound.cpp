// Names that are held on other nodes, at the mailbox that stands for them here. See remote.hpp.
#include "outbound.hpp"

#include "coracle/support/mutations.hpp"
#include "runtime/node/dead_letters.hpp"
#include "runtime/receipts/receipt_state.hpp"
#include "runtime/receipts/settling.hpp"
#include "runtime/remote/homes.hpp"
#include "runtime/sending/delivery.hpp"
#include "runtime/sending/fast_path.hpp"
#include "runtime/store/storing.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

// Returns whether nothing has to go before a message that comes now.
inline bool is_next_to_go(const Remote& remote, const Mailbox& mailbox,
                          const RemoteSide& side) noexcept {
  return !mailbox.queue && mailbox.waiting.empty() && side.may_go() && !side.is_probing &&
         !remote.is_paused();
}

// The most reports that are accepted for each message. The most messages that may be taken and not
// ended, and the most bytes of these, in multiples of a mailbox.
constexpr std::uint64_t most_reports = 16;
constexpr std::size_t most_taken = 262'144, most_taken_mailboxes = 8;

// Returns whether the holder no longer has the message, or has it under another name.
bool goes_back(std::uint8_t said) noexcept {
  return said == static_cast<std::uint8_t>(ReportKind::unread) ||
         said == static_cast<std::uint8_t>(ReportKind::read) ||
         said == static_cast<std::uint8_t>(ReportKind::moved_on);
}

// A message that came for an agent that is about to begin here waits for that agent, and goes
// nowhere else.
MessageRecord* take_to_go(Worker& home, Mailbox& mailbox) noexcept {
  MessageRecord* const first = mailbox.take(Match());
  if (first == nullptr || !may_return(*first)) [[likely]]
    return first;
  home.mailboxes.store_first(mailbox, first);
  return mailbox.take(
      that([](const MessageView& each) { return !may_return(*Access::record(each)); }));
}

[[gnu::always_inline]] inline void leave_mailbox(Worker& home, Mailbox& mailbox,
                                                 UnderWay& message) noexcept {
  if (!std::exchange(message.has_place, false)) return;
  add_claimed(home.node(), mailbox, ~std::uint32_t{0});
  mailbox.bytes -= bytes_of(*message.record);
  if ((mailbox.mode_now() & bytes_full) != 0 &&
      mailbox.bytes < home.mailboxes.bytes_limit(mailbox)) {
    mailbox.clear_mode(bytes_full);
  }
}

// Gives the message's slot to others, unless the holder has taken so many already: it may keep them
// for ever.
void leave_place(Worker& home, Mailbox& mailbox, UnderWay& message) noexcept {
  RemoteSide& side = *mailbox.extension->remote;
  const std::size_t bytes = bytes_of(*message.record);
  if (!message.has_place || side.taken >= most_taken ||
      side.taken_bytes + bytes > most_taken_mailboxes * home.mailboxes.bytes_limit(mailbox))
    return;
  leave_mailbox(home, mailbox, message);
  message.is_taken = true;
  ++side.taken;
  side.taken_bytes += bytes;
}

// Uncounts a message that was taken at the holder, or moved on to another name.
[[gnu::noinline]] void forget_taken(RemoteSide& side, UnderWay& message) noexcept {
  if (std::exchange(message.is_taken, false)) {
    --side.taken;
    side.taken_bytes -= bytes_of(*message.record);
  }
  if (message.moved_on != 0) {
    const auto count = side.moved_on.find(message.moved_on);
    if (--count->second == 0) side.moved_on.erase(count);
  }
}

}  // namespace

void free_place(Worker& home, Mailbox& mailbox, UnderWay& message) noexcept {
  if (message.is_taken || message.moved_on != 0) [[unlikely]]
    forget_taken(*mailbox.extension->remote, message);
  leave_mailbox(home, mailbox, message);
}

namespace {

// The message no longer waits, but has its slot, and its bytes count.
void send_under_way(Worker& home, Mailbox& mailbox, RemoteSide& side,
                    MessageRecord* record) noexcept {
  const std::uint64_t serial = side.under_way.add(record);
  home.scheduler.length().queued(bytes_of(*record));
  add_claimed(home.node(), mailbox, 1);
  ++side.open;
  side.used = true;
  try {
    side.blocked = !home.node().remote()->send_message(side.now, *record, serial);
  } catch (const std::exception& error) {  // a value that cannot be encoded
    free_place(home, mailbox, side.under_way.recent().back());
    side.under_way.take_back();
    --side.open;
    bury(home, *record, error.what());
    return end_record(home, record, Outcome::undeliverable);
  }
}

}  // namespace

bool send_away_plain(Worker& home, Agent& sender, MessageRecord& record) {
  Mailbox& source = *Access::mailbox(sender);
  Mailbox& target = *record.target;
  constexpr std::uint32_t unusual = held | moves | bytes_full;
  constexpr std::uint16_t special = special_to_offer & ~reply_flag;
  if (!home.outgoing.is_plain() || source.agent != &sender || (record.flags & special) != 0 ||
      target.home.load(std::memory_order_relaxed) != &home ||
      (target.mode_now() & unusual) != elsewhere || target.readers.linked() ||
      target.occupied() >= target.limit.load(std::memory_order_relaxed)) {
    return false;
  }
  const ContentBlock* const content = record.content;
  if (content != nullptr && (content->is_typed() || content->size > home.outgoing.content_limit()))
    return false;
  RemoteSide* const side = known_side(target);
  if (side == nullptr || home.mailboxes.own_queues() ||
      !is_next_to_go(*home.node().remote(), target, *side))
    return false;
  ++source.sent;
  home.mailboxes.count_bytes(target, record);
  send_under_way(home, target, *side, &record);
  return true;
}

void put_away(Worker& home, Mailbox& mailbox, MessageRecord* record) noexcept {
  RemoteSide& side = side_of(mailbox);
  const bool is_plain = record->fields == nullptr && is_counted(*record);
  if (!is_plain || home.mailboxes.own_queues() ||
      !is_next_to_go(*home.node().remote(), mailbox, side)) {
    home.mailboxes.put_in(mailbox, record);
    return pump(home, mailbox);
  }
  home.mailboxes.count_bytes(mailbox, *record);
  release_claim(home, mailbox, *record);
  send_under_way(home, mailbox, side, record);
}

void pump(Worker& home, Mailbox& mailbox) noexcept {
  RemoteSide& side = side_of(mailbox);
  while (side.may_go() && !home.node().remote()->is_paused()) {
    if (side.is_probing && side.open != 0) return;
    MessageRecord* const record = take_to_go(home, mailbox);
    if (record == nullptr) return;
    if (is_copy(*record)) {  // for an agent that has ended here
      home.mailboxes.left(mailbox, *record);
      end_record(home, record, Outcome::undeliverable);
      continue;
    }
    if (record->fields != nullptr && record->fields->deadline <= home.now()) {
      home.mailboxes.left(mailbox, *record);
      end_record(home, record, Outcome::expired);
      continue;
    }
    if ((record->flags & letter_flag) != 0) {
      count_out(mailbox, *record);
      // A node sends only as its own agents; for others, a header of the letter names the source.
      const bool is_ours =
          record->source != nullptr && record->source->incarnation != Incarnation();
      if (!is_ours) record->source = nullptr;
      side.blocked = !home.node().remote()->send_message(side.now, *record, 0);
      free_record(record);
      continue;
    }
    add_queued(mailbox, ~std::uint32_t{0});
    send_under_way(home, mailbox, side, record);
  }
}

void unblock(Worker& home, Mailbox& mailbox) noexcept {
  RemoteSide* const side = known_side(mailbox);
  if (side == nullptr || !std::exchange(side->blocked, false)) return;
  pump(home, mailbox);
  home.overhearing.tell_gaps(mailbox);
}

namespace {

// Ends the first `most` messages under way, or as many of them as can end without further steps:
// their reader is done with them, and nobody else wants the outcome. Returns how many have ended.
std::uint64_t end_plain(Worker& home, Mailbox& mailbox, RemoteSide& side, LeaseId from,
                        std::uint64_t most) noexcept {
  if (side.now.lease != from) return 0;
  std::uint64_t ended = 0;
  for (; ended < most; ++ended) {
    UnderWay& message = side.under_way.recent().front();
    MessageRecord* const record = message.record;
    if (record == nullptr || record->fields != nullptr || (record->flags & foreign_flag) != 0 ||
        message.is_special()) {
      break;
    }
    side.under_way.fetch_behind(0);
    free_place(home, mailbox, message);
    side.under_way.forget_first();
    free_record(record);
  }
  side.open -= ended;
  home.flow.counters.passed_on += ended;
  return ended;
}

// The message ended at another node, which has counted it.
void end_under_way(Worker& home, MessageRecord* record, Outcome outcome,
                   DropReason reason) noexcept {
  ++home.flow.counters.passed_on;
  tell_receipt(*record, outcome, reason);
  home.node().finished(*record);
  if ((record->flags & foreign_flag) != 0) {
    report(home, *record, outcome, reason);  // it had been redirected
  } else if (is_awaited_elsewhere(*record)) {
    tell_sender(home, *record, outcome, reason);
  } else if ((record->flags & unanswered_flag) != 0) {
    fail_asker(*record, Errc::unanswered);
  } else if ((record->flags & request_flag) != 0 && outcome != Outcome::consumed) {
    answer_for(home, *record, outcome);
  }
  free_record(record);
}

void on_report_of(Worker& home, Mailbox& mailbox, RemoteSide& side, UnderWay& message,
                  std::uint8_t said) {
  constexpr auto first_drop = static_cast<std::uint8_t>(ReportKind::dropped);
  const auto end = [&](Outcome outcome, DropReason reason = DropReason::oldest) {
    free_place(home, mailbox, message);
    if (message.moved_on == 0 && !message.kept) --side.open;
    end_under_way(home, std::exchange(message.record, nullptr), outcome, reason);
  };
  if (said == forbidden_report) {
    set_flag(*message.record, forbidden_flag);
    return end(Outcome::refused);
  }
  if (said == too_large_report) {
    set_flag(*message.record, oversize_flag);
    return end(Outcome::refused);
  }
  if (said == unanswered_report) {
    set_flag(*message.record, unanswered_flag);
    return end(Outcome::consumed);
  }
  // A message that waits elsewhere under another name, or at the message store, has no news but its
  // end.
  if (message.moved_on != 0 && (goes_back(said) || said >= kept_report)) return;
  if (said == kept_report) return on_kept(home, mailbox, side, message);
  if (said == later_report || said == doubtful_report)
    return on_turned_down(side, message, said == doubtful_report);
  if (said >= first_drop) {
    return end(Outcome::dropped, static_cast<DropReason>(said - first_drop));
  }
  switch (static_cast<ReportKind>(said)) {
    case ReportKind::delivered:
      tell_sender(home, *message.record, said);
      return tell_receipt(*message.record, Stage::delivered);
    case ReportKind::taken:
      tell_sender(home, *message.record, said);
      tell_receipt_handed_out(*message.record);
      message.was_read = true;
      return leave_place(home, mailbox, message);
    case ReportKind::consumed:
      return end(Outcome::consumed);
    case ReportKind::expired:
      return end(Outcome::expired);
    case ReportKind::refused:
      return end(Outcome::refused);
    case ReportKind::undeliverable:
      return end(Outcome::undeliverable);
    case ReportKind::unread:
    case ReportKind::read:
      if (message.kept) return fail_asker(*message.record, Errc::peer_down);
      message.came_back = true;
      message.was_read = said == static_cast<std::uint8_t>(ReportKind::read) &&
                         !mutated(Mutation::read_taken_for_unread);
      --side.open;
      return;
    case ReportKind::moved_on:
      if (message.kept) return;
      leave_place(home, mailbox, message);
      message.moved_on = side.now.lease;
      if (++side.moved_on[message.moved_on] == 1) note_lease(home, mailbox, message.moved_on);
      --side.open;
      return;
    case ReportKind::dropped:
      return;
  }
}

}  // namespace

void on_report(Worker& home, Mailbox& mailbox, LeaseId from, std::uint8_t said, std::uint64_t first,
               std::uint64_t count) {
  RemoteSide* const side = known_side(mailbox);
  if (side == nullptr) return;
  if (from != side->now.lease && !side->moved_on.contains(from) && !mutated(Mutation::any_report))
    return;
  UnderWays& sent = side->under_way;
  const std::uint64_t end = sent.next();
  if (side->marked > most_reports * end) return home.node().remote()->peers().on_excess(from);
  if (mutated(Mutation::one_report_too_many)) ++count;
  const std::uint64_t last = first >= end ? 0 : first + std::min(count, end - first);
  const bool is_end = said == static_cast<std::uint8_t>(ReportKind::consumed);
  const bool is_sent_by_store = said >= kept_report && said <= doubtful_report;
  if (is_sent_by_store && !is_storing(mailbox)) return;
  const auto report_one = [&](UnderWay& message) {
    ++side->marked;
    const LeaseId store = message.moved_on != 0 ? message.moved_on : side->now.lease;
    if (message.record == nullptr || message.came_back ||
        (store != from && !mutated(Mutation::any_report)))
      return;
    on_report_of(home, mailbox, *side, message, said);
  };
  for (std::uint64_t serial = first; serial < last;) {
    if (serial < sent.first()) {
      sent.each_aside(serial, std::min(last, sent.first()), report_one);
      serial = sent.first();
      continue;
    }
    if (is_end && serial == sent.first()) {
      serial += end_plain(home, mailbox, *side, from, last - serial);
      if (serial == last) break;
    }
    const auto at = static_cast<std::size_t>(serial - sent.first());
    sent.fetch_behind(at);
    report_one(sent.recent()[at]);
    sent.forget_recent();
    ++serial;
  }
  home.room.grant(mailbox);
  if (side->turned_down) return begin_round(home, mailbox, *side);
  if (side->is_probing && side->open == 0) pump(home, mailbox);
  if (side->parting) go_to_next_holder(home, mailbox);
}

}  // namespace coracle::detail
