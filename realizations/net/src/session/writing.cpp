// The part of a session that writes frames.
#include "coracle/support/mutations.hpp"
#include "realizations/net/src/session.hpp"

#include <algorithm>
#include <cassert>

namespace coracle::net {

namespace {

constexpr std::size_t most_at_once = 64u << 10;          // bytes of messages in one write
constexpr std::size_t most_backlog = 1u << 20;           // bytes; above, no credit is granted
constexpr std::uint64_t worth_acknowledging = 4u << 10;  // bytes

}  // namespace

void Session::say_resume() {
  in_.acknowledged = in_.watermark;
  in_.owed = 0;
  if (mutated(Mutation::credit_forgotten)) in_.granted = options_.window;
  append_frame(loose_, FrameType::resume, [this](FrameWriter& out) {
    out.word(peer_->epoch.random);
    out.word(peer_->epoch.counter);
    out.number(peer_->number);
    out.number(in_.watermark + (mutated(Mutation::acknowledged_too_far) && in_.watermark > 0));
    out.number(in_.granted.bytes);
    out.number(in_.granted.messages);
  });
}

void Session::say_start(Seq first) {
  append_frame(loose_, FrameType::start, [first](FrameWriter& out) { out.number(first); });
}

// Returns whether an acknowledgement is worth its bytes in a write that happens anyway: it is not
// for each message of a quick exchange.
bool Session::is_worth_acknowledging(Time now) const {
  return in_.owed >= worth_acknowledging || !acknowledged_at_ ||
         now - *acknowledged_at_ >= options_.acknowledge / 4;
}

void Session::say_acknowledgement() {
  in_.owed = 0;
  if (owes_acknowledgement()) {
    in_.acknowledged = in_.watermark;
    append_frame(loose_, FrameType::acknowledge,
                 [this](FrameWriter& out) { out.number(in_.watermark); });
  }
  acknowledge_at_.reset();
  acknowledged_at_ = now_;
}

void Session::say_credit() {
  // A peer that does not take our messages must not send more.
  if (outbox_.kept() > most_backlog) return;
  const Amount window = options_.window;
  const Amount now{in_.released.bytes + window.bytes, in_.released.messages + window.messages};
  // Grants are rare while there is plenty of credit; they are immediate when the peer may be
  // waiting.
  const auto worth = [](std::uint64_t would, std::uint64_t granted, std::uint64_t arrived,
                        std::uint64_t whole) {
    return would - granted >= whole / 4 || (would > granted && granted <= arrived + whole / 2);
  };
  if (now == in_.granted ||
      (!worth(now.bytes, in_.granted.bytes, in_.arrived.bytes, window.bytes) &&
       !worth(now.messages, in_.granted.messages, in_.arrived.messages, window.messages)))
    return;
  in_.granted = now;
  append_frame(loose_, FrameType::credit, [&now](FrameWriter& out) {
    out.number(now.bytes);
    out.number(now.messages);
  });
}

// All links of a node ping at the same moments, so that it is woken for many of them at once. A
// link that carries no messages pings less often.
Time Session::next_ping() const {
  const bool is_quiet = now_ - activity_ > 4 * options_.heartbeat;
  const Duration step = std::max(options_.heartbeat / 2, Duration(1));
  const Time due = now_ + options_.heartbeat + (is_quiet ? step : Duration::zero());
  return due - due.time_since_epoch() % step;
}

void Session::say_pulse(Time now) {
  if (pong_) {
    append_frame(loose_, FrameType::pong, [this](FrameWriter& out) { out.word(*pong_); });
    pong_.reset();
  }
  if (now < ping_at_ && !ping_wanted_) return;
  if (now >= ping_at_) {
    ping_at_ = next_ping();
    outbox_.shed();
  }
  ping_wanted_ = false;
  pinged_ = now;
  append_frame(loose_, FrameType::ping, [this](FrameWriter& out) { out.word(++token_); });
}

void Session::say_goodbye() {
  loose_.clear();
  append_goodbye(loose_, *closing_);
  said_goodbye_ = true;
}

ByteSpans Session::take(Time now) {
  if (flying_ || state_ == State::detached || said_goodbye_) return {};
  now_ = now;
  parts_.clear();
  if (closing_) {
    say_goodbye();
  } else if (state_ == State::open || state_ == State::starting) {
    const bool is_asked = pong_.has_value();
    if (state_ == State::open) {
      say_pulse(now);
      say_credit();
    }
    const bool speaks = !loose_.empty() || outbox_.pending() > 0;
    const bool is_time = is_asked || (speaks && is_worth_acknowledging(now));
    if (acknowledge_at_ && (is_time || now >= *acknowledge_at_)) say_acknowledgement();
  }
  flying_loose_.swap(loose_);
  loose_.clear();
  if (!flying_loose_.empty()) parts_.emplace_back(flying_loose_);
  if (!closing_ && (state_ == State::open || state_ == State::starting)) {
    outbox_.gather(parts_, most_at_once);
    if (mutated(Mutation::rewound_too_little)) outbox_.acknowledge(outbox_.given());
  }
  const bool may_clear = out_.wanting_clear && !is_clear_ && state_ == State::open && !closing_;
  if (parts_.empty() && !may_clear) return {};
  flying_ = true;
  flown_ = now;
  return parts_;
}

void Session::written(Time now) {
  assert(flying_);
  now_ = now;
  flying_ = false;
  is_clear_ = parts_.empty();
  flying_loose_.clear();
  outbox_.trim();
  tell_credit();
}

}  // namespace coracle::net
