// The path of most messages: plain ones, between two agents of one worker, read oldest first. All
// of this path is here and inlined where it is used. A message that is not plain takes the long
// path, in delivery.cpp, mailbox.cpp and settling.cpp, which would treat plain messages alike.
#pragma once

#include "runtime/node/node_core.hpp"

namespace coracle::detail {

// The flags of a message that needs a closer look, at its arrival and at its end.
inline constexpr std::uint16_t special_to_offer =
    reply_flag | claimed_flag | copy_flag | gap_flag | marker_flag;
inline constexpr std::uint16_t special_to_consume =
    revoked_flag | copy_flag | gap_flag | marker_flag | letter_flag;

// Returns whether the message is a request in its reader's hands that has no reply yet.
[[gnu::always_inline]] inline bool owes_answer(const MessageRecord& record) noexcept {
  return (record.flags & (request_flag | answered_flag)) == request_flag;
}

// Returns whether the message needs no reports beyond those of every message.
[[gnu::always_inline]] inline bool is_simple(const MessageRecord& record) noexcept {
  return record.fields == nullptr || (record.flags & simple_flag) != 0;
}

[[gnu::always_inline]] inline std::size_t bytes_of(const MessageRecord& record) noexcept {
  return record.content != nullptr ? record.content->size : 0;
}

[[gnu::always_inline]] inline void add_queued(Mailbox& mailbox, std::uint32_t change) noexcept {
  mailbox.queued.store(mailbox.queued.load(std::memory_order_relaxed) + change,
                       std::memory_order_relaxed);
}

// Changes the number of slots taken in the mailbox; other workers may take slots meanwhile.
inline void add_claimed(const NodeCore& node, Mailbox& mailbox, std::uint32_t change) noexcept {
  if (node.worker_count() > 1) {
    mailbox.claimed.fetch_add(change);
  } else {
    mailbox.claimed.store(mailbox.claimed.load(std::memory_order_relaxed) + change,
                          std::memory_order_relaxed);
  }
}

[[gnu::always_inline]] inline std::size_t LocalMailboxes::bytes_limit(
    const Mailbox& target) const noexcept {
  const bool is_own = (target.mode_now() & own_mailbox) != 0;
  return is_own ? target.extension->mailbox.bytes() : default_bytes_;
}

[[gnu::always_inline]] inline void LocalMailboxes::count_bytes(
    Mailbox& target, const MessageRecord& record) noexcept {
  target.bytes += bytes_of(record);
  if (target.bytes >= bytes_limit(target)) [[unlikely]]
    target.set_mode(bytes_full);
}

[[gnu::always_inline]] inline void LocalMailboxes::count_in(Mailbox& target,
                                                            const MessageRecord& record) noexcept {
  add_queued(target, 1);
  count_bytes(target, record);
}

[[gnu::always_inline]] inline void count_out(Mailbox& target,
                                             const MessageRecord& record) noexcept {
  add_queued(target, ~std::uint32_t{0});
  target.bytes -= bytes_of(record);
}

[[gnu::always_inline]] inline void hand_out_plain(Worker& home, Mailbox& target,
                                                  MessageRecord* record) noexcept {
  target.hold(record);
  home.relocation.note_received(target, record->source);
}

[[gnu::always_inline]] inline void hand_plain_to(Worker& home, Reader& reader, Mailbox& target,
                                                 MessageRecord* record) noexcept {
  hand_out_plain(home, target, record);
  reader.record = record;
  home.scheduler.schedule_next(reader);
}

// Hands a message to a reader that waits for it, or puts it into a mailbox with room. On false,
// nothing has changed.
[[gnu::always_inline]] inline bool offer_plain(Worker& home, Mailbox& target,
                                               MessageRecord* record) noexcept {
  if (target.home.load(std::memory_order_relaxed) != &home) return false;
  const std::uint32_t mode = target.mode_now();
  if ((mode & (present | moves | bytes_full | steps)) != present) return false;
  if (target.readers.linked()) {
    auto& reader = static_cast<Reader&>(*target.readers.next);
    if (reader.selective && !fits(reader.match(), record)) return false;
    hand_plain_to(home, reader, target, record);
    return true;
  }
  if (target.occupied() >= target.limit.load(std::memory_order_relaxed)) return false;
  if (target.queue || home.mailboxes.own_queues()) return false;
  home.mailboxes.count_in(target, *record);
  target.waiting.append(record);
  return true;
}

// Performs a whole send. On false, nothing has changed.
[[gnu::always_inline]] inline bool send_plain(Worker& home, Agent& sender,
                                              MessageRecord& record) noexcept {
  Mailbox& source = *Access::mailbox(sender);
  if (!home.outgoing.is_plain() || source.agent != &sender ||
      bytes_of(record) > home.outgoing.content_limit())
    return false;
  const unsigned special = record.flags & special_to_offer;
  if (special == reply_flag && record.target->home.load(std::memory_order_relaxed) == &home &&
      (record.target->mode_now() & (moves | held)) == present) {
    ++source.sent;
    answer(home, &record);
    return true;
  }
  if (special != 0 || !offer_plain(home, *record.target, &record)) return false;
  ++source.sent;
  return true;
}

// Performs a whole reply to a request. On false, nothing has changed.
[[gnu::always_inline]] inline bool reply_plain(Worker& home, Agent& sender, const Message& request,
                                               Content& answer) {
  const MessageRecord& asked = *Access::record(request);
  if ((asked.flags & request_flag) == 0 || asked.fields != nullptr) return false;
  MessageRecord* const reply = new_record(*Access::mailbox(sender), asked.source, std::move(answer),
                                          asked.conversation, reply_flag);
  if (send_plain(home, sender, *reply)) {
    if (asked.target->home.load(std::memory_order_relaxed) == &home)
      set_flag(*Access::record(request), answered_flag);
    return true;
  }
  answer = Content::adopt(reply->content);
  release_record(reply);
  return false;
}

// Performs a whole send to an agent of another worker in whose mailbox slots were taken beforehand:
// the message is written where that worker will read it. On false, nothing has changed.
[[gnu::always_inline]] inline bool send_across(Worker& at, Agent& sender, Mailbox& target,
                                               Content& content,
                                               Conversation conversation) noexcept {
  Mailbox& source = *Access::mailbox(sender);
  if (!at.slots.has_for(target) || !at.outgoing.is_plain() || source.agent != &sender) return false;
  const unsigned to = at.slots.home().index();
  if (content.size() > at.outgoing.content_limit() || at.exchange.is_backed_up(to)) return false;
  RecordRing& ring = at.node().ring(at, at.slots.home());
  const bool pushed = ring.try_push_by([&](MessageRecord& slot) {
    slot.source = &source;
    slot.target = &target;
    slot.content = content.release();
    slot.conversation = conversation;
    slot.fields = nullptr;
    slot.set_sequence(source.sent + 1);
    slot.flags = claimed_flag;
  });
  if (!pushed) return false;
  at.slots.use_one();
  ++source.sent;
  ++at.flow.out;
  at.exchange.note_pushed(to);
  if (ring.unpublished() >= publish_every) at.publish();
  return true;
}

// The receiving side of send_across(). On false, nothing has changed.
[[gnu::always_inline]] inline bool arrive_plain(Worker& home, const MessageRecord& slot) noexcept {
  constexpr std::uint16_t special = special_to_offer & ~claimed_flag;
  if ((slot.flags & special) != 0 || slot.fields != nullptr) return false;
  Mailbox& target = *slot.target;
  if (target.home.load(std::memory_order_relaxed) != &home) return false;
  if ((target.mode_now() & (present | moves | steps)) != present) return false;
  if ((slot.flags & claimed_flag) == 0 || target.queue || home.mailboxes.own_queues()) return false;
  Reader* reader = nullptr;
  if (target.readers.linked()) {
    reader = static_cast<Reader*>(target.readers.next);
    if (reader->selective) return false;
  }
  MessageRecord* const record = allocate_record();
  *record = slot;
  record->flags = static_cast<std::uint16_t>(slot.flags & ~unsigned{claimed_flag});
  ++home.flow.in;
  home.slots.count_release(target);
  if (reader != nullptr) {
    hand_plain_to(home, *reader, target, record);
  } else {
    home.mailboxes.count_in(target, *record);
    target.waiting.append(record);
  }
  return true;
}

// Takes the oldest message. On null, nothing has changed.
[[gnu::always_inline]] inline MessageRecord* take_plain(Worker& home, Mailbox& target) noexcept {
  if (target.queued.load(std::memory_order_relaxed) == 0) return nullptr;
  MessageRecord* const record = target.waiting.first;
  if (record == nullptr || !is_simple(*record)) return nullptr;
  const std::uint32_t mode = target.mode_now();
  if ((mode & (returns | bytes_full | steps)) != 0) return nullptr;
  target.waiting.take_first();
  count_out(target, *record);
  if ((mode & crowded) != 0) [[unlikely]]
    home.room.grant(target);
  hand_out_plain(home, target, record);
  if (record->fields != nullptr) report(home, *record, ReportKind::taken);
  return record;
}

// Returns the mailbox of the agent that this agent waits for; nullptr if it waits for none.
inline Mailbox* next_of(const Mailbox& mailbox) noexcept {
  return mailbox.extension ? mailbox.extension->waits_for : nullptr;
}

inline void note_wait(Extension& ext, Mailbox* whom, Sending& what) noexcept {
  ext.waits_for = whom;
  ext.waiting_send = &what;
  ext.wait_token = 0;
}

// In most cases, the agent that is waited for waits for nobody itself.
[[gnu::always_inline]] inline bool WaitingCycles::begin(Agent& agent, Mailbox* whom,
                                                        Sending& what) noexcept {
  if (!what.blocks_) return true;
  Mailbox& mailbox = *Access::mailbox(agent);
  Extension* const ext = mailbox.extension.get();
  if (!is_alone || ext == nullptr || ext->spawned != 0 || whom == nullptr || whom == &mailbox ||
      next_of(*whom) != nullptr) [[unlikely]] {
    return begin_at_length(mailbox, whom, what);
  }
  note_wait(*ext, whom, what);
  return true;
}

[[gnu::always_inline]] inline void WaitingCycles::end(Agent& agent, const Sending& what) noexcept {
  Mailbox& mailbox = *Access::mailbox(agent);
  Extension* const ext = mailbox.extension.get();
  if (ext == nullptr || ext->waiting_send != &what) return;
  ext->waits_for = nullptr;
  ext->waiting_send = nullptr;
  if (!is_alone) forget(mailbox);
}

// Ends a message that its reader has finished with. On false, nothing has changed.
[[gnu::always_inline]] inline bool consume_plain(Worker& home, MessageRecord* record) noexcept {
  if ((record->flags & special_to_consume) != 0 || !is_simple(*record)) return false;
  if (owes_answer(*record)) return false;
  Mailbox& target = *record->target;
  target.let_go(record);
  ++target.consumed;
  if (record->fields != nullptr) report(home, *record, ReportKind::consumed);
  free_record(record);
  return true;
}

}  // namespace coracle::detail
