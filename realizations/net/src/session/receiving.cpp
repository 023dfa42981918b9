// The part of a session that handles received frames.
#include "realizations/net/src/session.hpp"

#include <algorithm>
#include <cassert>

namespace coracle::net {

namespace {

constexpr std::uint64_t most_other = 1024;  // bytes of a frame without a number

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
  if (!bytes.empty() && heartbeats_.received(now)) events_.on_trusted();
  std::size_t used = 0;
  while (bytes.size() - used >= frame_header_bytes && !closing() && !farewell()) {
    const FrameHeader header = read_frame_header(bytes.data() + used);
    const std::uint64_t most = longest(header.type, options_);
    if (most == 0) {
      end_.fail(Reason::unknown_frame,
                "a frame of kind " + digits(header.type) + " does not exist");
      break;
    }
    if (header.length > most) {
      end_.fail(Reason::oversize, "a frame of kind " + digits(header.type) + " has " +
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
  if (!is_writing()) sending_.trim();
  receiving_.plan_acknowledgement(now);
  notify_credit();
  return used;
}

// Takes a frame of a session that is not open, or one that is no message.
bool Session::take_frame(FrameType type, ByteSpan body) {
  if (type == FrameType::goodbye) return end_.take_goodbye(body);
  if (state_ == State::resuming && type == FrameType::resume) return take_resume(body);
  if (state_ == State::starting && type == FrameType::start) return take_start(body);
  if (state_ == State::open) {
    const bool we_dialled = side_ == Side::dialled;
    switch (type) {
      case FrameType::ping:
        return heartbeats_.take_ping(body, we_dialled, now_, end_);
      case FrameType::pong:
        return heartbeats_.take_pong(body, we_dialled, now_, end_);
      case FrameType::acknowledge:
        return sending_.take_acknowledge(body, end_);
      case FrameType::credit:
        return sending_.take_credit(body, end_);
      default:
        break;
    }
  }
  return end_.fail(Reason::unknown_frame, "a frame of kind " +
                                              digits(static_cast<std::uint8_t>(type)) +
                                              " is not expected");
}

bool Session::take_message(ByteSpan body) {
  FrameReader reader(body);
  const auto header = reader.bytes(reader.number());
  if (!reader.ok()) return end_.fail(Reason::malformed, "a message is shorter than its header");
  const auto content = reader.rest();
  const std::size_t size = header.size() + content.size();
  if (size > options_.largest)
    return end_.fail(Reason::oversize, "a message of " + digits(size) + " bytes, at most " +
                                           digits(options_.largest));
  const auto arrival = receiving_.arrive(body.size(), size, now_);
  if (arrival == ReceivingHalf::Arrival::duplicate) return true;
  if (arrival == ReceivingHalf::Arrival::overrun)
    return end_.fail(Reason::credit_overrun, "more came than was granted");
  events_.on_arrived({receiving_.watermark(), header, content});
  return true;
}

bool Session::take_resume(ByteSpan body) {
  FrameReader reader(body);
  const Epoch epoch{reader.word(), reader.word()};
  const std::uint64_t session = reader.number();
  const Seq arrived = reader.number();
  Amount granted;
  granted.bytes = reader.number();
  granted.messages = reader.number();
  if (!reader.done()) return end_.fail(Reason::malformed, "a resumption that cannot be understood");
  if (epoch != epoch_ || session != number_)
    return end_.fail(Reason::stale, "the peer resumes a session that is over");
  if (!sending_.resume(arrived, granted, end_)) return false;
  if (side_ == Side::accepted) receiving_.write_resume(write_.frames(), *peer_.greeting());
  sending_.write_start(write_.frames());
  state_ = State::starting;
  peer_.confirm();
  return true;
}

bool Session::take_start(ByteSpan body) {
  if (!receiving_.take_start(body, end_)) return false;
  state_ = State::open;
  heartbeats_.begin(now_);
  events_.on_open(peer_.open());
  return true;
}

}  // namespace coracle::net
