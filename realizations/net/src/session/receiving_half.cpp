#include "realizations/net/src/session/receiving_half.hpp"

#include <string>

namespace coracle::net {

void ReceivingHalf::begin_incarnation() {
  watermark_ = next_ = acknowledged_ = owed_ = 0;
  arrived_ = released_ = {};
  granted_ = window_;
}

void ReceivingHalf::detach() {
  acknowledge_at_.reset();
  acknowledged_at_.reset();
}

bool ReceivingHalf::take_start(ByteSpan body, ConnectionEnd& end) {
  FrameReader reader(body);
  const Seq first = reader.number(), expected = watermark_ + 1;
  if (!reader.done()) return end.fail(Reason::malformed, "a start that cannot be understood");
  if (first == 0 || first > expected)
    return end.fail(Reason::gap, "the peer goes on with message " + std::to_string(first) +
                                     ", not with " + std::to_string(expected));
  next_ = first;
  return true;
}

void ReceivingHalf::write_resume(std::vector<std::byte>& frames, const Greeting& peer) {
  acknowledged_ = watermark_;
  owed_ = 0;
  if (mutated(Mutation::credit_forgotten)) granted_ = window_;
  append_frame(frames, FrameType::resume, [&](FrameWriter& out) {
    out.word(peer.epoch.random);
    out.word(peer.epoch.counter);
    out.number(peer.number);
    out.number(watermark_ + (mutated(Mutation::acknowledged_too_far) && watermark_ > 0));
    out.number(granted_.bytes);
    out.number(granted_.messages);
  });
}

void ReceivingHalf::write_acknowledgement(std::vector<std::byte>& frames, Time now) {
  owed_ = 0;
  if (owes_acknowledgement()) {
    acknowledged_ = watermark_;
    append_frame(frames, FrameType::acknowledge,
                 [this](FrameWriter& out) { out.number(watermark_); });
  }
  acknowledge_at_.reset();
  acknowledged_at_ = now;
}

void ReceivingHalf::write_credit(std::vector<std::byte>& frames) {
  const Amount now{released_.bytes + window_.bytes, released_.messages + window_.messages};
  // Grants are rare while there is plenty of credit; they are immediate when the peer may be
  // waiting.
  const auto worth = [](std::uint64_t would, std::uint64_t granted, std::uint64_t arrived,
                        std::uint64_t whole) {
    return would - granted >= whole / 4 || (would > granted && granted <= arrived + whole / 2);
  };
  if (now == granted_ ||
      (!worth(now.bytes, granted_.bytes, arrived_.bytes, window_.bytes) &&
       !worth(now.messages, granted_.messages, arrived_.messages, window_.messages)))
    return;
  granted_ = now;
  append_frame(frames, FrameType::credit, [&now](FrameWriter& out) {
    out.number(now.bytes);
    out.number(now.messages);
  });
}

}  // namespace coracle::net
