#include "realizations/net/src/link/links_home.hpp"
#include "realizations/net/src/seeded_random.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace coracle::net {

namespace {

constexpr unsigned most_at_once = 16;  // writes; then others get their turn

}  // namespace

LinkState::LinkState(Links::Home& home, std::string node, std::uint64_t number, SessionEvents& user)
    : home_(home),
      node_(std::move(node)),
      session_(home.options.session, home.self.epoch, number, user, home.clock.now()),
      alarm_(home.alarms.make([this] { ring(); })),
      redial_(home.alarms.make([this] {
        pausing_ = false;
        start_dial();
      })) {}

LinkState::~LinkState() { retire(); }

void LinkState::retire() {
  if (std::exchange(retired_, true)) return;
  wanted_ = false;
  stop_dialling();
  alarm_->set(Time::max());
  if (!carrier_) return;
  carrier_->end(true);
  carrier_->forget_link();
  carrier_.reset();
}

void LinkState::set_endpoints(std::span<const Endpoint> endpoints) {
  endpoints_.assign(endpoints.begin(), endpoints.end());
}

// ── getting a connection ────────────────────────────────────────────────────────────────────────

void LinkState::dial() {
  if (retired_) return;
  const Time now = home_.clock.now();
  session_.wake(now);
  wanted_ = true;
  start_dial();
  schedule(now);
}

void LinkState::dial_anew() {
  if (retired_ || carrier_ || dialling_) return;
  stop_dialling();
  failures_ = 0;
  dial();
}

void LinkState::start_dial() {
  if (retired_ || !wanted_ || carrier_ || dialling_ || attempt_ || pausing_ || endpoints_.empty())
    return;
  attempt_ = home_.network.connect(endpoints_, home_.options.connect, *this);
}

void LinkState::on_connect(Result<std::unique_ptr<Connection>> outcome) {
  attempt_.reset();
  if (!outcome) {
    const bool is_refused = outcome.error().errc() == Errc::not_permitted;
    return dial_failed(
        {is_refused ? Reason::not_permitted : Reason::broken, outcome.error().sentence()});
  }
  dialling_ = std::make_shared<Carrier>(home_, std::move(outcome).value(), this);
  dialling_->begin();
}

void LinkState::stop_dialling() {
  pausing_ = false;
  redial_->set(Time::max());
  attempt_.reset();
  if (!dialling_) return;
  dialling_->forget_link();
  dialling_->end(false);
  dialling_.reset();
}

void LinkState::dial_failed(const Closing& why) {
  dialling_.reset();
  if (why.reason != Reason::crossed) {
    ++failures_;
    const std::string where = endpoints_.empty() ? std::string() : endpoints_.front().text();
    home_.fault(node_.empty() ? where : node_, why, this);
  }
  pause_before_dial();
}

// Full jitter, so that many nodes do not come back all at once.
void LinkState::pause_before_dial() {
  if (retired_ || !wanted_ || carrier_) return;
  const auto& options = home_.options;
  Duration bound = options.least_pause;
  for (unsigned i = 1; i < failures_ && bound < options.most_pause; ++i) bound *= 2;
  bound = std::min(bound, options.most_pause);
  pausing_ = true;
  redial_->set(home_.clock.now() + between(home_.random, options.least_pause / 10, bound));
}

// ── a connection ────────────────────────────────────────────────────────────────────────────────

void LinkState::take_over(CarrierPtr carrier) {
  const Time now = home_.clock.now();
  accepted_ = carrier->handshake().side() == Session::Side::accepted;
  const auto side = carrier->handshake().side();
  const Greeting greeting = *carrier->handshake().done();
  if (dialling_ == carrier) dialling_.reset();
  stop_dialling();
  inside_ = true;
  if (carrier_) end_carrier({Reason::crossed, "another connection takes its place"}, false);
  carrier_ = carrier;
  wanted_ = true;
  leaving_ = false;
  session_.attach(side, greeting, now);
  inside_ = false;
  if (retired_ || carrier_ != carrier) return;
  carrier->carry(*this);
  if (carrier_ == carrier) flush();
}

std::size_t LinkState::received(std::span<const std::byte> bytes) {
  const bool was_open = session_.is_open();
  const Time now = home_.clock.now();
  inside_ = true;
  const std::size_t used = session_.received(bytes, now);
  inside_ = false;
  if (retired_) return used;
  if (!was_open && session_.is_open() && !faulty_) failures_ = 0;
  if (const auto farewell = session_.farewell()) {
    end_carrier(*farewell, true);
    if (retired_) return used;
    if (farewell->reason == Reason::leaving) {
      give_up(*farewell);
    } else if (farewell->reason == Reason::idle) {
      wanted_ = session_.has_unacknowledged();
    } else {
      if (farewell->reason != Reason::crossed) home_.fault(node_, *farewell, this);
      faulty_ = true;
      ++failures_;
    }
    pause_before_dial();
  }
  // The user replies in this turn, and flushes at its end: one write for both.
  if (!carrier_ || session_.is_urgent()) {
    flush();
  } else {
    schedule(now);
  }
  return used;
}

