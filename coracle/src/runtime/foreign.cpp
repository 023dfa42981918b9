// What came from other nodes, at the party that it was for. See remote.hpp.
#include "runtime/node_core.hpp"

#include <algorithm>

namespace coracle::detail {

namespace {

constexpr std::uint32_t awaited_limit = 65536;  // messages for an agent that is about to begin

const Match& foreign_message() {
  static const Match match =
      that([](const MessageView& message) { return may_return(*message.parcel()); });
  return match;
}

}  // namespace

// Read on the target's own worker.
void Worker::take_in(Party& target, Parcel* parcel) noexcept {
  if ((target.mode_now() & moves) != 0 && hold_back(target, parcel, index_)) return;
  arrive_at(target, parcel);
}

void Worker::receive_foreign(Party& target, Parcel* parcel) noexcept {
  const Extras& extras = *parcel->extras;
  auto& correspondents = target.ext().correspondents;
  if (std::find(correspondents.begin(), correspondents.end(), extras.origin) ==
      correspondents.end()) {
    correspondents.push_back(extras.origin);
    // What the directory says of the mailbox may be old.
    if ((target.mode_now() & own_mailbox) != 0 && target.is_present()) {
      node_.remote()->send_mailbox(extras.origin, target);
    }
  }
  if (parcel->extras->sent_to == nullptr) {
    parcel->extras->sent_to = &target;
    use_entry(target, *parcel);
  }
  if (!may_return(*parcel)) {  // it was redirected to this name
    if (offer(target, parcel, false) != Verdict::carried) put(target, parcel);
    return;
  }
  if (!target.is_present()) {
    // Its agent is about to begin here, unless the sender's node is behind.
    const RemoteSide* const side = target.extension->remote.get();
    const bool is_later = side == nullptr || side->next.life < extras.life ||
                          (side->next.life == extras.life && side->next.lease == 0);
    const bool is_awaited = target.incarnation < extras.life && is_later;
    if (is_awaited && target.occupied() < awaited_limit) return put(target, parcel);
    if (is_awaited) return end_parcel(parcel, Outcome::refused);
    return return_foreign(target, parcel), close(target, EndReason::stopped, {});
  }
  // It was accepted when it was sent; each node that sends may fill the mailbox once.
  if (offer(target, parcel, false) != Verdict::carried) put(target, parcel);
}

// Nobody is there to read it: its custodian gets it back, or is gone, and then it is ours.
void Worker::return_foreign(Party& target, Parcel* parcel) noexcept {
  release_claim(target, *parcel);
  if (node_.remote()->is_gone(parcel->extras->origin)) {
    clear_flag(*parcel, foreign_flag);
    parcel->extras->origin = 0;
    return put(target, parcel);
  }
  const bool was_read = (parcel->flags & redelivered_flag) != 0;
  marks_.push_back({parcel->extras->origin, parcel->extras->sent_to, parcel->extras->serial,
                    static_cast<std::uint8_t>(was_read ? Mark::read : Mark::unread)});
  ++flow.counters.passed_on;
  free_parcel(parcel);
}

// The agent here has ended, or lost its name.
void Worker::close(Party& party, EndReason reason, const std::string& text) noexcept {
  if (node_.remote() == nullptr) return;
  std::vector<Parcel*> foreign;
  while (Parcel* const parcel = party.take(foreign_message())) {
    left_mailbox(party, *parcel);
    foreign.push_back(parcel);
  }
  for (Parcel* const parcel : foreign) return_foreign(party, parcel);
  if (!party.extension || party.extension->correspondents.empty()) return;
  publish();  // what became of its messages comes first
  node_.remote()->send_closed(party, reason, text);
}

// Nobody waits for an answer any more.
void Worker::drop_foreign(Party& party) noexcept {
  while (Parcel* const parcel = party.take(foreign_message())) {
    left_mailbox(party, *parcel);
    ++flow.counters.passed_on;
    free_parcel(parcel);
  }
}

void Worker::lose_name(Party& party) noexcept {
  party.clear_mode(present | pinned);
  fence(party);
  close(party, EndReason::fenced, {});
}

void Worker::mark(const Parcel& parcel, Outcome outcome, DropReason reason) {
  auto said = static_cast<std::uint8_t>(mark_of(outcome));
  if (outcome == Outcome::dropped) {
    said = static_cast<std::uint8_t>(static_cast<unsigned>(Mark::dropped) +
                                     static_cast<unsigned>(reason));
  }
  const Extras& extras = *parcel.extras;
  marks_.push_back({extras.origin, extras.sent_to, extras.serial, said});
}

void Worker::mark(const Parcel& parcel, Mark what) {
  const Extras& extras = *parcel.extras;
  marks_.push_back({extras.origin, extras.sent_to, extras.serial, static_cast<std::uint8_t>(what)});
}

}  // namespace coracle::detail
