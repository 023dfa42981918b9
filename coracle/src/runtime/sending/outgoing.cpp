#include "outgoing.hpp"

#include "fast_path.hpp"
#include "runtime/groups/noticing.hpp"
#include "runtime/receipts/receipt_state.hpp"
#include "runtime/room/room_ticket.hpp"
#include "runtime/store/storing.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace coracle::detail {

namespace {

using OwnRecord = std::unique_ptr<MessageRecord, FreeRecord>;

// Replaces a value by its encoded bytes; returns false when it cannot be encoded.
bool encode(MessageRecord& record) noexcept try {
  if (record.content == nullptr || !record.content->is_typed()) return true;
  const Content value = Content::adopt(std::exchange(record.content, nullptr));
  record.content = value.encoded().release();
  return true;
} catch (...) {
  return false;
}

}  // namespace

Outgoing::Outgoing(Worker& worker) noexcept
    : worker_(worker),
      transport_(worker.node().transport()),
      content_limit_(worker.node().options().content_limit),
      has_policy_(worker.node().options().policy != nullptr),
      encodes_(worker.node().options().always_encode),
      direct_(transport_.only_delivers()) {}

void Outgoing::note_whether_plain() noexcept {
  plain_ = direct_ && !has_policy_ && !encodes_ && !worker_.overhearing.anybody_hears() &&
           !worker_.observing.is_on() && !worker_.node().realization().stores;
}

// Returns the reason for which a message may not be sent at all.
Errc Outgoing::refusal_of(const Agent& sender, const MessageRecord& record) const noexcept {
  const Mailbox& source = *Access::mailbox(sender);
  if (source.agent != &sender) return Errc::fenced;
  if (record.content != nullptr && record.content->size > content_limit_) return Errc::too_large;
  if (has_policy_ && !worker_.node().authorize(Action::send, source.name, record.target->name)) {
    return Errc::not_permitted;
  }
  return Errc{};
}

Sent Outgoing::try_send(Agent& sender, MessageRecord*& record, Errc& error) {
  error = refusal_of(sender, *record);
  if (error != Errc{}) return Sent::failed;
  if (worker_.node().realization().stores) [[unlikely]]
    send_to_store(worker_, *record);
  const bool leaves = (record->target->mode_now() & elsewhere) != 0;
  if ((encodes_ || leaves) && !encode(*record)) {
    error = Errc::bad_encoding;
    return Sent::failed;
  }
  Mailbox& source = *Access::mailbox(sender);
  record->set_sequence(source.sent + 1);
  if (worker_.observing.is_on()) return try_send_observed(source, record, error);
  if (worker_.overhearing.anybody_hears()) return try_send_overheard(source, record, error);
  return carry(source, record, error);
}

Sent Outgoing::carry(Mailbox& source, MessageRecord*& record, Errc& error) {
  Mailbox& target = *record->target;
  const bool is_there = target.is_held();
  Envelope envelope(std::exchange(record, nullptr));
  const Verdict verdict = transport_.try_carry(envelope);
  if (verdict == Verdict::carried) [[likely]] {
    ++source.sent;
    return Sent::accepted;
  }
  record = Access::release(envelope);
  if (verdict == Verdict::no_credit) return Sent::wait;
  error = is_there ? Errc::mailbox_full : Errc::absent_full;
  return Sent::failed;
}

// The taps are determined before the message is carried: afterwards the record may be gone.
Sent Outgoing::try_send_overheard(Mailbox& source, MessageRecord*& record, Errc& error) {
  if (is_earlier(*record)) return carry(source, record, error);  // overheard when it was sent
  Overhearing& overhearing = worker_.overhearing;
  const std::vector<std::uint64_t>& hearing = overhearing.who_hears(source, *record);
  if (hearing.empty()) return carry(source, record, error);
  ChosenTaps chosen = overhearing.choose(*record, hearing);
  const OverheardBy met = record->fields != nullptr ? record->fields->heard : nullptr;
  const OwnRecord original(chosen.copied.empty() ? nullptr : clone_record(*record));
  const std::shared_ptr<Noticing> noticing =
      chosen.wants_notices ? follow(worker_, *record) : nullptr;
  const Sent sent = carry(source, record, error);
  if (sent == Sent::accepted) {
    overhearing.send_copies(chosen, original.get(), met);
    if (noticing) noticing->begin(chosen.noticed);
    else if (chosen.wants_notices) overhearing.miss_notices(chosen);
  } else if (noticing) {
    noticing->let_go(*record);
  }
  overhearing.reuse(std::move(chosen));
  return sent;
}

// Once the message is carried, its record may be gone; its number remains.
Sent Outgoing::try_send_observed(Mailbox& source, MessageRecord*& record, Errc& error) {
  worker_.observing.meet(*record);
  const std::uint64_t number = record->fields->observed;
  const std::uint64_t sequence = record->sequence();
  const Sent sent = worker_.overhearing.anybody_hears() ? try_send_overheard(source, record, error)
                                                        : carry(source, record, error);
  if (sent == Sent::accepted) worker_.observing.note(Happening::accepted, number, source, sequence);
  return sent;
}

void Outgoing::refuse(Agent& sender, MessageRecord*& record) noexcept {
  MessageRecord* const refused = std::exchange(record, nullptr);
  Mailbox& source = *Access::mailbox(sender);
  if ((refused->flags & claimed_flag) != 0) unclaim_place(*refused->target);
  ++source.sent;
  ++source.ext().count().refused;
  owes_again(*refused);
  worker_.observing.meet(*refused);
  if (refused->fields != nullptr) {
    tell_receipt(*refused, Outcome::refused);
    worker_.observing.observe(Happening::refused, *refused);
  }
  free_record(refused);
}

}  // namespace coracle::detail
