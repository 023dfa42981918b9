#include "realizations/net/src/session.hpp"

#include "coracle/support/mutations.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace coracle::net {

namespace {

constexpr std::uint64_t most_largest = 1u << 20;
constexpr std::size_t most_past = 8;
constexpr std::size_t most_waiting_there = 128u << 10;  // bytes

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

PulseOptions pulse_of(const SessionOptions& options) {
  return {options.heartbeat, options.threshold, options.least_deviation, options.acceptable_pause};
}

}  // namespace

Session::Session(const SessionOptions& options, Epoch epoch, std::uint64_t number,
                 SessionEvents& events, Time now)
    : options_((check(options), options)),
      epoch_(epoch),
      number_(number),
      events_(events),
      now_(now),
      pulse_(pulse_of(options), now),
      ping_at_(now),
      activity_(now) {
  begin_life();
}

void Session::begin_life() {
  ++life_;
  out_ = {};
  in_ = {};
  in_.granted = options_.window;
  outbox_ = {};
  confirmed_ = opened_ = false;
}

// ── for its user ────────────────────────────────────────────────────────────────────────────────

bool Session::has_credit() const {
  return out_.sent.bytes < out_.granted.bytes && out_.sent.messages < out_.granted.messages &&
         outbox_.kept() < options_.kept;
}

Seq Session::send(std::span<const std::byte> header, const Content& content) {
  if (!has_credit()) [[unlikely]] {
    out_.wanting = true;
    return 0;
  }
  const auto bytes = content.bytes();
  const std::uint64_t size = header.size() + bytes.size();
  if (size > out_.largest) [[unlikely]]
    throw Error(Errc::too_large, "a message of " + std::to_string(size) + " bytes is over the " +
                                     std::to_string(out_.largest) + " that " + peer_->node +
                                     " accepts; split it or raise the limit there");
  out_.sent.bytes += size;
  ++out_.sent.messages;
  activity_ = now_;
  return outbox_.append(header, bytes);
}

// No byte is long on its way to a peer on this host: what it has not acknowledged waits there.
bool Session::is_way_clear() const {
  return !flying_ && is_clear_ && outbox_.pending() == 0 &&
         (!peer_->is_on_this_host || outbox_.kept() <= most_waiting_there);
}

bool Session::is_clear() {
  if (state_ != State::open || is_way_clear()) return true;
  out_.wanting_clear = true;
  return false;
}

std::byte* Session::send_growing(Growing& growing, std::span<const std::byte> header,
                                 std::size_t bytes) {
  if (!has_credit() || header.size() + bytes > out_.largest) return nullptr;
  std::byte* const at = outbox_.append_room(header, bytes);
  growing = {life_, outbox_.last()};
  out_.sent.bytes += header.size() + bytes;
  ++out_.sent.messages;
  activity_ = now_;
  return at;
}

void Session::release(std::size_t bytes, std::size_t messages) {
  in_.released.bytes += bytes;
  in_.released.messages += messages;
  assert(in_.released.bytes <= in_.arrived.bytes && in_.released.messages <= in_.arrived.messages);
}

void Session::ping() { ping_wanted_ = true; }

void Session::hurry() {
  if (has_to_say() && !pinged_) ping();
}

std::size_t Session::memory() const {
  return outbox_.memory() + loose_.capacity() + flying_loose_.capacity();
}

// ── for its driver ──────────────────────────────────────────────────────────────────────────────

Session::Verdict Session::judge(const Greeting& greeting) const {
  if (std::find(past_.begin(), past_.end(), greeting.epoch) != past_.end()) return Verdict::stale;
  if (!peer_) return Verdict::first;
  const Greeting& known = *peer_;
  if (greeting.epoch == known.epoch) {
    if (greeting.number == known.number) return Verdict::resumes;
    return greeting.number > known.number ? Verdict::restarts : Verdict::stale;
  }
  const bool both_count = greeting.epoch.counter != 0 && known.epoch.counter != 0;
  if (both_count && greeting.epoch.counter < known.epoch.counter) return Verdict::stale;
  return mutated(Mutation::restart_not_noticed) ? Verdict::resumes : Verdict::restarts;
}

