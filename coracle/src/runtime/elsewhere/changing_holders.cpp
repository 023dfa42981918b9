// The change from one holder of a name to the next, and the messages that were sent to the last
// holder. See remote.hpp.
#include "coracle/support/mutations.hpp"
#include "inbound.hpp"
#include "outbound.hpp"
#include "runtime/node/dead_letters.hpp"
#include "runtime/receipts/receipt_state.hpp"
#include "runtime/receipts/settling.hpp"
#include "runtime/remote/homes.hpp"
#include "runtime/sending/fast_path.hpp"
#include "runtime/store/storing.hpp"
#include "slot_waiting.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

constexpr Duration answer_patience = std::chrono::seconds(10);
constexpr std::uint32_t under_way_at_least = 1024, under_way_at_most = 1 << 20;
constexpr std::size_t bytes_under_way_at_most = std::size_t{256} << 20;

// Returns the mailbox options that this node applies for a mailbox elsewhere. When that mailbox
// seems to be full, its senders wait for the decision of the mailbox itself; if its policy is to
// fail, they always do. A mailbox that drops or redirects is never full, but it is known only later
// which messages it takes.
MailboxOptions as_seen_from_here(MailboxOptions options) {
  switch (options.overflow()) {
    case Overflow::wait:
      break;
    case Overflow::fail:
      options.messages(0);
      break;  // only the mailbox itself can decide
    default:
      options.messages(std::max(options.messages(), under_way_at_least));
  }
  // The mailbox limits the messages that it takes, but not the messages that wait here for its
  // readers.
  options.messages(std::min(options.messages(), under_way_at_most));
  options.bytes(std::min(options.bytes(), bytes_under_way_at_most));
  static const Name nobody;
  return options.redirect_to(nobody).overflow(Overflow::wait);
}

void take_back(Worker& home, Mailbox& mailbox, UnderWay& message) noexcept {
  MessageRecord* const record = message.record;
  free_place(home, mailbox, message);
  if (!message.came_back || message.was_read) {
    if (!mutated(Mutation::taken_back_unmarked)) set_flag(*record, redelivered_flag);
    const bool is_for_next = mailbox.extension->remote->reason == EndReason::fenced;
    if ((record->flags & request_flag) != 0 && !is_for_next)
      tell_sender(home, *record, ReportKind::read);
    // No agent reads at the message store.
    if (!is_storing(mailbox) &&
        ++fields_of(*record).deliveries > home.node().options().redelivery_limit) {
      bury(home, *record, "given back too often");
      return end_record(home, record, Outcome::undeliverable);
    }
  }
  home.mailboxes.count_in(mailbox, *record);
  if (mutated(Mutation::taken_back_last)) return home.mailboxes.store(mailbox, record);
  home.mailboxes.store_first(mailbox, record);
}

void enter(Worker& home, Mailbox& mailbox, RemoteSide& side) {
  side.now = side.next;
  side.reason = EndReason::unreachable;  // until another reason is reported for this holder
  side.text.clear();
  if (is_storing(mailbox)) return enter_round(home, mailbox, side);
  const bool takes_letters = mailbox.name == Node::dead_letters() && mailbox.agent == nullptr;
  if (takes_letters && side.now.lease != 0) mailbox.clear_mode(present);
  if (mailbox.is_present()) return;
  if (side.now.lease != 0) {
    mailbox.set_mode(elsewhere);
    home.mailboxes.set(mailbox, as_seen_from_here(side.now.mailbox));
    turn_away_earlier(home, mailbox, side.now.life);
    return pump(home, mailbox);
  }
  mailbox.clear_mode(elsewhere);
  restore_dead_letters(mailbox);
  await_holder(home, mailbox);
  release_tickets(home, mailbox);
}

}  // namespace

void on_mailbox(Worker& home, Mailbox& mailbox, LeaseId from, const MailboxOptions& options) {
  RemoteSide* const side = known_side(mailbox);
  if (side == nullptr || side->now.lease != from || mailbox.is_present()) return;
  side->now.mailbox = options;
  home.mailboxes.set(mailbox, as_seen_from_here(options));
}

