#include "realizations/net/src/session/heartbeats.hpp"

#include <algorithm>

namespace coracle::net {

namespace {

PulseOptions pulse_of(const SessionOptions& options) {
  return {options.heartbeat, options.threshold, options.least_deviation, options.acceptable_pause};
}

}  // namespace

Heartbeats::Heartbeats(const SessionOptions& options, Time now)
    : interval_(options.heartbeat), pulse_(pulse_of(options), now), next_(now) {}

void Heartbeats::begin(Time now) {
  pulse_.begin(now);
  next_ = now;
}

void Heartbeats::detach() {
  is_wanted_ = false;
  pinged_.reset();
  pong_.reset();
}

bool Heartbeats::suspect(Time now) {
  if (is_suspected_ || now < pulse_.suspicious_at()) return false;
  is_suspected_ = true;
  return true;
}

bool Heartbeats::take_ping(ByteSpan body, bool we_dialled, Time now, ConnectionEnd& end) {
  FrameReader reader(body);
  const std::uint64_t token = reader.word();
  if (!reader.done()) return end.fail(Reason::malformed, "a ping that cannot be understood");
  pong_ = token;
  pulse_.beat(now);
  // The dialling side pings only when the other side does not.
  if (we_dialled) next_ = now + 2 * interval_;
  return true;
}

bool Heartbeats::take_pong(ByteSpan body, bool we_dialled, Time now, ConnectionEnd& end) {
  FrameReader reader(body);
  const std::uint64_t token = reader.word();
  if (!reader.done()) return end.fail(Reason::malformed, "a pong that cannot be understood");
  if (token != token_ || !pinged_) return true;
  round_trip_ = now - *std::exchange(pinged_, std::nullopt);
  if (!we_dialled) pulse_.beat(now);
  return true;
}

// All links of a node ping at the same moments, so that it is woken for many of them at once. A
// link that carries no messages pings less often.
Time Heartbeats::after(Time now, Time activity) const {
  const bool is_quiet = now - activity > 4 * interval_;
  const Duration step = std::max(interval_ / 2, Duration(1));
  const Time due = now + interval_ + (is_quiet ? step : Duration::zero());
  return due - due.time_since_epoch() % step;
}

bool Heartbeats::write(std::vector<std::byte>& frames, Time activity, Time now) {
  if (pong_) {
    append_frame(frames, FrameType::pong, [this](FrameWriter& out) { out.word(*pong_); });
    pong_.reset();
  }
  const bool is_due = now >= next_;
  if (!is_due && !is_wanted_) return false;
  if (is_due) next_ = after(now, activity);
  is_wanted_ = false;
  pinged_ = now;
  append_frame(frames, FrameType::ping, [this](FrameWriter& out) { out.word(++token_); });
  return is_due;
}

}  // namespace coracle::net
