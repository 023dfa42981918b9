// Names that are held on other nodes, at the party that stands for them here. See remote.hpp.
#include "runtime/entrusting.hpp"
#include "runtime/fast_path.hpp"
#include "runtime/planted.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

// Whether nothing has to go before a message that comes now.
inline bool is_next_to_go(const Remote& remote, const Party& party,
                          const RemoteSide& side) noexcept {
  return !party.queue && party.waiting.empty() && side.may_go() && !side.is_probing &&
         !remote.is_paused();
}

// So many marks are taken for each message, and so many messages, with so many times the bytes of
// a mailbox, may be taken and not ended.
constexpr std::uint64_t most_marks = 16;
constexpr std::size_t most_taken = 262'144, most_taken_mailboxes = 8;

// Whether the holder has it no more, or under another name.
bool goes_back(std::uint8_t said) noexcept {
  return said == static_cast<std::uint8_t>(Mark::unread) ||
         said == static_cast<std::uint8_t>(Mark::read) ||
         said == static_cast<std::uint8_t>(Mark::moved_on);
}

// What came for an agent that is about to begin here waits for that, and goes nowhere else.
Parcel* take_to_go(Worker& home, Party& party) noexcept {
  Parcel* const first = party.take(Match());
  if (first == nullptr || !may_return(*first)) [[likely]]
    return first;
  home.store_first(party, first);
  return party.take(that([](const MessageView& each) { return !may_return(*each.parcel()); }));
}

[[gnu::always_inline]] inline void leave_mailbox(Worker& home, Party& party,
                                                 UnderWay& message) noexcept {
  if (!std::exchange(message.has_place, false)) return;
  add_claimed(home.node(), party, ~std::uint32_t{0});
  party.bytes -= bytes_of(*message.parcel);
  if ((party.mode_now() & bytes_full) != 0 && party.bytes < home.bytes_limit(party)) {
    party.clear_mode(bytes_full);
  }
}

// Another one may have its place, unless its holder has taken so much already: it may keep that for
// ever.
void leave_place(Worker& home, Party& party, UnderWay& message) noexcept {
  RemoteSide& side = *party.extension->remote;
  const std::size_t bytes = bytes_of(*message.parcel);
  if (!message.has_place || side.taken >= most_taken ||
      side.taken_bytes + bytes > most_taken_mailboxes * home.bytes_limit(party))
    return;
  leave_mailbox(home, party, message);
  message.is_taken = true;
  ++side.taken;
  side.taken_bytes += bytes;
}

// It was taken there, or moved on to another name.
[[gnu::noinline]] void forget_taken(RemoteSide& side, UnderWay& message) noexcept {
  if (std::exchange(message.is_taken, false)) {
    --side.taken;
    side.taken_bytes -= bytes_of(*message.parcel);
  }
  if (message.moved_on != 0) {
    const auto count = side.moved_on.find(message.moved_on);
    if (--count->second == 0) side.moved_on.erase(count);
  }
}

}  // namespace

// It has ended, or is about to.
void Worker::free_place(Party& party, UnderWay& message) noexcept {
  if (message.is_taken || message.moved_on != 0) [[unlikely]]
    forget_taken(*party.extension->remote, message);
  leave_mailbox(*this, party, message);
}

// A send as a whole, of a plain message before which nothing waits. False leaves everything as it
// was.
bool Worker::send_away_plain(Agent& sender, Parcel& parcel) {
  Party& source = *sender.party();
  Party& target = *parcel.target;
  constexpr std::uint32_t unusual = held | moves | bytes_full;
  constexpr std::uint16_t special = special_to_offer & ~reply_flag;
  if (!plain_ || source.agent != &sender || (parcel.flags & special) != 0 ||
      target.home.load(std::memory_order_relaxed) != this ||
      (target.mode_now() & unusual) != elsewhere || target.readers.linked() ||
      target.occupied() >= target.limit.load(std::memory_order_relaxed)) {
    return false;
  }
  const ContentBlock* const content = parcel.content;
  if (content != nullptr && (content->is_typed() || content->size > content_limit_)) return false;
  RemoteSide* const side = known_side(target);
  if (side == nullptr || own_queues_ || !is_next_to_go(*node_.remote(), target, *side))
    return false;
  ++source.sent;
  count_bytes(target, parcel);
  send_under_way(target, *side, &parcel);
  return true;
}

