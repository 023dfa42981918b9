#include "replacements.hpp"

#include "coracle/detail/access.hpp"

#include <algorithm>

namespace coracle::detail {
// This is the library's function; no other way copies an envelope, and nothing but a test may want
// one.
MessageRecord* clone_record(const MessageRecord& record);
}  // namespace coracle::detail

namespace coracle::conformance {

Envelope copy_of(const Envelope& envelope) {
  return Envelope(detail::clone_record(*detail::Access::record(envelope)));
}

Verdict OvertakingTransport::try_carry(Envelope& envelope) {
  if (!late_ && comes_late(envelope)) {
    late_ = std::move(envelope);
    return Verdict::carried;
  }
  const bool overtakes = late_ && late_.source() == envelope.source();
  const Verdict verdict = next_->try_carry(envelope);
  if (overtakes && verdict == Verdict::carried) {
    Envelope late = std::move(late_);
    next_->try_carry(late);
  }
  return verdict;
}

// Several workers call at the same time, and each worker must deliver its own envelopes on its own
// thread. So each call keeps its envelope in a container of its own.
Verdict OwnTransport::try_carry(Envelope& envelope) {
  std::deque<Envelope> under_way;
  under_way.push_back(std::move(envelope));
  const Verdict verdict = inbound_->deliver(under_way.front());
  if (verdict == Verdict::carried) ++carried_;
  else envelope = std::move(under_way.front());
  return verdict;
}

void OwnTransport::await_credit(Envelope& envelope, CreditWaiter& waiter) {
  ++waited_;
  inbound_->await_room(envelope, waiter);
}

void OwnQueue::put(Envelope envelope) {
  bytes_ += envelope.content().size();
  messages_.push_back(std::move(envelope));
}

void OwnQueue::put_back(Envelope envelope) {
  bytes_ += envelope.content().size();
  messages_.push_front(std::move(envelope));
}

Envelope OwnQueue::take(const Match& match) {
  const auto found = std::find_if(messages_.begin(), messages_.end(),
                                  [&](const Envelope& envelope) { return match.fits(envelope); });
  if (found == messages_.end()) return {};
  Envelope taken = std::move(*found);
  messages_.erase(found);
  bytes_ -= taken.content().size();
  return taken;
}

std::size_t OwnQueue::count(const Match& match) const {
  return static_cast<std::size_t>(
      std::count_if(messages_.begin(), messages_.end(),
                    [&](const Envelope& envelope) { return match.fits(envelope); }));
}

void OwnQueue::each(const std::function<void(const Envelope&)>& show) const {
  for (const Envelope& envelope : messages_) show(envelope);
}

}  // namespace coracle::conformance
