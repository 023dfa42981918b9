// Who holds a name on another node, and what becomes of what the last holder was sent. See
// remote.hpp.
#include "runtime/entrusting.hpp"
#include "runtime/fast_path.hpp"
#include "runtime/planted.hpp"
#include "runtime/remote_frames.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

constexpr Duration answer_patience = std::chrono::seconds(10);
constexpr std::uint32_t under_way_at_least = 1024, under_way_at_most = 1 << 20;
constexpr std::size_t bytes_under_way_at_most = std::size_t{256} << 20;

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
  // It takes what it says, but what waits here for its readers is not for it to say.
  options.messages(std::min(options.messages(), under_way_at_most));
  options.bytes(std::min(options.bytes(), bytes_under_way_at_most));
  static const Name nobody;
  return options.redirect_to(nobody).overflow(Overflow::wait);
}

void take_back(Worker& home, Party& party, UnderWay& message) noexcept {
  Parcel* const parcel = message.parcel;
  home.free_place(party, message);
  if (!message.came_back || message.was_read) {
    if (!planted(Bug::taken_back_unmarked)) set_flag(*parcel, redelivered_flag);
    const bool is_for_next = party.extension->remote->reason == EndReason::fenced;
    if ((parcel->flags & request_flag) != 0 && !is_for_next) tell_sender(home, *parcel, Mark::read);
    // Nobody reads at the custodian.
    if (!is_entrusting(party) &&
        ++extras_of(*parcel).deliveries > home.node().options().redelivery_limit) {
      home.bury(*parcel, "given back too often");
      return home.end_parcel(parcel, Outcome::undeliverable);
    }
  }
  home.count_in(party, *parcel);
  if (planted(Bug::taken_back_last)) return home.store(party, parcel);
  home.store_first(party, parcel);
}

void enter(Worker& home, Party& party, RemoteSide& side) {
  side.now = side.next;
  side.reason = EndReason::unreachable;  // until something else is heard of this one
  side.text.clear();
  if (is_entrusting(party)) return enter_round(home, party, side);
  const bool takes_letters = party.name == Node::dead_letters() && party.agent == nullptr;
  if (takes_letters && side.now.lease != 0) party.clear_mode(present);
  if (party.is_present()) return;
  if (side.now.lease != 0) {
    party.set_mode(elsewhere);
    home.set_mailbox(party, as_seen_from_here(side.now.mailbox));
    turn_away_earlier(home, party, side.now.life);
    return home.pump(party);
  }
  party.clear_mode(elsewhere);
  home.node().restore_dead_letters(party);
  await_holder(home, party);
  home.release_tickets(party);
}

}  // namespace

void Worker::on_mailbox(Party& party, LeaseId from, const MailboxOptions& mailbox) {
  RemoteSide* const side = known_side(party);
  if (side == nullptr || side->now.lease != from || party.is_present()) return;
  side->now.mailbox = mailbox;
  set_mailbox(party, as_seen_from_here(mailbox));
}

void Worker::on_holder(Party& party, const Holder& holder) {
  RemoteSide& side = side_of(party);
  if (holder.life <= side.next.life) return;
  side.next = holder;
  note_lease(*this, party, holder.lease);
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
  if (side == nullptr) return;
  if (side->now.lease != from && !planted(Bug::any_closing)) return;
  if (ending.incarnation < side->now.life) return;
  side->closed = true;
  side->reason = ending.reason;
  side->text = ending.text;
  // Which lives there are, the directory says: this one is over, whatever the holder calls it.
  if (side->next.life <= side->now.life) side->next = Holder{0, side->now.life, {}};
  look_again(party);
}

void Worker::on_peer_gone(Party& party, LeaseId lease) {
  if (!party.extension) return;
  std::erase(party.extension->correspondents, lease);
  forget_knocks(party, lease);
  RemoteSide* const side = known_side(party);
  if (side == nullptr) return;
  if (side->moved_on.contains(lease)) {
    side->under_way.each_backwards([&](UnderWay& message) {
      if (message.moved_on != lease) return;
      free_place(party, message);
      if (!planted(Bug::moved_on_not_counted)) ++flow.counters.custodian_lost;
      report(*message.parcel, Outcome::custodian_lost);
      node_.finished(*message.parcel);
      free_parcel(std::exchange(message.parcel, nullptr));
    });
    side->under_way.forget_ended();
  }
  if (side->next.lease == lease) side->next.lease = 0;
  if (side->now.lease != lease) return;
  note_refusal(party, keeps_nothing);
  look_again(party);
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
    side->text = taken_over;
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
  side.under_way.each_backwards([&](UnderWay& message) {
    if (message.moved_on != 0 || (message.kept && is_new_round)) return;
    if (message.kept) return leave_kept(*this, message);
    if (!planted(Bug::not_taken_back)) {
      take_back(*this, party, message);
    } else {
      free_place(party, message);
      end_parcel(message.parcel, Outcome::consumed);
    }
    message.parcel = nullptr;
  });
  side.under_way.forget_ended();
  if (was_used && !is_new_round) {
    node_.tell_requesters(*this, spoken_of(party), side.reason, side.text,
                          requests_left(party, side.reason));
  }
  if (was_used && node_.custody() != nullptr) tell_of_end(node_, party, side);
  side.parting = side.closed = side.blocked = false;
  side.patience.reset();
  enter(*this, party, side);
  tell_gaps(party);
  for (const auto& begin : std::exchange(side.arrivals, {})) begin(*this);
}

std::vector<std::uint64_t> requests_left(const Party& party, EndReason reason) {
  // Who takes a name over takes what its holder was reading with it; else the askers hear of it.
  const bool is_taken = reason == EndReason::fenced;
  const auto mask = is_taken ? request_flag : request_flag | redelivered_flag;
  std::vector<std::uint64_t> left;
  party.each_waiting([&](const Parcel& parcel) {
    if ((parcel.flags & mask) == request_flag && is_counted(parcel))
      left.push_back(parcel.conversation);
  });
  if (!party.extension || !party.extension->remote) return left;
  party.extension->remote->under_way.each([&](const UnderWay& message) {
    const bool is_left = is_taken || (is_entrusting(party) && !message.was_read);
    if (is_left && (message.parcel->flags & request_flag) != 0)
      left.push_back(message.parcel->conversation);
  });
  return left;
}

void await_holder(Worker& home, Party& party) {
  const Time until = home.now() + home.node().options().absent_time_to_live;
  party.each_waiting([&](Parcel& parcel) {
    if (!is_counted(parcel)) return;
    extras_of(parcel).absent_until = until;
    home.watch_expiry(party, parcel);
  });
}

void find_again(Worker& home, Party& party, LeaseId lease) {
  RemoteSide* const side = known_side(party);
  if (side == nullptr || side->next.lease != 0 || side->stands_for != nullptr) return;
  NodeCore& node = home.node();
  if (node.custody() != nullptr || (lease != 0 && node.remote()->is_gone(lease))) return;
  const auto known = node.directory().try_look_up(party.name);
  if (!known || !*known || (*known)->lease == node.lease()) return;
  if ((lease != 0 && (*known)->lease != lease) || (*known)->incarnation < side->next.life) return;
  side->next = holder_of(**known);
  note_lease(home, party, side->next.lease);
  if (lease != 0) home.look_again(party);
}

}  // namespace coracle::detail
