// The part of a session that handles received frames.
#include "coracle/support/mutations.hpp"
#include "realizations/net/src/session.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace coracle::net {

namespace {

constexpr std::uint64_t most_other = 1024;       // bytes of a frame without a number
constexpr std::uint64_t owed_bytes = 64u << 10;  // from here an acknowledgement is urgent
constexpr std::uint64_t most_credit = ~std::uint64_t{0} >> 1;

std::string digits(std::uint64_t value) { return std::to_string(value); }

// Returns the longest body of a frame of that kind; 0 when there is none.
std::uint64_t longest(std::uint8_t type, const SessionOptions& options) {
  switch (static_cast<FrameType>(type)) {
    case FrameType::message:
      return options.largest + 4;
    case FrameType::resume:
    case FrameType::start:
    case FrameType::goodbye:
    case FrameType::ping:
    case FrameType::pong:
    case FrameType::acknowledge:
    case FrameType::credit:
      return most_other;
    case FrameType::hello:
      break;
  }
  return 0;
}

}  // namespace

std::size_t Session::largest_frame() const {
  return frame_header_bytes + std::max(most_other, options_.largest + 4);
}

std::size_t Session::received(std::span<const std::byte> bytes, Time now) {
  assert(state_ != State::detached);
  now_ = now;
  if (!bytes.empty()) heard(now);
  std::size_t used = 0;
  while (bytes.size() - used >= frame_header_bytes && !closing_ && !farewell_) {
    const FrameHeader header = read_frame_header(bytes.data() + used);
    const std::uint64_t most = longest(header.type, options_);
    if (most == 0) {
      fail(Reason::unknown_frame, "a frame of kind " + digits(header.type) + " does not exist");
      break;
    }
    if (header.length > most) {
      fail(Reason::oversize, "a frame of kind " + digits(header.type) + " has " +
                                 digits(header.length) + " bytes, at most " + digits(most));
      break;
    }
    const std::size_t size = frame_header_bytes + header.length;
    if (bytes.size() - used < size) break;
    const auto body = bytes.subspan(used + frame_header_bytes, header.length);
    if (state_ == State::open && header.type == static_cast<std::uint8_t>(FrameType::message)) {
      if (!take_message(body)) break;
    } else if (!take_frame(static_cast<FrameType>(header.type), body)) {
      break;
    }
    used += size;
  }
  if (!flying_) outbox_.trim();
  if (owes_acknowledgement() && !acknowledge_at_) acknowledge_at_ = now + options_.acknowledge;
  if (in_.owed >= owed_bytes) acknowledge_at_ = now;
  tell_credit();
  return used;
}

bool Session::take_frame(FrameType type, ByteSpan body) {
  if (type == FrameType::goodbye) return take_goodbye(body);
  if (state_ == State::resuming && type == FrameType::resume) return take_resume(body);
  if (state_ == State::starting && type == FrameType::start) return take_start(body);
  if (state_ == State::open) {
    switch (type) {
      case FrameType::message:
        return take_message(body);
      case FrameType::ping:
        return take_ping(body);
      case FrameType::pong:
        return take_pong(body);
      case FrameType::acknowledge:
        return take_acknowledge(body);
      case FrameType::credit:
        return take_credit(body);
      default:
        break;
    }
  }
  return fail(Reason::unknown_frame,
              "a frame of kind " + digits(static_cast<std::uint8_t>(type)) + " is not expected");
}

// Counts a message. Returns false when it has come before.
bool Session::take_number(std::size_t bytes) {
  const Seq seq = in_.next++;
  if (seq <= in_.watermark) {
    ++duplicates_;
    return false;
  }
  assert(seq == in_.watermark + 1);
  in_.watermark = seq;
  in_.owed += bytes + 64;
  return true;
}

bool Session::charge(std::uint64_t bytes) {
  if (in_.arrived.bytes >= in_.granted.bytes || in_.arrived.messages >= in_.granted.messages)
    return fail(Reason::credit_overrun, "more came than was granted");
  in_.arrived.bytes += bytes;
  ++in_.arrived.messages;
  return true;
}

bool Session::take_message(ByteSpan body) {
  FrameReader reader(body);
  const auto header = reader.bytes(reader.number());
  if (!reader.ok()) return fail(Reason::malformed, "a message is shorter than its header");
  const auto content = reader.rest();
  const std::size_t size = header.size() + content.size();
  if (size > options_.largest)
    return fail(Reason::oversize,
                "a message of " + digits(size) + " bytes, at most " + digits(options_.largest));
  if (!take_number(body.size())) {
    if (mutated(Mutation::credit_counted_again)) return charge(size);
    if (!mutated(Mutation::watermark_ignored)) return true;
    in_.arrived.bytes -= size;
    --in_.arrived.messages;
  }
  if (!charge(size)) return false;
  activity_ = now_;
  events_.on_arrived({in_.watermark, header, content});
  return true;
}

