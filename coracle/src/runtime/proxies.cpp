// Names that are held on other nodes, at the party that stands for them here. See remote.hpp.
#include "runtime/entrusting.hpp"
#include "runtime/fast_path.hpp"
#include "runtime/planted.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

constexpr Duration answer_patience = std::chrono::seconds(10);
constexpr std::uint32_t under_way_at_least = 1024;

RemoteSide& side_of(Party& party) {
  auto& side = party.ext().remote;
  if (!side) side = std::make_unique<RemoteSide>();
  return *side;
}

RemoteSide* known_side(const Party& party) noexcept {
  return party.extension ? party.extension->remote.get() : nullptr;
}

// What a mailbox elsewhere does here: when it seems to be full, its senders wait for what it says
// itself, and always when it would have them fail. One that drops or redirects is never full, but
// what it takes is known only later.
MailboxOptions as_seen_from_here(MailboxOptions options) {
  switch (options.overflow()) {
    case Overflow::wait:
      break;
    case Overflow::fail:
      options.messages(0);
      break;  // only the mailbox itself can say
    default:
      options.messages(std::max(options.messages(), under_way_at_least));
  }
  static const Name nobody;
  return options.redirect_to(nobody).overflow(Overflow::wait);
}

}  // namespace

// --- to a name that is held elsewhere ---

void Worker::free_place(Party& party, UnderWay& message) noexcept {
  if (!std::exchange(message.has_place, false)) return;
  add_claimed(node_, party, ~std::uint32_t{0});
  party.bytes -= bytes_of(*message.parcel);
  if ((party.mode_now() & bytes_full) != 0 && party.bytes < bytes_limit(party)) {
    party.clear_mode(bytes_full);
  }
}

// Into its mailbox here, or at once to its holder.
void Worker::put_away(Party& party, Parcel* parcel) noexcept {
  RemoteSide& side = side_of(party);
  const bool is_plain = parcel->extras == nullptr && is_counted(*parcel);
  const bool is_next = !party.queue && !own_queues_ && party.waiting.empty();
  if (!is_plain || !is_next || !side.may_go() || side.is_probing || node_.remote()->is_paused()) {
    put_in_mailbox(party, parcel);
    return pump(party);
  }
  count_in(party, *parcel);
  release_claim(party, *parcel);
  send_under_way(party, side, parcel);
}

// Sends what waits, as long as its holder may get it.
void Worker::pump(Party& party) noexcept {
  RemoteSide& side = side_of(party);
  while (side.may_go() && !node_.remote()->is_paused()) {
    if (side.is_probing && side.open != 0) return;
    Parcel* const parcel = party.take(Match());
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
      side.blocked = !node_.remote()->send_message(side.now, *parcel, 0);
      free_parcel(parcel);
      continue;
    }
    send_under_way(party, side, parcel);
  }
}

void Worker::send_under_way(Party& party, RemoteSide& side, Parcel* parcel) noexcept {
  const std::uint64_t serial = side.first + side.under_way.size();
  side.under_way.push_back({parcel});
  length_.queued(bytes_of(*parcel));
  add_queued(party, ~std::uint32_t{0});  // its bytes count as long as it has a place
  add_claimed(node_, party, 1);
  ++side.open;
  side.used = true;
  try {
    side.blocked = !node_.remote()->send_message(side.now, *parcel, serial);
  } catch (const std::exception& error) {  // a value that cannot be encoded
    free_place(party, side.under_way.back());
    side.under_way.pop_back();
    --side.open;
    bury(*parcel, error.what());
    return end_parcel(parcel, Outcome::undeliverable);
  }
}

void Worker::unblock(Party& party) noexcept {
  RemoteSide* const side = known_side(party);
  if (side == nullptr || !std::exchange(side->blocked, false)) return;
  pump(party);
}

