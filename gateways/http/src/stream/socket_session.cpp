#include "stream/socket_session.hpp"

#include <algorithm>

namespace coracle::http {

namespace {

// While so much waits to be written, nothing is read: a peer cannot have pongs pile up.
constexpr std::size_t much_unsent = 256 * 1024;
// The other side has to take some bytes within this time.
constexpr Duration frame_time = std::chrono::seconds(30);

}  // namespace

SocketSession::SocketSession(const SocketOptions& options, Random* masks, Time now)
    : ping_(options.ping),
      close_time_(options.close_time),
      masks_(masks),
      reader_(masks == nullptr, options.message_bytes),
      received_at_(now) {}

void SocketSession::write(Opcode opcode, std::string_view payload, Time now) {
  std::optional<std::uint32_t> mask;
  if (masks_ != nullptr) mask = static_cast<std::uint32_t>(masks_->next());
  if (output_.empty()) written_by_ = now + frame_time;
  output_.give(write_frame(opcode, payload, mask));
}

void SocketSession::on_bytes(std::string_view bytes, const std::function<bool(SocketMessage)>& take,
                             Time now) {
  if (!bytes.empty()) rest(now);
  if (is_over_ || has_ended_) return;
  std::string kept = std::exchange(unread_, {});
  if (!kept.empty()) bytes = kept.append(bytes);
  const std::size_t used = reader_.read(
      bytes, [&](Incoming incoming) { return on_incoming(std::move(incoming), take, now); });
  if (reader_.fault()) {
    close(*reader_.fault(), now);
    closing_ = *reader_.fault();
    is_over_ = true;
  } else if (!is_over_) {
    unread_ = bytes.substr(used);
  }
}

bool SocketSession::on_incoming(Incoming incoming, const std::function<bool(SocketMessage)>& take,
                                Time now) {
  switch (incoming.opcode) {
    case Opcode::close:
      on_closing(incoming.payload, now);
      return false;
    case Opcode::ping:
      if (!sent_closing_) write(Opcode::pong, incoming.payload, now);
      return output_.size() < much_unsent;
    case Opcode::pong:
      return true;
    default:
      break;
  }
  // After our close frame, nobody waits for messages.
  if (sent_closing_) return true;
  return take({std::move(incoming.payload), incoming.opcode == Opcode::text});
}

void SocketSession::on_closing(const std::string& payload, Time now) {
  const auto said = closing_in(payload);
  if (!said) {
    close({CloseCode::protocol_error, "a close frame breaks the rules"}, now);
    closing_ = {CloseCode::protocol_error, "a close frame breaks the rules"};
  } else {
    const bool is_reply = sent_closing_;
    close({said->code == CloseCode::none ? CloseCode::normal : said->code, {}}, now);
    if (!is_reply) closing_ = *said;
  }
  is_over_ = true;
}

void SocketSession::on_end() {
  has_ended_ = true;
  is_over_ = true;
}

void SocketSession::on_written(Time now) {
  written_by_ = output_.empty() ? Time::max() : now + frame_time;
}

Time SocketSession::deadline() const noexcept {
  const Time next = std::min(closes_at_, written_by_);
  if (ping_ <= Duration::zero() || sent_closing_) return next;
  return std::min(next, received_at_ + (is_pinged_ ? 2 * ping_ : ping_));
}

void SocketSession::on_time(Time now) {
  if (now >= std::min(closes_at_, written_by_)) {
    output_.clear();
    is_over_ = true;
  } else if (now >= deadline()) {
    if (is_pinged_) return on_end();
    is_pinged_ = true;
    write(Opcode::ping, {}, now);
  }
}

void SocketSession::send(Opcode opcode, std::string_view payload, Time now) {
  if (is_open()) write(opcode, payload, now);
}

void SocketSession::close(const Closing& closing, Time now) {
  if (sent_closing_ || has_ended_) return;
  write(Opcode::close, closing_payload(closing), now);
  sent_closing_ = true;
  closing_ = closing;
  closes_at_ = now + close_time_;
}

}  // namespace coracle::http