// Into its mailbox here, or at once to its holder.
void Worker::put_away(Party& party, Parcel* parcel) noexcept {
  RemoteSide& side = side_of(party);
  const bool is_plain = parcel->extras == nullptr && is_counted(*parcel);
  if (!is_plain || own_queues_ || !is_next_to_go(*node_.remote(), party, side)) {
    put_in_mailbox(party, parcel);
    return pump(party);
  }
  count_bytes(party, *parcel);
  release_claim(party, *parcel);
  send_under_way(party, side, parcel);
}

// Sends what waits, as long as its holder may get it.
void Worker::pump(Party& party) noexcept {
  RemoteSide& side = side_of(party);
  while (side.may_go() && !node_.remote()->is_paused()) {
    if (side.is_probing && side.open != 0) return;
    Parcel* const parcel = take_to_go(*this, party);
    if (parcel == nullptr) return;
    if (is_copy(*parcel)) {  // for an agent that has ended here
      left_mailbox(party, *parcel);
      end_parcel(parcel, Outcome::undeliverable);
      continue;
    }
    if (parcel->extras != nullptr && parcel->extras->deadline <= now()) {
      left_mailbox(party, *parcel);
      end_parcel(parcel, Outcome::expired);
      continue;
    }
    if ((parcel->flags & letter_flag) != 0) {
      count_out(party, *parcel);
      // A node speaks for its own agents: of others it says in a header who they were.
      const bool is_ours =
          parcel->source != nullptr && parcel->source->incarnation != Incarnation();
      if (!is_ours) parcel->source = nullptr;
      side.blocked = !node_.remote()->send_message(side.now, *parcel, 0);
      free_parcel(parcel);
      continue;
    }
    add_queued(party, ~std::uint32_t{0});
    send_under_way(party, side, parcel);
  }
}

// It waits no more, but has its place, and its bytes count.
void Worker::send_under_way(Party& party, RemoteSide& side, Parcel* parcel) noexcept {
  const std::uint64_t serial = side.under_way.add(parcel);
  length_.queued(bytes_of(*parcel));
  add_claimed(node_, party, 1);
  ++side.open;
  side.used = true;
  try {
    side.blocked = !node_.remote()->send_message(side.now, *parcel, serial);
  } catch (const std::exception& error) {  // a value that cannot be encoded
    free_place(party, side.under_way.recent().back());
    side.under_way.take_back();
    --side.open;
    bury(*parcel, error.what());
    return end_parcel(parcel, Outcome::undeliverable);
  }
}

void Worker::unblock(Party& party) noexcept {
  RemoteSide* const side = known_side(party);
  if (side == nullptr || !std::exchange(side->blocked, false)) return;
  pump(party);
  tell_gaps(party);
}

// The first `most` that are under way, or as many of them as can end without more ado: their
// reader is done with them, and nobody else wants to know. Returns how many have ended.
std::uint64_t Worker::end_plain(Party& party, RemoteSide& side, LeaseId from,
                                std::uint64_t most) noexcept {
  if (side.now.lease != from) return 0;
  std::uint64_t ended = 0;
  for (; ended < most; ++ended) {
    UnderWay& message = side.under_way.recent().front();
    Parcel* const parcel = message.parcel;
    if (parcel == nullptr || parcel->extras != nullptr || (parcel->flags & foreign_flag) != 0 ||
        message.is_special()) {
      break;
    }
    side.under_way.fetch_behind(0);
    free_place(party, message);
    side.under_way.forget_first();
    free_parcel(parcel);
  }
  side.open -= ended;
  flow.counters.passed_on += ended;
  return ended;
}

