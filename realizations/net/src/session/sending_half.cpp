#include "realizations/net/src/session/sending_half.hpp"

#include "coracle/support/mutations.hpp"

#include <string>

namespace coracle::net {

namespace {

constexpr std::size_t most_in_one_write = 64u << 10;  // bytes of messages
constexpr std::uint64_t most_credit = ~std::uint64_t{0} >> 1;

}  // namespace

void SendingHalf::begin_incarnation() {
  ++incarnation_;
  largest_ = 0;
  granted_ = sent_ = {};
  wants_credit_ = wants_clear_ = false;
  outbox_ = {};
}

bool SendingHalf::acknowledge(Seq seq, ConnectionEnd& end) {
  if (seq > outbox_.given())
    return end.fail(Reason::bad_acknowledgement,
                    "message " + std::to_string(seq) + " was never sent");
  outbox_.acknowledge(seq);
  return true;
}

bool SendingHalf::grant(Amount granted, ConnectionEnd& end) {
  if (granted.bytes > most_credit || granted.messages > most_credit)
    return end.fail(Reason::malformed, "a credit that is over the limit");
  granted_.bytes = std::max(granted_.bytes, granted.bytes);
  granted_.messages = std::max(granted_.messages, granted.messages);
  return true;
}

bool SendingHalf::take_acknowledge(ByteSpan body, ConnectionEnd& end) {
  FrameReader reader(body);
  const Seq seq = reader.number();
  if (!reader.done())
    return end.fail(Reason::malformed, "an acknowledgement that cannot be understood");
  return acknowledge(seq, end);
}

bool SendingHalf::take_credit(ByteSpan body, ConnectionEnd& end) {
  FrameReader reader(body);
  Amount granted;
  granted.bytes = reader.number();
  granted.messages = reader.number();
  if (!reader.done()) return end.fail(Reason::malformed, "a credit that cannot be understood");
  return grant(granted, end);
}

bool SendingHalf::resume(Seq arrived, Amount granted, ConnectionEnd& end) {
  if (arrived < outbox_.acknowledged())
    return end.fail(Reason::gap, "the peer has lost what it acknowledged");
  return acknowledge(arrived, end) && grant(granted, end);
}

void SendingHalf::write_start(std::vector<std::byte>& frames) {
  outbox_.trim();
  const Seq first = outbox_.rewind();
  append_frame(frames, FrameType::start, [first](FrameWriter& out) { out.number(first); });
}

void SendingHalf::gather(std::vector<std::span<const std::byte>>& parts) {
  outbox_.gather(parts, most_in_one_write);
  if (mutated(Mutation::rewound_too_little)) outbox_.acknowledge(outbox_.given());
}

}  // namespace coracle::net
