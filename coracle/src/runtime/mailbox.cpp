// What waits for an agent: how it comes into the mailbox, and how it leaves it.
#include "runtime/fast_path.hpp"
#include "runtime/room.hpp"

namespace coracle::detail {

namespace {

constexpr std::size_t judged_below = std::size_t{1} << 20;  // bytes

}  // namespace

// Most mailboxes are a short list, kept in the party itself. One that grew long and is read by
// sender or conversation gets a queue with an index, until it is empty.
Parcel* Party::take(const Match& match) {
  if (queue) return queue->take(match).release();
  if (waiting.empty()) return nullptr;
  if (match.is_any()) return waiting.take_first();
  const bool directed = match.sender() || match.conversation() != 0;
  std::size_t seen = 0;
  for (Parcel* parcel = waiting.first; parcel != nullptr; parcel = parcel->next) {
    if (fits(&match, parcel)) {
      waiting.remove(parcel);
      return parcel;
    }
    if (directed && ++seen == looked_through) {
      queue = mail_queue();
      while (!waiting.empty()) queue->put(Envelope(waiting.take_first()));
      return queue->take(match).release();
    }
  }
  return nullptr;
}

std::size_t Party::count(const Match& match) const {
  if (queue) return queue->count(match);
  std::size_t fitting = 0;
  each_waiting([&](Parcel& parcel) { fitting += fits(&match, &parcel) ? 1 : 0; });
  return fitting;
}

// A society may have queues of its own make.
Queue& Worker::queue_of(Party& target) {
  if (!target.queue) target.queue = node_.queue_factory()(target.name);
  return *target.queue;
}

void Worker::store(Party& target, Parcel* parcel) noexcept {
  if (target.queue || own_queues_) return queue_of(target).put(Envelope(parcel));
  target.waiting.append(parcel);
}

void Worker::store_first(Party& target, Parcel* parcel) noexcept {
  if (target.queue || own_queues_) return queue_of(target).put_back(Envelope(parcel));
  target.waiting.prepend(parcel);
}

// The message is in the mailbox now.
void Worker::put_in_mailbox(Party& target, Parcel* parcel) noexcept {
  count_in(target, *parcel);
  release_claim(target, *parcel);
  store(target, parcel);
}

// A message has left the mailbox, whatever for.
void Worker::left_mailbox(Party& target, Parcel& parcel) noexcept {
  if (is_copy(parcel)) return copy_left_queue(target, parcel);
  count_out(target, parcel);
  if ((target.mode_now() & bytes_full) != 0 && target.bytes < bytes_limit(target)) {
    target.clear_mode(bytes_full);
  }
  grant_room(target);
}

Parcel* Worker::take(Party& target, const Match& match) noexcept {
  if ((target.mode_now() & returns) != 0) requeue_returned(target);
  for (;;) {
    Parcel* const parcel = target.take(match);
    if (parcel == nullptr) return nullptr;
    if (target.queue && !own_queues_ && target.queue->size() == 0) target.queue.reset();
    left_mailbox(target, *parcel);
    if (parcel->extras != nullptr && parcel->extras->deadline != Time::max() &&
        parcel->extras->deadline <= now()) {
      end_parcel(parcel, Outcome::expired);
      continue;
    }
    hand_out(target, parcel);
    return parcel;
  }
}

// The oldest message gives way; by keep_latest, rather one of the same sender. What was overheard
// has a limit of its own.
void Worker::make_room(Party& target, const Parcel& newcomer) noexcept {
  Parcel* oldest = nullptr;
  DropReason reason = DropReason::oldest;
  if (target.policy() == Overflow::keep_latest) {
    oldest = target.take(from(Address(newcomer.source)) && addressed());
    if (oldest != nullptr) reason = DropReason::replaced;
  }
  if (oldest == nullptr) oldest = target.take(addressed());
  if (oldest == nullptr) return;
  left_mailbox(target, *oldest);
  end_parcel(oldest, Outcome::dropped, reason);
}

void Worker::set_mailbox(Party& target, const MailboxOptions& options) {
  const NodeOptions& node = node_.options();
  const bool is_default = &options == &node.mailbox;
  if (!is_default) target.ext().mailbox = options;
  if (options.overflow() == Overflow::redirect) resolve(options.redirect().view());  // or fail now
  target.limit.store(options.messages());
  target.clear_mode(policy_mask | own_mailbox | bytes_full | few_bytes);
  if (options.bytes() < judged_below) target.set_mode(few_bytes);
  target.set_mode(static_cast<std::uint32_t>(options.overflow()) | (is_default ? 0U : own_mailbox));
  if (target.bytes >= options.bytes()) target.set_mode(bytes_full);
  if (target.claimed.load() != 0) call_in_places(target);  // taken under the old limit
  release_tickets(target);
}

}  // namespace coracle::detail
