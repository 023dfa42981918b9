// The part of a session that writes frames.
#include "coracle/support/mutations.hpp"
// The part of a session that writes frames.
#include "realizations/net/src/session.hpp"

#include <algorithm>
#include <cassert>

namespace coracle::net {

namespace {

constexpr std::size_t most_control = 64u << 10;  // written at once, of each lane
constexpr std::size_t most_normal = 256u << 10;
constexpr std::size_t most_large = 128u << 10;
constexpr std::size_t most_settlements = 256u << 10;  // bytes in unacknowledged frames
constexpr std::size_t most_backlog = 1u << 20;        // bytes; above, no credit is granted
constexpr std::size_t most_sentence = 240;
constexpr std::uint64_t worth_acknowledging = 4u << 10;  // bytes

}  // namespace

void Session::say_resume() {
  WireWriter writer(loose_);
  writer.begin(FrameType::resume);
  writer.u64(peer_->epoch.random);
  writer.u64(peer_->epoch.counter);
  writer.varint(peer_->number);
  for (const Lane lane : all_lanes) {
    In& in = in_[lane];
    in.acknowledged = in.watermark;
    in.owed = 0;
    if (mutated(Mutation::credit_forgotten)) in.granted = options_.window[lane];
    writer.varint(in.watermark + (mutated(Mutation::acknowledged_too_far) && in.watermark > 0));
    writer.varint(in.granted.bytes);
    writer.varint(in.granted.messages);
  }
  writer.varint(inbox_.partial());
  writer.end();
}

void Session::say_start(const PerLane<Seq>& first) {
  WireWriter writer(loose_);
  writer.begin(FrameType::start);
  for (const Lane lane : all_lanes) writer.varint(first[lane]);
  writer.end();
}

bool Session::owes_acknowledgement() const {
  for (const In& in : in_.of)
    if (in.watermark > in.acknowledged) return true;
  return false;
}

// Returns whether an acknowledgement is worth its bytes in a write that happens anyway: it is not
// for each message of a quick exchange.
bool Session::is_worth_acknowledging(Time now) const {
  std::uint64_t owed = 0;
  for (const In& in : in_.of) owed += in.owed;
  return owed >= worth_acknowledging || !acknowledged_at_ ||
         now - *acknowledged_at_ >= options_.acknowledge / 4;
}

void Session::say_acknowledgements() {
  WireWriter writer(loose_);
  for (const Lane lane : all_lanes) {
    In& in = in_[lane];
    in.owed = 0;
    if (in.watermark == in.acknowledged) continue;
    in.acknowledged = in.watermark;
    writer.begin(FrameType::acknowledge);
    writer.u8(static_cast<std::uint8_t>(lane));
    writer.varint(in.watermark);
    writer.end();
  }
  acknowledge_at_.reset();
  acknowledged_at_ = now_;
}

void Session::say_credits() {
  // A peer that does not take our settlements must not send more.
  if (settles_.bytes() + control_.kept() > most_backlog) return;
  WireWriter writer(loose_);
  for (const Lane lane : all_lanes) {
    In& in = in_[lane];
    const Amount window = options_.window[lane];
    const Amount now{in.released.bytes + window.bytes, in.released.messages + window.messages};
    if (now == in.granted) continue;
    // Grants are rare while there is plenty of credit; they are immediate when the peer may be
    // waiting.
    const auto worth = [](std::uint64_t would, std::uint64_t granted, std::uint64_t arrived,
                          std::uint64_t whole) {
      return would - granted >= whole / 4 || (would > granted && granted <= arrived + whole / 2);
    };
    if (!worth(now.bytes, in.granted.bytes, in.arrived.bytes, window.bytes) &&
        !worth(now.messages, in.granted.messages, in.arrived.messages, window.messages))
      continue;
    in.granted = now;
    writer.begin(FrameType::credit);
    writer.u8(static_cast<std::uint8_t>(lane));
    writer.varint(now.bytes);
    writer.varint(now.messages);
    writer.end();
  }
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
  WireWriter writer(loose_);
  if (pong_) {
    writer.begin(FrameType::pong);
    writer.u64(*pong_);
    writer.end();
    pong_.reset();
  }
  if (now < ping_at_ && !ping_wanted_) return;
  if (now >= ping_at_) {
    ping_at_ = next_ping();
    control_.shed();
    normal_.shed();
  }
  ping_wanted_ = false;
  pinged_ = now;
  writer.begin(FrameType::ping);
  writer.u64(++token_);
  writer.end();
}

void Session::say_goodbye() {
  loose_.clear();
  WireWriter writer(loose_);
  writer.begin(FrameType::goodbye);
  writer.u8(static_cast<std::uint8_t>(closing_->reason));
  writer.text(std::string_view(closing_->sentence).substr(0, most_sentence));
  writer.end();
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
    if (!settles_.is_empty() && control_.kept() < most_settlements) settles_.write_to(control_);
    if (state_ == State::open) {
      say_pulse(now);
      say_credits();
    }
    const bool speaks =
        !loose_.empty() || control_.pending() > 0 || normal_.pending() > 0 || large_.is_pending();
    const bool is_time = is_asked || (speaks && is_worth_acknowledging(now));
    if (acknowledge_at_ && (is_time || now >= *acknowledge_at_))
      say_acknowledgements();
  }
  flying_loose_.swap(loose_);
  loose_.clear();
  if (!flying_loose_.empty()) parts_.emplace_back(flying_loose_);
  if (!closing_ && (state_ == State::open || state_ == State::starting)) {
    control_.gather(parts_, most_control);
    const std::size_t normal = normal_.gather(parts_, most_normal);
    large_.gather(parts_, normal > 0 ? max_chunk : most_large);
    if (mutated(Mutation::rewound_too_little)) normal_.acknowledge(normal_.given());
    if (mutated(Mutation::settlements_not_kept)) control_.acknowledge(control_.given());
  }
  if (parts_.empty()) return {};
  flying_ = true;
  flown_ = now;
  return parts_;
}

void Session::written(Time now) {
  assert(flying_);
  now_ = now;
  flying_ = false;
  flying_loose_.clear();
  large_.landed();
  trim();
  tell_credits();
}

void Session::trim() {
  control_.trim();
  normal_.trim();
  large_.trim();
}

}  // namespace coracle::net
