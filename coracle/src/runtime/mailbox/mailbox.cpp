// The messages that wait for an agent: they come into the mailbox, and leave it.
#include "room.hpp"
#include "runtime/sending/fast_path.hpp"

namespace coracle::detail {

namespace {

constexpr std::size_t judged_below = std::size_t{1} << 20;  // bytes

}  // namespace

// Most mailboxes are a short list, kept in the mailbox itself. A list that grew long and is read by
// sender or conversation becomes a queue with an index, until it is empty.
MessageRecord* Mailbox::take(const Match& match) {
  if (queue) return queue->take(match).release();
  if (waiting.empty()) return nullptr;
  if (match.is_any()) return waiting.take_first();
  const bool directed = match.sender() || match.conversation() != 0;
  std::size_t seen = 0;
  for (MessageRecord* record = waiting.first; record != nullptr; record = record->next) {
    if (fits(&match, record)) {
      waiting.remove(record);
      return record;
    }
    if (directed && ++seen == looked_through) {
      queue = mail_queue();
      while (!waiting.empty()) queue->put(Envelope(waiting.take_first()));
      return queue->take(match).release();
    }
  }
  return nullptr;
}

std::size_t Mailbox::count(const Match& match) const {
  if (queue) return queue->count(match);
  std::size_t fitting = 0;
  each_waiting([&](MessageRecord& record) { fitting += fits(&match, &record) ? 1 : 0; });
  return fitting;
}

// A society may have queues of its own kind.
Queue& Worker::queue_of(Mailbox& target) {
  if (!target.queue) target.queue = node_.queue_factory()(target.name);
  return *target.queue;
}

void Worker::store(Mailbox& target, MessageRecord* record) noexcept {
  if (target.queue || own_queues_) return queue_of(target).put(Envelope(record));
  target.waiting.append(record);
}

void Worker::store_first(Mailbox& target, MessageRecord* record) noexcept {
  if (target.queue || own_queues_) return queue_of(target).put_back(Envelope(record));
  target.waiting.prepend(record);
}

void Worker::put_in_mailbox(Mailbox& target, MessageRecord* record) noexcept {
  count_in(target, *record);
  release_claim(target, *record);
  store(target, record);
}

// A message has left the mailbox, for any reason.
void Worker::left_mailbox(Mailbox& target, MessageRecord& record) noexcept {
  if (is_copy(record)) return copy_left_queue(target, record);
  count_out(target, record);
  if ((target.mode_now() & bytes_full) != 0 && target.bytes < bytes_limit(target)) {
    target.clear_mode(bytes_full);
  }
  grant_room(target);
}

MessageRecord* Worker::take(Mailbox& target, const Match& match) noexcept {
  if ((target.mode_now() & returns) != 0) requeue_returned(target);
  for (;;) {
    MessageRecord* const record = target.take(match);
    if (record == nullptr) return nullptr;
    if (target.queue && !own_queues_ && target.queue->size() == 0) target.queue.reset();
    left_mailbox(target, *record);
    if (record->fields != nullptr && record->fields->deadline != Time::max() &&
        record->fields->deadline <= now()) {
      end_record(record, Outcome::expired);
      continue;
    }
    hand_out(target, record);
    return record;
  }
}

// The oldest message is dropped; by keep_latest, rather one of the same sender. Overheard copies
// have a limit of their own.
void Worker::make_room(Mailbox& target, const MessageRecord& newcomer) noexcept {
  MessageRecord* oldest = nullptr;
  DropReason reason = DropReason::oldest;
  if (target.policy() == Overflow::keep_latest) {
    oldest = target.take(from(Address(newcomer.source)) && addressed());
    if (oldest != nullptr) reason = DropReason::replaced;
  }
  if (oldest == nullptr) oldest = target.take(addressed());
  if (oldest == nullptr) return;
  left_mailbox(target, *oldest);
  end_record(oldest, Outcome::dropped, reason);
}

void Worker::set_mailbox(Mailbox& target, const MailboxOptions& options) {
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