bool Session::take_resume(ByteSpan body) {
  FrameReader reader(body);
  const Epoch epoch{reader.word(), reader.word()};
  const std::uint64_t session = reader.number();
  const Seq seen = reader.number();
  Amount granted;
  granted.bytes = reader.number();
  granted.messages = reader.number();
  if (!reader.done()) return fail(Reason::malformed, "a resumption that cannot be understood");
  if (epoch != epoch_ || session != number_)
    return fail(Reason::stale, "the peer resumes a session that is over");
  if (seen < outbox_.acknowledged())
    return fail(Reason::gap, "the peer has lost what it acknowledged");
  if (!take_acknowledgement(seen) || !grant_from_peer(granted)) return false;
  outbox_.trim();
  const Seq first = outbox_.rewind();
  if (side_ == Side::accepted) say_resume();
  say_start(first);
  state_ = State::starting;
  confirmed_ = true;
  return true;
}

bool Session::take_start(ByteSpan body) {
  FrameReader reader(body);
  const Seq first = reader.number(), expected = in_.watermark + 1;
  if (!reader.done()) return fail(Reason::malformed, "a start that cannot be understood");
  if (first == 0 || first > expected)
    return fail(Reason::gap, "the peer goes on with message " + digits(first) + ", not with " +
                                 digits(expected));
  in_.next = first;
  state_ = State::open;
  pulse_.begin(now_);
  ping_at_ = now_;
  const bool restarted = std::exchange(restarted_, false);
  const bool again = std::exchange(opened_, true);
  events_.on_open(again ? Opening::resumed : restarted ? Opening::restarted : Opening::first);
  return true;
}

bool Session::take_acknowledgement(Seq seq) {
  if (seq > outbox_.given())
    return fail(Reason::bad_acknowledgement, "message " + digits(seq) + " was never sent");
  outbox_.acknowledge(seq);
  return true;
}

bool Session::take_acknowledge(ByteSpan body) {
  FrameReader reader(body);
  const Seq seq = reader.number();
  if (!reader.done())
    return fail(Reason::malformed, "an acknowledgement that cannot be understood");
  return take_acknowledgement(seq);
}

bool Session::grant_from_peer(Amount granted) {
  if (granted.bytes > most_credit || granted.messages > most_credit)
    return fail(Reason::malformed, "a credit that is over the limit");
  out_.granted.bytes = std::max(out_.granted.bytes, granted.bytes);
  out_.granted.messages = std::max(out_.granted.messages, granted.messages);
  return true;
}

bool Session::take_credit(ByteSpan body) {
  FrameReader reader(body);
  Amount granted;
  granted.bytes = reader.number();
  granted.messages = reader.number();
  if (!reader.done()) return fail(Reason::malformed, "a credit that cannot be understood");
  return grant_from_peer(granted);
}

bool Session::take_ping(ByteSpan body) {
  FrameReader reader(body);
  const std::uint64_t token = reader.word();
  if (!reader.done()) return fail(Reason::malformed, "a ping that cannot be understood");
  pong_ = token;
  pulse_.beat(now_);
  // Only the dialling side asks: its heartbeats are pings, and the other side's are pongs.
  if (side_ == Side::dialled) ping_at_ = now_ + 2 * options_.heartbeat;
  return true;
}

bool Session::take_pong(ByteSpan body) {
  FrameReader reader(body);
  const std::uint64_t token = reader.word();
  if (!reader.done()) return fail(Reason::malformed, "a pong that cannot be understood");
  if (token != token_ || !pinged_) return true;
  round_trip_ = now_ - *std::exchange(pinged_, std::nullopt);
  if (side_ == Side::accepted) pulse_.beat(now_);
  return true;
}

bool Session::take_goodbye(ByteSpan body) {
  FrameReader reader(body);
  const std::uint8_t reason = reader.byte();
  const auto sentence = reader.rest();
  if (!reader.ok()) return fail(Reason::malformed, "a goodbye that cannot be understood");
  farewell_ = Closing{static_cast<Reason>(reason), shown(sentence)};
  return false;
}

void Session::tell_credit() {
  const bool has_come = out_.wanting && has_credit();
  const bool is_cleared = out_.wanting_clear && is_way_clear();
  if (state_ != State::open || (!has_come && !is_cleared)) return;
  if (has_come) out_.wanting = false;
  if (is_cleared) out_.wanting_clear = false;
  events_.on_credit();
}

}  // namespace coracle::net
