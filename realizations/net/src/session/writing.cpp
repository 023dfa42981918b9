// The part of a session that writes frames.
#include "realizations/net/src/session.hpp"

#include <cassert>

namespace coracle::net {

ByteSpans Session::take(Time now) {
  if (is_writing() || state_ == State::detached || end_.is_goodbye_written()) return {};
  now_ = now;
  const bool is_closing = closing().has_value();
  const bool has_messages = !is_closing && (is_open() || state_ == State::starting);
  auto& frames = write_.frames();
  if (is_closing) end_.write_goodbye(frames);
  if (has_messages) {
    const bool is_asked = heartbeats_.owes_pong();
    if (is_open()) {
      if (heartbeats_.must_write(now) && heartbeats_.write(frames, last_activity(), now))
        sending_.shed();
      if (!sending_.is_congested()) receiving_.write_credit(frames);
    }
    const bool has_others = !frames.empty() || sending_.has_pending();
    if (receiving_.must_acknowledge(now, is_asked, has_others))
      receiving_.write_acknowledgement(frames, now);
  }
  auto& parts = write_.collect();
  if (has_messages) sending_.gather(parts);
  const bool may_clear = is_open() && !is_closing && sending_.wants_clear() && !write_.is_clear();
  if (parts.empty() && !may_clear) return {};
  return write_.begin(now);
}

bool Session::written(Time now) {
  assert(is_writing());
  now_ = now;
  write_.finish();
  sending_.trim();
  notify_credit();
  return end_.is_goodbye_written();
}

}  // namespace coracle::net
