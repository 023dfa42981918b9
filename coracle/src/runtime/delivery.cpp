// How a message comes into its target's mailbox, or into the hands of a reader that waits for it.
#include "runtime/fast_path.hpp"
#include "runtime/room.hpp"

namespace coracle::detail {

namespace {

constexpr std::uint32_t redirects_limit = 8;

// Whether nothing is known yet of who holds the name, and nobody ever has here: a request of its
// holder came faster than the news of it, and so would the reply be.
bool is_yet_unknown(const Party& target) noexcept {
  if (target.is_held() || target.incarnation != Incarnation()) return false;
  const RemoteSide* const side = target.extension ? target.extension->remote.get() : nullptr;
  return side == nullptr || side->next.life == Incarnation();
}

// Whether the last that is known of the name is that its holder on another node has ended. The next
// one may ask sooner than the news of it comes; in which life it asked is known of most replies.
bool may_be_held_again(const Party& target, const Parcel& reply) noexcept {
  const RemoteSide* const side = known_side(target);
  return side != nullptr && !target.is_held() && reply.extras != nullptr &&
         side->next.life < reply.extras->asking_life;
}

}  // namespace

// The message has its place in the mailbox, or needs none.
void Worker::release_claim(Party& target, Parcel& parcel) noexcept {
  if ((parcel.flags & claimed_flag) == 0) return;
  clear_flag(parcel, claimed_flag);
  count_release(target);
  if (drained_from_ == index_) release_claims();
}

Verdict Worker::deliver(Envelope& envelope) {
  Parcel* const parcel = envelope.parcel();
  meet(*parcel);
  Party& target = *parcel->target;
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home != this) return deliver_elsewhere(home, target, envelope);
  if ((target.mode_now() & moves) != 0 && hold_back(target, parcel, index_)) {
    envelope.release();
    return Verdict::carried;
  }
  const Verdict verdict = offer(target, parcel, true);
  if (verdict == Verdict::carried) envelope.release();
  return verdict;
}

Verdict Worker::deliver_elsewhere(Worker& home, Party& target, Envelope& envelope) noexcept {
  Parcel* const parcel = envelope.parcel();
  ParcelRing& ring = node_.ring(*this, home);
  if (!backlog_[home.index()].empty() || !ring.has_room()) return Verdict::no_credit;
  const std::uint32_t mode = target.mode_now();
  const bool is_there = (mode & held) != 0;
  const auto policy = static_cast<Overflow>(mode & policy_mask);
  if ((parcel->flags & (reply_flag | claimed_flag)) == 0 &&
      (!is_there || policy == Overflow::wait || policy == Overflow::fail)) {
    if (!claim_place(target, mode, home))
      return Verdict::no_credit;  // its home decides what that means
    set_flag(*parcel, claimed_flag);
  }
  (void)ring.try_push(*parcel);
  ++flow.out;
  free_record(envelope.release());
  dirty_[home.index()] = true;
  if (ring.unpublished() >= publish_every) publish();
  return Verdict::carried;
}

void Worker::forward(Worker& to, Parcel* parcel) noexcept {
  if (is_counted(*parcel)) {
    ++flow.out;
  } else if ((parcel->flags & copy_flag) != 0) {
    ++flow.copies_out;
  }
  dirty_[to.index()] = true;
  if (backlog_[to.index()].empty() && node_.ring(*this, to).try_push(*parcel)) {
    free_record(parcel);
  } else {
    backlog_[to.index()].push_back(parcel);
  }
}

void Worker::drain_backlog() noexcept {
  for (unsigned to = 0; to < backlog_.size(); ++to) {
    auto& waiting = backlog_[to];
    while (!waiting.empty() && node_.ring(*this, node_.worker(to)).try_push(*waiting.front())) {
      free_record(waiting.front());
      waiting.pop_front();
      dirty_[to] = true;
    }
  }
  wake_route_waiters();
}

std::size_t Worker::backlog_size() const noexcept {
  std::size_t sum = 0;
  for (const auto& waiting : backlog_) sum += waiting.size();
  return sum;
}

void Worker::arrive(Parcel* parcel) noexcept {
  if (is_counted(*parcel)) {
    ++flow.in;
  } else if ((parcel->flags & copy_flag) != 0) {
    ++flow.copies_in;
  }
  Party& target = *parcel->target;
  if ((parcel->flags & marker_flag) != 0) return on_marker(target, parcel);
  Worker& home = *target.home.load(std::memory_order_acquire);
  if (&home != this) return forward(home, parcel);
  if ((target.mode_now() & moves) != 0 && hold_back(target, parcel, drained_from_)) return;
  arrive_at(target, parcel);
}

void Worker::arrive_at(Party& target, Parcel* parcel) noexcept {
  meet(*parcel);
  if (is_copy(*parcel)) return deliver_copy(target, parcel);
  if ((parcel->flags & foreign_flag) != 0) return receive_foreign(target, parcel);
  // It was accepted by its sender's worker; what changed since then does not make it refused.
  if (offer(target, parcel, false) != Verdict::carried) put(target, parcel);
}