// What a node says of messages that went there; of others it has nothing to say.
void Worker::on_mark(Party& party, LeaseId from, std::uint8_t said, std::uint64_t first,
                     std::uint64_t count) {
  RemoteSide* const side = known_side(party);
  if (side == nullptr) return;
  const std::uint64_t end = side->first + side->under_way.size();
  if (planted(Bug::one_mark_too_many)) ++count;
  const std::uint64_t last = count > end - first ? end : first + count;
  for (std::uint64_t serial = std::max(first, side->first); serial < last && first < end;
       ++serial) {
    const auto at = static_cast<std::size_t>(serial - side->first);
    UnderWay& message = side->under_way[at];
    side->fetch_behind(at);
    const LeaseId keeper = message.moved_on != 0 ? message.moved_on : side->now.lease;
    if (message.parcel == nullptr || message.came_back || keeper != from) continue;
    on_mark(party, *side, message, said);
  }
  side->forget_ended();
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
  if (said == kept_mark) return on_kept(*this, party, side, message);
  if (said == later_mark) return on_turned_down(side, message);
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
      return free_place(party, message);
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
      free_place(party, message);
      message.moved_on = side.now.lease;
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
  } else if ((parcel->flags & request_flag) != 0 && outcome != Outcome::consumed) {
    answer_for(*parcel, outcome);
  }
  free_parcel(parcel);
}

void Worker::on_mailbox(Party& party, LeaseId from, const MailboxOptions& mailbox) {
  RemoteSide* const side = known_side(party);
  if (side == nullptr || side->now.lease != from || party.is_present()) return;
  side->now.mailbox = mailbox;
  set_mailbox(party, as_seen_from_here(mailbox));
}

// --- who holds it ---

void Worker::on_holder(Party& party, const Holder& holder) {
  RemoteSide& side = side_of(party);
  if (holder.life <= side.next.life) return;
  side.next = holder;
  // Of a life that another directory has given, its own claim there decides.
  const bool is_decided = holder.life.epoch == party.incarnation.epoch || !node_.is_registering();
  const bool is_lost = party.agent != nullptr && party.incarnation < holder.life && is_decided;
  if (is_lost && !planted(Bug::name_not_lost)) lose_name(party);
  look_again(party);
}

void Worker::on_holder_ended(Party& party, const Ending& ending) {
  RemoteSide* const side = known_side(party);
  if (side == nullptr || party.is_present() || ending.incarnation < side->next.life) return;
  if (ending.reason == EndReason::fenced) return;  // somebody else holds it, as we shall hear
  side->next = Holder{0, ending.incarnation, {}};
  side->reason = ending.reason;
  side->text = ending.text;
  look_again(party);
}

void Worker::on_holder_closed(Party& party, LeaseId from, const Ending& ending) {
  RemoteSide* const side = known_side(party);
  if (side == nullptr || side->now.lease != from || ending.incarnation < side->now.life) return;
  side->closed = true;
  side->reason = ending.reason;
  side->text = ending.text;
  if (side->next.life <= ending.incarnation) side->next = Holder{0, ending.incarnation, {}};
  look_again(party);
}

void Worker::on_peer_gone(Party& party, LeaseId lease) {
  if (!party.extension) return;
  std::erase(party.extension->correspondents, lease);
  forget_knocks(party, lease);
  RemoteSide* const side = known_side(party);
  if (side == nullptr) return;
  for (UnderWay& message : side->under_way) {
    if (message.parcel == nullptr || message.moved_on != lease) continue;
    if (!planted(Bug::moved_on_not_counted)) ++flow.counters.custodian_lost;
    report(*message.parcel, Outcome::custodian_lost);
    node_.finished(*message.parcel);
    free_parcel(std::exchange(message.parcel, nullptr));
  }
  side->forget_ended();
  if (side->next.lease == lease) side->next.lease = 0;
  if (side->now.lease == lease) look_again(party);
}

bool is_overtaken(const Party& party, Incarnation life) noexcept {
  const RemoteSide* const side = known_side(party);
  return side != nullptr && life < side->next.life;
}

// An agent shall hold the name here. True when it has to wait until the last holder has answered;
// then `begin` is called.
bool Worker::awaits_answers(Party& party, Incarnation life, std::function<void(Worker&)> begin) {
  RemoteSide* const side = known_side(party);
  if (side == nullptr || is_overtaken(party, life)) return false;
  if (side->next.life < life) {
    side->next = Holder{0, life, {}};
    side->reason = EndReason::fenced;
  }
  if (side->now.lease == 0) return false;
  side->arrivals.push_back(std::move(begin));
  look_again(party);
  return true;
}

