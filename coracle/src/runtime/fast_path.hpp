// The way of most messages: plain ones, between two agents of one worker, by the oldest read. All
// of it is here and inlined where it is used; whatever is not plain goes the long way, in
// delivery.cpp, mailbox.cpp and settling.cpp, which would treat plain ones alike.
#pragma once

#include "runtime/node_core.hpp"

namespace coracle::detail {

inline constexpr std::size_t publish_every = 64;

// Said of a message that needs a closer look: at its arrival, and at its end.
inline constexpr std::uint16_t special_to_offer =
    reply_flag | claimed_flag | copy_flag | gap_flag | marker_flag;
inline constexpr std::uint16_t special_to_consume =
    revoked_flag | copy_flag | gap_flag | marker_flag | letter_flag;

// Whether it is a question in its reader's hands that is not answered yet.
[[gnu::always_inline]] inline bool owes_answer(const Parcel& parcel) noexcept {
  return (parcel.flags & (request_flag | answered_flag)) == request_flag;
}

// Whether nobody wants to know more of it than is told of every message.
[[gnu::always_inline]] inline bool is_simple(const Parcel& parcel) noexcept {
  return parcel.extras == nullptr || (parcel.flags & simple_flag) != 0;
}

[[gnu::always_inline]] inline std::size_t bytes_of(const Parcel& parcel) noexcept {
  return parcel.content != nullptr ? parcel.content->size : 0;
}

[[gnu::always_inline]] inline void add_queued(Party& party, std::uint32_t change) noexcept {
  party.queued.store(party.queued.load(std::memory_order_relaxed) + change,
                     std::memory_order_relaxed);
}

// Of places in its mailbox, which other workers may take meanwhile.
inline void add_claimed(const NodeCore& node, Party& party, std::uint32_t change) noexcept {
  if (node.worker_count() > 1) {
    party.claimed.fetch_add(change);
  } else {
    party.claimed.store(party.claimed.load(std::memory_order_relaxed) + change,
                        std::memory_order_relaxed);
  }
}

[[gnu::always_inline]] inline std::size_t Worker::bytes_limit(const Party& target) const noexcept {
  const bool is_own = (target.mode_now() & own_mailbox) != 0;
  return is_own ? target.extension->mailbox.bytes() : default_bytes_;
}

[[gnu::always_inline]] inline void Worker::count_bytes(Party& target,
                                                       const Parcel& parcel) noexcept {
  target.bytes += bytes_of(parcel);
  if (target.bytes >= bytes_limit(target)) [[unlikely]]
    target.set_mode(bytes_full);
}

[[gnu::always_inline]] inline void Worker::count_in(Party& target, const Parcel& parcel) noexcept {
  add_queued(target, 1);
  count_bytes(target, parcel);
}

[[gnu::always_inline]] inline void Worker::count_out(Party& target, const Parcel& parcel) noexcept {
  add_queued(target, ~std::uint32_t{0});
  target.bytes -= bytes_of(parcel);
}

[[gnu::always_inline]] inline void Worker::hand_out_plain(Party& target, Parcel* parcel) noexcept {
  target.hold(parcel);
  if (tracks_) lately_[lately_next_++ % lately_size] = {&target, parcel->source};
}

[[gnu::always_inline]] inline void Worker::hand_plain_to(Reader& reader, Party& target,
                                                         Parcel* parcel) noexcept {
  hand_out_plain(target, parcel);
  reader.parcel = parcel;
  schedule(reader);
  woken_ = &reader;
}

// A place in that mailbox is about to be given back. While a ring is drained, those of one mailbox
// are given back together: its senders look at that number, too.
[[gnu::always_inline]] inline void Worker::count_release(Party& target) noexcept {
  if (releasing_ != &target) {
    release_claims();
    releasing_ = &target;
  }
  ++releases_;
}

// Hands a message to a reader that waits for it, or puts it into a mailbox with room. False leaves
// everything as it was.
[[gnu::always_inline]] inline bool Worker::offer_plain(Party& target, Parcel* parcel) noexcept {
  if (target.home.load(std::memory_order_relaxed) != this) return false;
  const std::uint32_t mode = target.mode_now();
  if ((mode & (present | moves | bytes_full)) != present) return false;
  if (target.readers.linked()) {
    auto& reader = static_cast<Reader&>(*target.readers.next);
    if (reader.selective && !fits(reader.match(), parcel)) return false;
    hand_plain_to(reader, target, parcel);
    return true;
  }
  if (target.occupied() >= target.limit.load(std::memory_order_relaxed)) return false;
  if (target.queue || own_queues_) return false;
  count_in(target, *parcel);
  target.waiting.append(parcel);
  return true;
}

// A send as a whole. False leaves everything as it was.
[[gnu::always_inline]] inline bool Worker::send_plain(Agent& sender, Parcel& parcel) noexcept {
  Party& source = *sender.party();
  if (!plain_ || source.agent != &sender || bytes_of(parcel) > content_limit_) return false;
  const unsigned special = parcel.flags & special_to_offer;
  if (special == reply_flag && parcel.target->home.load(std::memory_order_relaxed) == this &&
      (parcel.target->mode_now() & (moves | held)) == present) {
    ++source.sent;
    answer(&parcel);
    return true;
  }
  if (special != 0 || !offer_plain(*parcel.target, &parcel)) return false;
  ++source.sent;
  return true;
}

// An answer as a whole, to a request. False leaves everything as it was.
[[gnu::always_inline]] inline bool Worker::reply_plain(Agent& sender, const Message& request,
                                                       Content& answer) {
  const Parcel& asked = *request.parcel();
  if ((asked.flags & request_flag) == 0 || asked.extras != nullptr) return false;
  Parcel* const reply =
      new_parcel(*sender.party(), asked.source, std::move(answer), asked.conversation, reply_flag);
  if (send_plain(sender, *reply)) {
    if (asked.target->home.load(std::memory_order_relaxed) == this)
      set_flag(*request.parcel(), answered_flag);
    return true;
  }
  answer = Content::adopt(reply->content);
  free_record(reply);
  return false;
}

// A send as a whole, to an agent of another worker where places were taken beforehand: it is
// written where that worker will read it. False leaves everything as it was.
[[gnu::always_inline]] inline bool Worker::send_across(Agent& sender, Party& target,
                                                       Content& content,
                                                       Conversation conversation) noexcept {
  Party& source = *sender.party();
  if (prepaid_for_ != &target || prepaid_ == 0 || !plain_ || source.agent != &sender) return false;
  const unsigned to = prepaid_home_->index_;
  if (content.size() > content_limit_ || !backlog_[to].empty()) return false;
  ParcelRing& ring = node_.ring(*this, *prepaid_home_);
  const bool pushed = ring.try_push_by([&](Parcel& slot) {
    slot.source = &source;
    slot.target = &target;
    slot.content = content.release();
    slot.conversation = conversation;
    slot.extras = nullptr;
    slot.set_sequence(source.sent + 1);
    slot.flags = claimed_flag;
  });
  if (!pushed) return false;
  --prepaid_;
  ++source.sent;
  ++flow.out;
  dirty_[to] = true;
  if (ring.unpublished() >= publish_every) publish();
  return true;
}

// The other end of that. False leaves everything as it was.
[[gnu::always_inline]] inline bool Worker::arrive_plain(const Parcel& slot) noexcept {
  constexpr std::uint16_t special = special_to_offer & ~claimed_flag;
  if ((slot.flags & special) != 0 || slot.extras != nullptr) return false;
  Party& target = *slot.target;
  if (target.home.load(std::memory_order_relaxed) != this) return false;
  if ((target.mode_now() & (present | moves)) != present) return false;
  if ((slot.flags & claimed_flag) == 0 || target.queue || own_queues_) return false;
  Reader* reader = nullptr;
  if (target.readers.linked()) {
    reader = static_cast<Reader*>(target.readers.next);
    if (reader->selective) return false;
  }
  Parcel* const parcel = new_record();
  *parcel = slot;
  parcel->flags = static_cast<std::uint16_t>(slot.flags & ~unsigned{claimed_flag});
  ++flow.in;
  count_release(target);
  if (reader != nullptr) {
    hand_plain_to(*reader, target, parcel);
  } else {
    count_in(target, *parcel);
    target.waiting.append(parcel);
  }
  return true;
}

// Takes the oldest message. Null leaves everything as it was.
[[gnu::always_inline]] inline Parcel* Worker::take_plain(Party& target) noexcept {
  if (target.queued.load(std::memory_order_relaxed) == 0) return nullptr;
  Parcel* const parcel = target.waiting.first;
  if (parcel == nullptr || !is_simple(*parcel)) return nullptr;
  const std::uint32_t mode = target.mode_now();
  if ((mode & (returns | bytes_full)) != 0) return nullptr;
  target.waiting.take_first();
  count_out(target, *parcel);
  if ((mode & crowded) != 0) [[unlikely]]
    grant_room(target);
  hand_out_plain(target, parcel);
  if (parcel->extras != nullptr) mark(*parcel, Mark::taken);
  return parcel;
}

// Whom an agent waits for, if it does.
inline Party* next_of(const Party& party) noexcept {
  return party.extension ? party.extension->waits_for : nullptr;
}

inline void note_wait(Extension& ext, Party* whom, Sending& what) noexcept {
  ext.waits_for = whom;
  ext.waiting_send = &what;
  ext.wait_token = 0;
}

// Mostly, whoever is asked waits for nobody.
[[gnu::always_inline]] inline bool Worker::begin_wait(Agent& agent, Party* whom,
                                                      Sending& what) noexcept {
  if (!what.blocks_) return true;
  Party& party = *agent.party();
  Extension* const ext = party.extension.get();
  if (!is_alone || ext == nullptr || ext->spawned != 0 || whom == nullptr || whom == &party ||
      next_of(*whom) != nullptr) [[unlikely]] {
    return begin_wait_at_length(party, whom, what);
  }
  note_wait(*ext, whom, what);
  return true;
}

[[gnu::always_inline]] inline void Worker::end_wait(Agent& agent, const Sending& what) noexcept {
  Party& party = *agent.party();
  Extension* const ext = party.extension.get();
  if (ext == nullptr || ext->waiting_send != &what) return;
  ext->waits_for = nullptr;
  ext->waiting_send = nullptr;
  if (!is_alone) forget_wait(party);
}

// Ends a message that its reader is done with. False leaves everything as it was.
[[gnu::always_inline]] inline bool Worker::consume_plain(Parcel* parcel) noexcept {
  if ((parcel->flags & special_to_consume) != 0 || !is_simple(*parcel)) return false;
  if (owes_answer(*parcel)) return false;
  Party& target = *parcel->target;
  target.let_go(parcel);
  ++target.consumed;
  if (parcel->extras != nullptr) mark(*parcel, Mark::consumed);
  free_parcel(parcel);
  return true;
}

}  // namespace coracle::detail