void on_holder(Worker& home, Mailbox& mailbox, const Holder& holder) {
  RemoteSide& side = side_of(mailbox);
  if (holder.life <= side.next.life) return;
  side.next = holder;
  note_lease(home, mailbox, holder.lease);
  // If another directory has given the incarnation, this agent's own registration there decides.
  const bool is_decided =
      holder.life.epoch == mailbox.incarnation.epoch || !home.node().lease().is_registering();
  const bool is_lost = mailbox.agent != nullptr && mailbox.incarnation < holder.life && is_decided;
  if (is_lost && !mutated(Mutation::name_not_lost)) revoke_name(home, mailbox);
  go_to_next_holder(home, mailbox);
}

void on_holder_ended(Worker& home, Mailbox& mailbox, const Ending& ending) {
  RemoteSide* const side = known_side(mailbox);
  if (side == nullptr || mailbox.is_present() || ending.incarnation < side->next.life) return;
  if (ending.reason == EndReason::fenced) return;  // another agent holds it; its notice will come
  side->next = Holder{0, ending.incarnation, {}};
  side->reason = ending.reason;
  side->text = ending.text;
  go_to_next_holder(home, mailbox);
}

void on_holder_closed(Worker& home, Mailbox& mailbox, LeaseId from, const Ending& ending) {
  RemoteSide* const side = known_side(mailbox);
  if (side == nullptr) return;
  if (side->now.lease != from && !mutated(Mutation::any_closing)) return;
  if (ending.incarnation < side->now.life) return;
  side->closed = true;
  side->reason = ending.reason;
  side->text = ending.text;
  // The directory decides which incarnations exist: this one is over, whatever the holder reports.
  if (side->next.life <= side->now.life) side->next = Holder{0, side->now.life, {}};
  go_to_next_holder(home, mailbox);
}

void on_peer_gone(Worker& home, Mailbox& mailbox, LeaseId lease) {
  if (!mailbox.extension) return;
  std::erase(mailbox.extension->correspondents, lease);
  forget_slot_requests(home, mailbox, lease);
  RemoteSide* const side = known_side(mailbox);
  if (side == nullptr) return;
  if (side->moved_on.contains(lease)) {
    side->under_way.each_backwards([&](UnderWay& message) {
      if (message.moved_on != lease) return;
      free_place(home, mailbox, message);
      if (!mutated(Mutation::moved_on_not_counted)) ++home.flow.counters.store_lost;
      tell_receipt(*message.record, Outcome::store_lost);
      home.node().finished(*message.record);
      free_record(std::exchange(message.record, nullptr));
    });
    side->under_way.forget_ended();
  }
  if (side->next.lease == lease) side->next.lease = 0;
  if (side->now.lease != lease) return;
  note_refusal(mailbox, keeps_nothing);
  part_from_holder(home, mailbox);
}

bool is_overtaken(const Mailbox& mailbox, Incarnation life) noexcept {
  const RemoteSide* const side = known_side(mailbox);
  return side != nullptr && life < side->next.life;
}

// An agent is to hold the name here. Returns true when it has to wait until the last holder has
// reported on its messages; then `begin` is called.
bool awaits_answers(Worker& home, Mailbox& mailbox, Incarnation life,
                    std::function<void(Worker&)> begin) {
  RemoteSide* const side = known_side(mailbox);
  if (side == nullptr || is_overtaken(mailbox, life)) return false;
  if (side->next.life < life) {
    side->next = Holder{0, life, {}};
    side->reason = EndReason::fenced;
    side->text = taken_over;
  }
  if (side->now.lease == 0) return false;
  side->arrivals.push_back(std::move(begin));
  go_to_next_holder(home, mailbox);
  return true;
}

