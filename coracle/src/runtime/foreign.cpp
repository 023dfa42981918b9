// What came from other nodes, at the party that it was for. See remote.hpp.
#include "runtime/fast_path.hpp"

#include <algorithm>
#include <utility>

namespace coracle::detail {

namespace {

// Each node that sends may fill the mailbox once, and none is taken for full with fewer messages.
constexpr std::size_t least_share = 1024;

// A node goes on sending although the mailbox has no room for more of it. As long as all together
// have no more than one share each and one besides, nobody has to be asked how many are whose.
bool is_beyond_its_share(Party& target, LeaseId origin, std::size_t most_bytes) {
  Extension& ext = *target.extension;
  const std::size_t share = std::max<std::size_t>(target.limit.load(), least_share);
  const std::size_t shares = ext.correspondents.size() + 1;
  if (target.occupied() / shares < share && target.bytes / shares < most_bytes)
    return ext.greedy = 0, false;
  if (ext.greedy == origin) return true;
  std::size_t messages = 0, bytes = 0;
  target.each_waiting([&](const Parcel& parcel) {
    if ((parcel.flags & foreign_flag) == 0 || parcel.extras->origin != origin) return;
    ++messages;
    bytes += bytes_of(parcel);
  });
  if (messages < share && bytes < most_bytes) return false;
  ext.greedy = origin;
  return true;
}

// What came from other nodes for a life up to that one.
Match sent_up_to(Incarnation life) {
  return that([life](const MessageView& message) {
    return may_return(*message.parcel()) && message.parcel()->extras->life <= life;
  });
}

// There is no room, but it was accepted when it was sent.
void put_besides(Worker& home, Party& target, Parcel* parcel) noexcept {
  if (!is_beyond_its_share(target, parcel->extras->origin, home.bytes_limit(target)))
    return home.put(target, parcel);
  home.node().remote()->on_excess(parcel->extras->origin);
  home.release_claim(target, *parcel);
  home.end_parcel(parcel, Outcome::refused);
}

}  // namespace

// A simple message for an agent that is there, and has had some from that node. False leaves
// everything as it was.
bool Worker::receive_simple(Party& target, Parcel* parcel) noexcept {
  constexpr std::uint32_t unusual = present | moves | bytes_full | returns | watched;
  constexpr std::uint16_t special = special_to_offer | redelivered_flag;
  if ((parcel->flags & simple_flag) == 0 || (parcel->flags & special) != 0 ||
      (target.mode_now() & unusual) != present || !target.extension || target.queue ||
      own_queues_ || target.occupied() >= target.limit.load(std::memory_order_relaxed)) {
    return false;
  }
  const Extension& ext = *target.extension;
  Extras& extras = *parcel->extras;
  if (extras.life <= ext.closed || ext.correspondents.empty() ||
      ext.correspondents.front() != extras.origin) {
    return false;
  }
  if (target.readers.linked()) {
    auto& reader = static_cast<Reader&>(*target.readers.next);
    if (reader.selective) return false;
    extras.sent_to = &target;
    hand_plain_to(reader, target, parcel);
    mark(*parcel, Mark::taken);
    return true;
  }
  extras.sent_to = &target;
  count_in(target, *parcel);
  target.waiting.append(parcel);
  return true;
}

// Read on the target's own worker.
void Worker::take_in(Party& target, Parcel* parcel) noexcept {
  if (receive_simple(target, parcel)) return;
  if ((target.mode_now() & moves) != 0 && hold_back(target, parcel, index_)) return;
  arrive_at(target, parcel);
}

void Worker::receive_foreign(Party& target, Parcel* parcel) noexcept {
  const Extras& extras = *parcel->extras;
  auto& correspondents = target.ext().correspondents;
  if (std::find(correspondents.begin(), correspondents.end(), extras.origin) ==
      correspondents.end()) {
    correspondents.push_back(extras.origin);
    note_lease(*this, target, extras.origin);
    // What the directory says of the mailbox may be old.
    if ((target.mode_now() & own_mailbox) != 0 && target.is_present()) {
      node_.remote()->send_mailbox(extras.origin, target);
    }
  }
  if (parcel->extras->sent_to == nullptr) {
    parcel->extras->sent_to = &target;
    use_entry(target, *parcel);
  }
  // Before all else: it is never taken over from a sender that is gone, nor passed on.
  if (is_emptied(*parcel)) {
    release_claim(target, *parcel);
    deny_answer(*this, *parcel);
    return end_parcel(parcel, Outcome::refused);
  }
  if (!may_return(*parcel)) {  // it was redirected to this name
    if (offer(target, parcel, false) != Verdict::carried) put_besides(*this, target, parcel);
    return;
  }
  const Incarnation closed = target.extension->closed;
  if (extras.life <= closed) return turn_away(target, parcel, closed);
  if (!target.is_present()) {
    // Its agent is about to begin here, unless the sender's node is behind.
    const RemoteSide* const side = target.extension->remote.get();
    const bool is_later = side == nullptr || side->next.life < extras.life ||
                          (side->next.life == extras.life && side->next.lease == 0);
    const bool is_awaited = target.incarnation < extras.life && is_later;
    return is_awaited ? put_besides(*this, target, parcel) : turn_away(target, parcel, extras.life);
  }
  if (offer(target, parcel, false) != Verdict::carried) put_besides(*this, target, parcel);
}

// It was sent to a life that is over here. Its sender hears of that end again, since it may not
// have been told: what else it sent to that life goes back as well, and comes again in its order.
void Worker::turn_away(Party& target, Parcel* parcel, Incarnation life) noexcept {
  const LeaseId sender = parcel->extras->origin;
  return_foreign(target, parcel);
  publish();
  node_.remote()->send_closed(sender, target, Ending(target.name, life, EndReason::stopped));
}

// What came for an agent that did not begin here, since that life of the name is elsewhere.
void turn_away_earlier(Worker& home, Party& target, Incarnation life) noexcept {
  const Match sent_to_it = sent_up_to(life);
  while (Parcel* const parcel = target.take(sent_to_it)) {
    home.left_mailbox(target, *parcel);
    home.turn_away(target, parcel, life);
  }
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

// The agent here has ended, or lost its name. What is for a later life waits for that.
std::vector<LeaseId> Worker::close(Party& party, Incarnation life) noexcept {
  if (node_.remote() == nullptr) return {};
  party.ext().closed = std::max(party.extension->closed, life);
  std::vector<Parcel*> foreign;
  const Match sent_to_it = sent_up_to(life);
  while (Parcel* const parcel = party.take(sent_to_it)) {
    left_mailbox(party, *parcel);
    foreign.push_back(parcel);
  }
  for (Parcel* const parcel : foreign) return_foreign(party, parcel);
  auto correspondents = std::exchange(party.extension->correspondents, {});
  if (!correspondents.empty()) publish();  // what became of its messages comes first
  return correspondents;
}

// Nobody waits for an answer any more.
void Worker::drop_foreign(Party& party) noexcept {
  const Match anything = sent_up_to({~std::uint32_t{0}, ~std::uint32_t{0}});
  while (Parcel* const parcel = party.take(anything)) {
    left_mailbox(party, *parcel);
    ++flow.counters.passed_on;
    free_parcel(parcel);
  }
}

void Worker::lose_name(Party& party) noexcept {
  party.clear_mode(present | pinned);
  fence(party);
}

void Worker::mark(const Parcel& parcel, Outcome outcome, DropReason reason) {
  auto said = static_cast<std::uint8_t>(mark_of(outcome));
  if ((parcel.flags & forbidden_flag) != 0) said = forbidden_mark;
  else if ((parcel.flags & oversize_flag) != 0) said = too_large_mark;
  else if ((parcel.flags & unanswered_flag) != 0) said = unanswered_mark;
  if (outcome == Outcome::dropped) {
    said = static_cast<std::uint8_t>(static_cast<unsigned>(Mark::dropped) +
                                     static_cast<unsigned>(reason));
  }
  const Extras& extras = *parcel.extras;
  marks_.push_back({extras.origin, extras.sent_to, extras.serial, said});
}

void Worker::mark(const Parcel& parcel, Mark what) {
  const Extras& extras = *parcel.extras;
  // That it was taken goes without saying when the same turn says that it was consumed; so what is
  // read one after the other is one run.
  if (what == Mark::consumed && !extras.tracked && !marks_.empty()) {
    MarkOf& last = marks_.back();
    const bool is_same = last.serial == extras.serial && last.target == extras.sent_to &&
                         last.origin == extras.origin;
    if (is_same && last.mark == static_cast<std::uint8_t>(Mark::taken)) {
      last.mark = static_cast<std::uint8_t>(Mark::consumed);
      if (marks_.size() == 1 || !marks_[marks_.size() - 2].is_before(last)) return;
      marks_.pop_back();
      ++marks_.back().count;
      return;
    }
  }
  length_.queued(0);
  MarkOf& next = marks_.emplace_back();  // and made there: most messages have one
  next.origin = extras.origin;
  next.target = extras.sent_to;
  next.serial = extras.serial;
  next.mark = static_cast<std::uint8_t>(what);
}

}  // namespace coracle::detail