void LinkState::flush() {
  if (retired_ || inside_) return;
  if (!carrier_) {
    if (leaving_) return give_up({Reason::leaving, "this node left"});
    if (session_.has_unacknowledged() && !wanted_) dial();
    return schedule(home_.clock.now());
  }
  if (leaving_) session_.close(Reason::leaving, "the node stops");
  const Time now = home_.clock.now();
  for (unsigned writes = 0; carrier_->is_free() && !session_.is_writing(); ++writes) {
    const bool closing = session_.closing().has_value();
    const ByteSpans parts = session_.take(now);
    if (closing) carrier_->end_soon();
    if (!session_.is_writing() || !carrier_->write(parts, writes < most_at_once)) break;
    on_bytes_written(now);
    if (retired_) return;
    if (!carrier_) return flush();
  }
  react();
  schedule(now);
}

// Does what a closing session needs although a write does not come to an end.
void LinkState::react() {
  const auto& closing = session_.closing();
  if (!closing || !carrier_) return;
  if (closing->reason == Reason::stalled || closing->reason == Reason::silent) {
    const Closing why = *closing;
    home_.fault(node_, why, this);
    end_carrier(why, false);
    if (!retired_) pause_before_dial();
  } else {
    carrier_->end_soon();
  }
}

void LinkState::written() {
  on_bytes_written(home_.clock.now());
  if (!retired_) flush();
}

// The bytes that the session gave have been written.
void LinkState::on_bytes_written(Time now) {
  inside_ = true;
  const bool over = session_.written(now);
  inside_ = false;
  if (retired_ || !over) return;
  const Closing why = *session_.closing();
  end_carrier(why, true);
  if (retired_) return;
  if (why.reason == Reason::leaving) return give_up(why);
  if (why.reason == Reason::idle) {
    wanted_ = false;
  } else {
    home_.fault(node_, why, this);
    faulty_ = true;
    ++failures_;
    pause_before_dial();
  }
}

void LinkState::lost(const Closing& why) {
  faulty_ = false;
  if (!session_.is_open()) ++failures_;
  end_carrier(why, false);
  if (retired_) return;
  pause_before_dial();
  flush();
}

void LinkState::end_carrier(const Closing& why, bool in_order) {
  if (const CarrierPtr carrier = std::exchange(carrier_, nullptr)) {
    carrier->forget_link();
    carrier->end(in_order);
  }
  const bool was_inside = std::exchange(inside_, true);
  session_.detach(why, home_.clock.now());
  inside_ = was_inside;
}

void LinkState::leave() {
  leaving_ = true;
  flush();
}

void LinkState::give_up(const Closing& why) {
  leaving_ = wanted_ = false;
  stop_dialling();
  const bool was_inside = std::exchange(inside_, true);
  session_.give_up(why, home_.next_number++);
  inside_ = was_inside;
  if (!retired_) schedule(home_.clock.now());
}

// ── time ────────────────────────────────────────────────────────────────────────────────────────

void LinkState::schedule(Time now) {
  Time next = session_.next_time();
  if (may_rest()) {
    const Duration pause = std::min(home_.options.idle, home_.options.session.heartbeat);
    next = std::min(next, std::max(session_.last_activity() + home_.options.idle, now + pause));
  }
  // An action that is due but could not be done waits for a write to end.
  next = std::max(next, now + std::chrono::milliseconds(1));
  // An alarm that rings too early costs less than one that is set again and again.
  if (next >= armed_) return;
  armed_ = next;
  alarm_->set(next);
}

void LinkState::ring() {
  armed_ = Time::max();
  const Time now = home_.clock.now();
  inside_ = true;
  session_.on_time(now);
  inside_ = false;
  if (retired_) return;
  look_after_idleness(now);
  if (now >= session_.gone_at()) {
    const Closing why{Reason::silent, "nothing was received from it for too long"};
    if (carrier_) end_carrier(why, false);
    if (retired_) return;
    home_.fault(node_, why, this);
    give_up(why);
    if (retired_) return;
  }
  flush();
}

// Returns whether it is our part to close a connection that nobody needs.
bool LinkState::may_rest() const {
  return carrier_ && !accepted_ && !kept_ && home_.options.idle != Duration::max();
}

void LinkState::look_after_idleness(Time now) {
  if (!may_rest() || !session_.is_open()) return;
  if (session_.is_quiet() && now - session_.last_activity() >= home_.options.idle)
    session_.close(Reason::idle, "the link is idle");
}

}  // namespace coracle::net
