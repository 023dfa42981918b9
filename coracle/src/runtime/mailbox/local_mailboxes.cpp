// The messages that wait for an agent: they come into the mailbox, and leave it.
#include "local_mailboxes.hpp"

#include "coracle/support/mutations.hpp"
#include "runtime/node/node_core.hpp"
#include "runtime/receipts/settling.hpp"
#include "runtime/sending/delivery.hpp"
#include "runtime/sending/fast_path.hpp"

namespace coracle::detail {

namespace {

constexpr std::size_t judged_below = std::size_t{1} << 20;  // bytes

}  // namespace

Mailbox* LocalMailboxes::resolve(std::string_view name) {
  Mailbox*& cached = name_cache_[hash_of(name) & (cache_size - 1)];
  if (cached == nullptr || cached->name.view() != name)
    cached = worker_.node().mailbox(name, worker_);
  return cached;
}

// A society may have queues of its own kind.
Queue& LocalMailboxes::queue_of(Mailbox& target) {
  if (!target.queue) target.queue = worker_.node().realization().queue(target.name);
  return *target.queue;
}

void LocalMailboxes::store(Mailbox& target, MessageRecord* record) noexcept {
  if (target.queue || own_queues_) return queue_of(target).put(Envelope(record));
  target.waiting.append(record);
}

void LocalMailboxes::store_first(Mailbox& target, MessageRecord* record) noexcept {
  if (target.queue || own_queues_) return queue_of(target).put_back(Envelope(record));
  target.waiting.prepend(record);
}

void LocalMailboxes::put_in(Mailbox& target, MessageRecord* record) noexcept {
  count_in(target, *record);
  release_claim(worker_, target, *record);
  store(target, record);
}

// A message has left the mailbox, for any reason.
void LocalMailboxes::left(Mailbox& target, MessageRecord& record) noexcept {
  if (is_copy(record)) return worker_.overhearing.left_queue(target, record);
  count_out(target, record);
  if (record.fields != nullptr && record.fields->held != 0)
    worker_.node().holds().left(*record.fields);
  if ((target.mode_now() & bytes_full) != 0 && target.bytes < bytes_limit(target)) {
    target.clear_mode(bytes_full);
  }
  worker_.room.grant(target);
}

MessageRecord* LocalMailboxes::take(Mailbox& target, const Match& match) noexcept {
  if ((target.mode_now() & returns) != 0) requeue_returned(worker_, target);
  if ((target.mode_now() & steps) != 0 && !mutated(Mutation::held_is_read))
    return take_by(target, match && not_held());
  return take_by(target, match);
}

MessageRecord* LocalMailboxes::take_by(Mailbox& target, const Match& match) noexcept {
  for (;;) {
    MessageRecord* const record = target.take(match);
    if (record == nullptr) return nullptr;
    if (target.queue && !own_queues_ && target.queue->size() == 0) target.queue.reset();
    left(target, *record);
    if (record->fields != nullptr && record->fields->deadline != Time::max() &&
        record->fields->deadline <= worker_.now()) {
      end_record(worker_, record, Outcome::expired);
      continue;
    }
    hand_out(worker_, target, record);
    return record;
  }
}

// The oldest message is dropped; by keep_latest, rather one of the same sender. Overheard copies
// have a limit of their own.
void LocalMailboxes::make_room(Mailbox& target, const MessageRecord& newcomer) noexcept {
  MessageRecord* oldest = nullptr;
  DropReason reason = DropReason::oldest;
  if (target.policy() == Overflow::keep_latest) {
    oldest = target.take(from(Address(newcomer.source)) && addressed());
    if (oldest != nullptr) reason = DropReason::replaced;
  }
  if (oldest == nullptr) oldest = target.take(addressed());
  if (oldest == nullptr) return;
  left(target, *oldest);
  end_record(worker_, oldest, Outcome::dropped, reason);
}

void LocalMailboxes::set(Mailbox& target, const MailboxOptions& options) {
  const NodeOptions& node = worker_.node().options();
  const bool is_default = &options == &node.mailbox;
  if (!is_default) target.ext().mailbox = options;
  if (options.overflow() == Overflow::redirect) resolve(options.redirect().view());  // or fail now
  target.limit.store(options.messages());
  target.clear_mode(policy_mask | own_mailbox | bytes_full | few_bytes);
  if (options.bytes() < judged_below) target.set_mode(few_bytes);
  target.set_mode(static_cast<std::uint32_t>(options.overflow()) | (is_default ? 0U : own_mailbox));
  if (target.bytes >= options.bytes()) target.set_mode(bytes_full);
  if (target.claimed.load() != 0) worker_.slots.call_in(target);  // taken under the old limit
  release_tickets(worker_, target);
}

}  // namespace coracle::detail