void Session::attach(Side side, const Greeting& greeting, Time now) {
  assert(state_ == State::detached && !closing_);
  const Verdict verdict = judge(greeting);
  assert(verdict != Verdict::stale);
  now_ = now;
  side_ = side;
  state_ = State::resuming;
  attached_ = ping_at_ = now;
  resting_ = given_up_ = said_goodbye_ = false;
  farewell_.reset();
  bool is_new_life = false;
  if (verdict == Verdict::restarts) {
    if (peer_->epoch != greeting.epoch) {
      if (past_.size() == most_past) past_.erase(past_.begin());
      past_.push_back(peer_->epoch);
    }
    // Nothing was sent to a peer that never got as far as RESUME.
    if (confirmed_) {
      begin_life();
      is_new_life = restarted_ = true;
    }
  }
  peer_ = greeting;
  out_.largest = std::min(greeting.largest, most_largest);
  pulse_.begin(now);
  if (side == Side::dialled) say_resume();
  if (is_new_life) events_.on_restarted();
}

void Session::detach(const Closing& why, Time now) {
  if (state_ == State::detached) return;
  now_ = now;
  const bool was_open = state_ == State::open;
  state_ = State::detached;
  detached_ = now;
  resting_ = why.reason == Reason::idle;
  flying_ = ping_wanted_ = false;
  loose_.clear();
  flying_loose_.clear();
  pinged_.reset();
  pong_.reset();
  acknowledge_at_.reset();
  acknowledged_at_.reset();
  closing_.reset();
  outbox_.trim();
  if (was_open) events_.on_lost(why);
}

bool Session::fail(Reason reason, std::string_view what) {
  close(reason, std::string(what));
  return false;
}

void Session::close(Reason reason, std::string sentence) {
  if (state_ != State::detached && !closing_) closing_ = Closing{reason, std::move(sentence)};
}

void Session::heard(Time now) {
  pulse_.heard(now);
  if (!std::exchange(suspected_, false)) return;
  events_.on_trusted();
}

Time Session::next_time() const {
  Time next = Time::max();
  const auto at = [&next](Time when) { next = std::min(next, when); };
  if (!resting_) {
    if (!suspected_) at(pulse_.suspicious_at());
    at(gone_at());
  }
  if (state_ == State::detached || closing_) return next;
  if (state_ != State::open) at(attached_ + options_.resume);
  if (flying_) at(flown_ + options_.stall);
  if (state_ == State::open && !flying_) {
    at(ping_at_);
    if (acknowledge_at_) at(*acknowledge_at_);
  }
  return next;
}

void Session::on_time(Time now) {
  // If on_time() came late, bytes that arrived meanwhile were not read either, so that time is
  // forgiven.
  if (const Time due = next_time(); now > due && now - due > options_.heartbeat)
    pulse_.forgive(now - due);
  now_ = now;
  if (state_ != State::detached) {
    if (state_ != State::open && now >= attached_ + options_.resume)
      close(Reason::too_slow, "the session was not resumed in time");
    if (flying_ && now >= flown_ + options_.stall)
      close(Reason::stalled, "the peer reads no bytes any more");
  }
  if (!suspected_ && !resting_ && now >= pulse_.suspicious_at()) {
    suspected_ = true;
    close(Reason::silent, "nothing was received for too long");
    events_.on_suspected();
  }
}

Time Session::gone_at() const {
  if (resting_ || given_up_) return Time::max();
  const auto later = [](Time when, Duration span) {
    return span > Time::max() - when ? Time::max() : when + span;
  };
  const Time gone = later(pulse_.last_heard(), options_.give_up);
  if (state_ != State::detached) return gone;
  return std::min(gone, later(detached_, options_.give_up_detached));
}

void Session::wake(Time now) {
  now_ = now;
  if (!resting_ && !given_up_) return;
  resting_ = given_up_ = suspected_ = false;
  pulse_.begin(now);
  detached_ = now;
}

void Session::give_up(const Closing& why, std::uint64_t next_number) {
  assert(state_ == State::detached && next_number > number_);
  number_ = next_number;
  peer_.reset();
  given_up_ = resting_ = true;
  suspected_ = restarted_ = false;
  begin_life();
  events_.on_gone(why);
}

bool Session::is_urgent() const {
  return closing_ || !loose_.empty() || pong_ || (acknowledge_at_ && *acknowledge_at_ <= now_);
}

bool Session::has_to_say() const { return outbox_.last() > outbox_.acknowledged(); }

}  // namespace coracle::net
