#include "realizations/net/src/session.hpp"

#include <algorithm>
#include <cassert>

namespace coracle::net {

namespace {

constexpr std::uint64_t most_largest = 1u << 20;

void check(const SessionOptions& options) {
  const auto refuse = [](const char* what) {
    throw Error(Errc::bad_options, std::string("a session's ") + what + "; choose another");
  };
  if (options.largest == 0 || options.largest > most_largest)
    refuse("largest message is 1 byte to 1 MiB");
  if (options.window.bytes == 0 || options.window.messages == 0) refuse("window is 0");
  if (options.kept == 0) refuse("limit is 0");
  for (const Duration span :
       {options.acknowledge, options.heartbeat, options.least_deviation, options.resume,
        options.stall, options.give_up, options.give_up_detached})
    if (span <= Duration::zero()) refuse("span of time is not positive");
  if (!(options.threshold >= 1 && options.threshold <= 100))
    refuse("threshold of suspicion is 1 to 100");
}

}  // namespace

Session::Session(const SessionOptions& options, Epoch epoch, std::uint64_t number,
                 SessionEvents& events, Time now)
    : options_((check(options), options)),
      epoch_(epoch),
      number_(number),
      events_(events),
      now_(now),
      sending_(options.kept, peer_, now),
      receiving_(options.window, options.acknowledge, now),
      heartbeats_(options, now) {}

// ── for its user ────────────────────────────────────────────────────────────────────────────────

Seq Session::send(std::span<const std::byte> header, const Content& content) {
  return sending_.send(header, content, now_);
}

std::byte* Session::send_growing(Growing& growing, std::span<const std::byte> header,
                                 std::size_t bytes) {
  return sending_.send_growing(growing, header, bytes, now_);
}

// ── for its driver ──────────────────────────────────────────────────────────────────────────────

void Session::attach(Side side, const Greeting& greeting, Time now) {
  assert(state_ == State::detached && !closing());
  now_ = now;
  side_ = side;
  state_ = State::resuming;
  attached_ = now;
  resting_ = given_up_ = false;
  const bool is_new_incarnation = peer_.accept(greeting);
  if (is_new_incarnation) {
    sending_.begin_incarnation();
    receiving_.begin_incarnation();
  }
  sending_.attach(std::min(greeting.largest, most_largest));
  heartbeats_.begin(now);
  if (side == Side::dialled) receiving_.write_resume(write_.frames(), greeting);
  if (is_new_incarnation) events_.on_restarted();
}

void Session::detach(const Closing& why, Time now) {
  if (state_ == State::detached) return;
  now_ = now;
  const bool was_open = state_ == State::open;
  state_ = State::detached;
  detached_ = now;
  resting_ = why.reason == Reason::idle;
  write_.detach();
  heartbeats_.detach();
  receiving_.detach();
  end_ = {};
  sending_.trim();
  if (was_open) events_.on_lost(why);
}

Time Session::next_time() const {
  Time next = Time::max();
  const auto at = [&next](Time when) { next = std::min(next, when); };
  if (!resting_) {
    at(heartbeats_.suspicious_at());
    at(gone_at());
  }
  if (state_ == State::detached || closing()) return next;
  if (state_ != State::open) at(attached_ + options_.resume);
  if (is_writing()) at(write_.began() + options_.stall);
  if (state_ == State::open && !is_writing()) {
    at(heartbeats_.next());
    if (receiving_.acknowledge_at()) at(*receiving_.acknowledge_at());
  }
  return next;
}

void Session::on_time(Time now) {
  // If on_time() came late, bytes that arrived meanwhile were not read either, so that time is
  // forgiven.
  if (const Time due = next_time(); now > due && now - due > options_.heartbeat)
    heartbeats_.forgive(now - due);
  now_ = now;
  if (state_ != State::detached) {
    if (state_ != State::open && now >= attached_ + options_.resume)
      close(Reason::too_slow, "the session was not resumed in time");
    if (is_writing() && now >= write_.began() + options_.stall)
      close(Reason::stalled, "the peer reads no bytes any more");
  }
  if (!resting_ && heartbeats_.suspect(now)) {
    close(Reason::silent, "nothing was received for too long");
    events_.on_suspected();
  }
}

Time Session::gone_at() const {
  if (resting_ || given_up_) return Time::max();
  const auto later = [](Time when, Duration span) {
    return span > Time::max() - when ? Time::max() : when + span;
  };
  const Time gone = later(heartbeats_.last_received(), options_.give_up);
  if (state_ != State::detached) return gone;
  return std::min(gone, later(detached_, options_.give_up_detached));
}

void Session::wake(Time now) {
  now_ = now;
  if (!resting_ && !given_up_) return;
  resting_ = given_up_ = false;
  heartbeats_.trust();
  heartbeats_.begin(now);
  detached_ = now;
}

void Session::give_up(const Closing& why, std::uint64_t next_number) {
  assert(state_ == State::detached && next_number > number_);
  number_ = next_number;
  given_up_ = resting_ = true;
  peer_.forget();
  heartbeats_.trust();
  sending_.begin_incarnation();
  receiving_.begin_incarnation();
  events_.on_gone(why);
}

bool Session::is_urgent() const {
  const auto& acknowledge_at = receiving_.acknowledge_at();
  return closing() || !write_.frames().empty() || heartbeats_.owes_pong() ||
         (acknowledge_at && *acknowledge_at <= now_);
}

}  // namespace coracle::net