void Worker::hand_out(Party& target, Parcel* parcel) noexcept {
  hand_out_plain(target, parcel);
  if (parcel->extras != nullptr) {
    report(*parcel, Stage::delivered);
    observe(Happening::handed_out, *parcel);
  }
  if ((parcel->flags & foreign_flag) != 0) mark(*parcel, Mark::taken);
}

Verdict Worker::offer(Party& target, Parcel* parcel, bool may_wait) noexcept {
  const bool is_plain = (parcel->flags & special_to_offer) == 0 && parcel->extras == nullptr;
  if (is_plain && offer_plain(target, parcel)) return Verdict::carried;
  return offer_at_length(target, parcel, may_wait);
}

Verdict Worker::offer_at_length(Party& target, Parcel* parcel, bool may_wait) noexcept {
  if ((parcel->flags & reply_flag) != 0) {
    const bool leaves = (target.mode_now() & elsewhere) != 0 ||
                        (node_.remote() != nullptr && is_yet_unknown(target));
    if (leaves) return put(target, parcel), Verdict::carried;
    if (node_.remote() == nullptr || !may_be_held_again(target, *parcel))
      return answer(parcel), Verdict::carried;
    put(target, parcel);
    return node_.remote()->judge_replies(*this, target), Verdict::carried;
  }
  if (parcel->extras != nullptr && parcel->extras->deadline != Time::max() &&
      parcel->extras->deadline <= now()) {
    release_claim(target, *parcel);
    return end_parcel(parcel, Outcome::expired), Verdict::carried;
  }
  if (target.readers.linked() && hand_to_reader(target, parcel)) return Verdict::carried;
  const bool kept_place = (parcel->flags & claimed_flag) != 0;
  const bool is_there = target.is_held();
  const std::uint32_t limit =
      is_there ? target.limit.load(std::memory_order_relaxed) : node_.options().absent_limit;
  if (kept_place || (target.occupied() < limit && (target.mode_now() & bytes_full) == 0)) {
    return put(target, parcel), Verdict::carried;
  }
  if (!is_there) return Verdict::full;
  switch (target.policy()) {
    case Overflow::wait:
      return may_wait && parcel->source != &target ? Verdict::no_credit : Verdict::full;
    case Overflow::fail:
      return Verdict::full;
    case Overflow::drop_newest:
      return end_parcel(parcel, Outcome::dropped, DropReason::newest), Verdict::carried;
    case Overflow::redirect:
      return redirect(target, parcel), Verdict::carried;
    case Overflow::keep_latest:
    case Overflow::drop_oldest:
      break;
  }
  make_room(target, *parcel);
  if (target.occupied() >= limit) {
    return end_parcel(parcel, Outcome::dropped, DropReason::newest), Verdict::carried;
  }
  return put(target, parcel), Verdict::carried;
}

void Worker::redirect(Party& target, Parcel* parcel) noexcept {
  Extras& extras = extras_of(*parcel);
  if (extras.target_name.empty()) extras.target_name = target.name;
  if (++extras.redirects > redirects_limit) {
    return end_parcel(parcel, Outcome::dropped, DropReason::newest);
  }
  extras.redirected_by = target.name;
  Party& other = *resolve(target.extension->mailbox.redirect().view());
  if (may_return(*parcel)) mark(*parcel, Mark::moved_on);  // afterwards this node keeps it
  parcel->target = &other;
  touches(other);
  Worker& home = *other.home.load(std::memory_order_acquire);
  if (&home != this) return forward(home, parcel);
  if (offer(other, parcel, false) != Verdict::carried) {
    end_parcel(parcel, Outcome::dropped, DropReason::newest);
  }
}

void Worker::put(Party& target, Parcel* parcel) noexcept {
  const bool is_there = is_there_for(target, *parcel);
  if (!is_there && is_counted(*parcel)) {
    extras_of(*parcel).absent_until = now() + node_.options().absent_time_to_live;
  }
  if (parcel->extras != nullptr) {
    if (target.is_present()) report(*parcel, Stage::delivered);
    if (parcel->extras->tracked) mark(*parcel, Mark::delivered);
    observe(Happening::kept, *parcel);
    watch_expiry(target, *parcel);
  }
  if (is_there && (target.mode_now() & elsewhere) != 0) return put_away(target, parcel);
  put_in_mailbox(target, parcel);
}

bool Worker::hand_to_reader(Party& target, Parcel* parcel) noexcept {
  for (Link* link = target.readers.next; link != &target.readers; link = link->next) {
    auto& reader = static_cast<Reader&>(*link);
    if (!fits(reader.match(), parcel)) continue;
    release_claim(target, *parcel);
    hand_out(target, parcel);
    reader.parcel = parcel;
    schedule(reader);
    return true;
  }
  return false;
}

}  // namespace coracle::detail