// Goes on to the next holder, as soon as that is allowed. A holder whose node is gone is parted
// from when all that its node has sent has been handled; see on_peer_gone().
void go_to_next_holder(Worker& home, Mailbox& mailbox) {
  RemoteSide& side = *mailbox.extension->remote;
  if (side.now.lease != 0 && side.used && !side.parting) {
    side.parting = true;
    side.patience = std::make_unique<RemoteSide::Patience>(home, mailbox);
    side.patience->arm(home, home.now() + answer_patience);
  }
  const bool waits = side.parting && !(side.closed && side.open == 0);
  if (waits && !mutated(Mutation::next_holder_too_early)) return;
  part_from_holder(home, mailbox);
}

void RemoteSide::Patience::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Patience&>(timer);
  part_from_holder(self.worker, self.mailbox);
}

// The last holder has reported on all its messages, or will not do so any more. The messages that
// it did not read, or may not have finished, go before all others that wait.
void part_from_holder(Worker& home, Mailbox& mailbox) {
  RemoteSide& side = *mailbox.extension->remote;
  const bool was_used = std::exchange(side.used, false);
  const bool is_new_round = side.turned_down && side.next.lease == side.now.lease;
  side.open = 0;
  side.under_way.each_backwards([&](UnderWay& message) {
    if (message.moved_on != 0 || (message.kept && is_new_round)) return;
    if (message.kept) return leave_kept(home, message);
    if (!mutated(Mutation::not_taken_back)) {
      take_back(home, mailbox, message);
    } else {
      free_place(home, mailbox, message);
      end_record(home, message.record, Outcome::consumed);
    }
    message.record = nullptr;
  });
  side.under_way.forget_ended();
  if (was_used && !is_new_round) {
    fail_requests_to(spoken_of(mailbox), home, side.reason, side.text,
                     requests_left(mailbox, side.reason));
  }
  if (was_used && home.node().backend() != nullptr) tell_of_end(home.node(), mailbox, side);
  side.parting = side.closed = side.blocked = false;
  side.patience.reset();
  enter(home, mailbox, side);
  home.overhearing.tell_gaps(mailbox);
  for (const auto& begin : std::exchange(side.arrivals, {})) begin(home);
}

std::vector<std::uint64_t> requests_left(const Mailbox& mailbox, EndReason reason) {
  // An agent that takes a name over also takes the messages that the old holder was reading;
  // otherwise the requesters are notified.
  const bool is_taken = reason == EndReason::fenced;
  const auto mask = is_taken ? request_flag : request_flag | redelivered_flag;
  std::vector<std::uint64_t> left;
  mailbox.each_waiting([&](const MessageRecord& record) {
    if ((record.flags & mask) == request_flag && is_counted(record))
      left.push_back(record.conversation);
  });
  if (!mailbox.extension || !mailbox.extension->remote) return left;
  mailbox.extension->remote->under_way.each([&](const UnderWay& message) {
    const bool is_left = is_taken || (is_storing(mailbox) && !message.was_read);
    if (is_left && (message.record->flags & request_flag) != 0)
      left.push_back(message.record->conversation);
  });
  return left;
}

void await_holder(Worker& home, Mailbox& mailbox) {
  const Time until = home.now() + home.node().options().absent_time_to_live;
  mailbox.each_waiting([&](MessageRecord& record) {
    if (!is_counted(record)) return;
    fields_of(record).absent_until = until;
    watch_expiry(home, mailbox, record);
  });
}

void find_again(Worker& home, Mailbox& mailbox, LeaseId lease) {
  RemoteSide* const side = known_side(mailbox);
  if (side == nullptr || side->next.lease != 0 || side->stands_for != nullptr) return;
  NodeCore& node = home.node();
  if (node.backend() != nullptr || (lease != 0 && node.remote()->peers().is_gone(lease))) return;
  const auto known = node.directory().try_look_up(mailbox.name);
  if (!known || !*known || (*known)->lease == node.lease().id()) return;
  if ((lease != 0 && (*known)->lease != lease) || (*known)->incarnation < side->next.life) return;
  side->next = holder_of(**known);
  note_lease(home, mailbox, side->next.lease);
  if (lease != 0) go_to_next_holder(home, mailbox);
}

}  // namespace coracle::detail