// Goes on to the next holder, as soon as that may be.
void Worker::look_again(Party& party) {
  RemoteSide& side = *party.extension->remote;
  const bool is_gone = side.now.lease == 0 || node_.remote()->is_gone(side.now.lease);
  if (side.now.lease != 0 && side.used && !side.parting) {
    side.parting = true;
    side.patience = std::make_unique<RemoteSide::Patience>(*this, party);
    side.patience->arm(*this, now() + answer_patience);
  }
  const bool waits = side.parting && !(side.closed && side.open == 0) && !is_gone;
  if (waits && !planted(Bug::next_holder_too_early)) return;
  part(party);
}

void RemoteSide::Patience::on_time(TimerNode& timer) noexcept {
  auto& self = static_cast<Patience&>(timer);
  self.worker.part(self.party);
}

// The last holder has answered for everything, or will not any more. What it did not read, or may
// not have finished, is before all else that waits.
void Worker::part(Party& party) {
  RemoteSide& side = *party.extension->remote;
  const bool was_used = std::exchange(side.used, false);
  const bool is_new_round = side.turned_down && side.next.lease == side.now.lease;
  side.open = 0;
  for (auto message = side.under_way.rbegin(); message != side.under_way.rend(); ++message) {
    if (message->parcel == nullptr || message->moved_on != 0) continue;
    if (message->kept && is_new_round) continue;
    if (message->kept) {
      leave_kept(*this, *message);
      continue;
    }
    if (!planted(Bug::not_taken_back)) {
      take_back(party, *message);
    } else {
      free_place(party, *message);
      end_parcel(message->parcel, Outcome::consumed);
    }
    message->parcel = nullptr;
  }
  side.forget_ended();
  if (was_used && side.reason != EndReason::fenced && !is_new_round) {
    node_.tell_requesters(*this, spoken_of(party), side.reason, side.text, unread_requests(party));
  }
  if (was_used && node_.custody() != nullptr) tell_of_end(node_, party, side);
  side.parting = side.closed = side.blocked = false;
  side.patience.reset();
  enter(party, side);
  for (const auto& begin : std::exchange(side.arrivals, {})) begin(*this);
}

void Worker::take_back(Party& party, UnderWay& message) noexcept {
  Parcel* const parcel = message.parcel;
  free_place(party, message);
  if (!message.came_back || message.was_read) {
    if (!planted(Bug::taken_back_unmarked)) set_flag(*parcel, redelivered_flag);
    if ((parcel->flags & request_flag) != 0) tell_sender(*this, *parcel, Mark::read);
    // Nobody reads at the custodian.
    if (!is_entrusting(party) &&
        ++extras_of(*parcel).deliveries > node_.options().redelivery_limit) {
      bury(*parcel, "given back too often");
      return end_parcel(parcel, Outcome::undeliverable);
    }
  }
  count_in(party, *parcel);
  if (planted(Bug::taken_back_last)) return store(party, parcel);
  store_first(party, parcel);
}

void Worker::enter(Party& party, RemoteSide& side) {
  side.now = side.next;
  if (is_entrusting(party)) return enter_round(*this, party, side);
  const bool takes_letters = party.name == Node::dead_letters() && party.agent == nullptr;
  if (takes_letters && side.now.lease != 0) party.clear_mode(present);
  if (party.is_present()) return;
  if (side.now.lease != 0) {
    party.set_mode(elsewhere);
    set_mailbox(party, as_seen_from_here(side.now.mailbox));
    return pump(party);
  }
  party.clear_mode(elsewhere);
  node_.restore_dead_letters(party);
  await_holder(party);
  release_tickets(party);
}

std::vector<std::uint64_t> Worker::unread_requests(const Party& party) {
  std::vector<std::uint64_t> unread;
  party.each_waiting([&](const Parcel& parcel) {
    const bool is_unread = (parcel.flags & (request_flag | redelivered_flag)) == request_flag;
    if (is_unread && is_counted(parcel)) unread.push_back(parcel.conversation);
  });
  return unread;
}

// What waits for a name that nobody holds does so for a limited time.
void Worker::await_holder(Party& party) {
  const Time until = now() + node_.options().absent_time_to_live;
  party.each_waiting([&](Parcel& parcel) {
    if (!is_counted(parcel)) return;
    extras_of(parcel).absent_until = until;
    watch_expiry(party, parcel);
  });
}

}  // namespace coracle::detail