// What a node says of messages that went there; of others it has nothing to say.
void Worker::on_mark(Party& party, LeaseId from, std::uint8_t said, std::uint64_t first,
                     std::uint64_t count) {
  RemoteSide* const side = known_side(party);
  if (side == nullptr) return;
  if (from != side->now.lease && !side->moved_on.contains(from) && !planted(Bug::any_mark)) return;
  UnderWays& sent = side->under_way;
  const std::uint64_t end = sent.next();
  if (side->marked > most_marks * end) return node_.remote()->on_excess(from);
  if (planted(Bug::one_mark_too_many)) ++count;
  const std::uint64_t last = first >= end ? 0 : first + std::min(count, end - first);
  const bool is_end = said == static_cast<std::uint8_t>(Mark::consumed);
  const bool is_of_custodian = said >= kept_mark && said <= doubtful_mark;
  if (is_of_custodian && !is_entrusting(party)) return;
  const auto mark_one = [&](UnderWay& message) {
    ++side->marked;
    const LeaseId keeper = message.moved_on != 0 ? message.moved_on : side->now.lease;
    if (message.parcel == nullptr || message.came_back ||
        (keeper != from && !planted(Bug::any_mark)))
      return;
    on_mark(party, *side, message, said);
  };
  for (std::uint64_t serial = first; serial < last;) {
    if (serial < sent.first()) {
      sent.each_aside(serial, std::min(last, sent.first()), mark_one);
      serial = sent.first();
      continue;
    }
    if (is_end && serial == sent.first()) {
      serial += end_plain(party, *side, from, last - serial);
      if (serial == last) break;
    }
    const auto at = static_cast<std::size_t>(serial - sent.first());
    sent.fetch_behind(at);
    mark_one(sent.recent()[at]);
    sent.forget_recent();
    ++serial;
  }
  grant_room(party);
  if (side->turned_down) return begin_round(*this, party, *side);
  if (side->is_probing && side->open == 0) pump(party);
  if (side->parting) look_again(party);
}

void Worker::on_mark(Party& party, RemoteSide& side, UnderWay& message, std::uint8_t said) {
  constexpr auto first_drop = static_cast<std::uint8_t>(Mark::dropped);
  const auto end = [&](Outcome outcome, DropReason reason = DropReason::oldest) {
    free_place(party, message);
    if (message.moved_on == 0 && !message.kept) --side.open;
    end_under_way(std::exchange(message.parcel, nullptr), outcome, reason);
  };
  if (said == forbidden_mark) {
    set_flag(*message.parcel, forbidden_flag);
    return end(Outcome::refused);
  }
  if (said == too_large_mark) {
    set_flag(*message.parcel, oversize_flag);
    return end(Outcome::refused);
  }
  if (said == unanswered_mark) {
    set_flag(*message.parcel, unanswered_flag);
    return end(Outcome::consumed);
  }
  // Of what waits elsewhere under another name, or with the custodian, only its end is new.
  if (message.moved_on != 0 && (goes_back(said) || said >= kept_mark)) return;
  if (said == kept_mark) return on_kept(*this, party, side, message);
  if (said == later_mark || said == doubtful_mark)
    return on_turned_down(side, message, said == doubtful_mark);
  if (said >= first_drop) {
    return end(Outcome::dropped, static_cast<DropReason>(said - first_drop));
  }
  switch (static_cast<Mark>(said)) {
    case Mark::delivered:
      tell_sender(*this, *message.parcel, said);
      return report(*message.parcel, Stage::delivered);
    case Mark::taken:
      tell_sender(*this, *message.parcel, said);
      report(*message.parcel, Stage::delivered);
      message.was_read = true;
      return leave_place(*this, party, message);
    case Mark::consumed:
      return end(Outcome::consumed);
    case Mark::expired:
      return end(Outcome::expired);
    case Mark::refused:
      return end(Outcome::refused);
    case Mark::undeliverable:
      return end(Outcome::undeliverable);
    case Mark::unread:
    case Mark::read:
      if (message.kept) return fail_asker(*message.parcel, Errc::peer_down);
      message.came_back = true;
      message.was_read =
          said == static_cast<std::uint8_t>(Mark::read) && !planted(Bug::read_taken_for_unread);
      --side.open;
      return;
    case Mark::moved_on:
      if (message.kept) return;
      leave_place(*this, party, message);
      message.moved_on = side.now.lease;
      if (++side.moved_on[message.moved_on] == 1) note_lease(*this, party, message.moved_on);
      --side.open;
      return;
    case Mark::dropped:
      return;
  }
}

// It ended at another node, which has counted it.
void Worker::end_under_way(Parcel* parcel, Outcome outcome, DropReason reason) noexcept {
  ++flow.counters.passed_on;
  report(*parcel, outcome);
  node_.finished(*parcel);
  if ((parcel->flags & foreign_flag) != 0) {
    mark(*parcel, outcome, reason);  // it had been redirected
  } else if (is_awaited_elsewhere(*parcel)) {
    tell_sender(*this, *parcel, outcome, reason);
  } else if ((parcel->flags & unanswered_flag) != 0) {
    fail_asker(*parcel, Errc::unanswered);
  } else if ((parcel->flags & request_flag) != 0 && outcome != Outcome::consumed) {
    answer_for(*parcel, outcome);
  }
  free_parcel(parcel);
}

}  // namespace coracle::detail
