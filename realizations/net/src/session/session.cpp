#include "realizations/net/src/session.hpp"

#include "coracle/support/mutations.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace coracle::net {

namespace {

constexpr std::uint64_t most_small = 1u << 20;
constexpr std::uint64_t most_large = (std::uint64_t{1} << 30) + most_header;
constexpr std::size_t most_past = 8;

void check(const SessionOptions& options) {
  const auto refuse = [](const char* what) {
    throw Error(Errc::bad_options, std::string("a session's ") + what + "; choose another");
  };
  for (const Lane lane : all_lanes) {
    const std::uint64_t most = lane == Lane::large ? most_large : most_small;
    if (options.largest[lane] == 0 || options.largest[lane] > most)
      refuse("largest message is 1 byte to 1 MiB, on the large lane to 1 GiB and 64 KiB");
    if (options.window[lane].bytes == 0 || options.window[lane].messages == 0)
      refuse("window is 0");
    if (options.kept[lane] == 0 || options.unsettled[lane] == 0) refuse("limit is 0");
  }
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
      largest_frame_(frame_header_bytes + 16 +
                     std::max({static_cast<std::uint64_t>(max_chunk),
                               options.largest[Lane::control], options.largest[Lane::normal]})),
      now_(now),
      pulse_(pulse_of(options), now),
      ping_at_(now),
      activity_(now) {
  begin_life();
}

void Session::begin_life() {
  out_ = {};
  in_ = {};
  for (const Lane lane : all_lanes) in_[lane].granted = options_.window[lane];
  control_ = {};
  normal_ = {};
  large_ = {};
  if (!mutated(Mutation::chunk_kept_over_lives)) inbox_.clear();
  settles_.clear();
  confirmed_ = opened_ = false;
}

Unsettled Session::end_life() {
  Unsettled result;
  for (const Lane lane : {Lane::normal, Lane::large})
    result.ranges[lane] = out_[lane].unsettled.ranges();
  result.unsent[Lane::control] = control_.given() + 1;
  result.unsent[Lane::normal] = normal_.given() + 1;
  result.unsent[Lane::large] = large_.given() + 1;
  if (mutated(Mutation::unsettled_not_listed))
    std::erase_if(result.ranges[Lane::normal],
                  [this](auto r) { return r.first > normal_.acknowledged(); });
  ++life_;
  begin_life();
  return result;
}

// ── for its user ────────────────────────────────────────────────────────────────────────────────

bool Session::fits(const Out& out, Lane lane) const {
  if (out.sent.bytes >= out.granted.bytes || out.sent.messages >= out.granted.messages)
    return false;
  const std::size_t kept = lane == Lane::normal    ? normal_.kept()
                           : lane == Lane::control ? control_.kept()
                                                   : large_.bytes();
  return kept < options_.kept[lane] && out.unsettled.count() < options_.unsettled[lane];
}

bool Session::can_send(Lane lane, std::size_t bytes) {
  Out& out = out_[lane];
  if (fits(out, lane)) return bytes <= out.largest;
  out.wanting = true;
  return false;
}

Seq Session::send(Lane lane, std::span<const std::byte> header, const Content& content) {
  Out& out = out_[lane];
  if (!fits(out, lane)) [[unlikely]] {
    out.wanting = true;
    return 0;
  }
  const auto bytes = content.bytes();
  const std::uint64_t size = header.size() + bytes.size();
  if (size > out.largest || (lane == Lane::large && header.size() > most_header)) [[unlikely]]
    throw Error(Errc::too_large, "a message of " + std::to_string(size) + " bytes is over the " +
                                     std::to_string(out.largest) + " that " + peer_->node +
                                     " accepts on its " + to_string(lane) +
                                     " lane; split it or raise the limit there");
  out.sent.bytes += size;
  ++out.sent.messages;
  activity_ = now_;
  Seq seq = 0;
  switch (lane) {
    case Lane::control:
      return control_.append(FrameType::control, header, bytes);
    case Lane::normal:
      seq = normal_.append(FrameType::message, header, bytes);
      break;
    case Lane::large:
      seq = large_.append(header, content);
      break;
  }
  out.unsettled.add(seq);
  return seq;
}

std::byte* Session::send_growing(Growing& growing, std::span<const std::byte> header,
                                 std::size_t bytes) {
  Out& out = out_[Lane::control];
  if (!fits(out, Lane::control) || header.size() + bytes > out.largest) return nullptr;
  std::byte* const at = control_.append_room(FrameType::control, header, bytes);
  growing = {life_, control_.last()};
  out.sent.bytes += header.size() + bytes;
  ++out.sent.messages;
  activity_ = now_;
  return at;
}

void Session::settle(std::uint32_t life, Lane lane, Seq seq, Settlement settlement,
                     std::string_view detail) {
  if (life != life_) return;
  assert(lane != Lane::control && seq > 0 && seq <= in_[lane].watermark);
  settles_.add(lane, seq, settlement, detail.substr(0, max_detail));
  activity_ = now_;
}

void Session::release(std::uint32_t life, Lane lane, std::size_t bytes, std::size_t messages) {
  if (life != life_) return;
  In& in = in_[lane];
  in.released.bytes += bytes;
  in.released.messages += messages;
  assert(in.released.bytes <= in.arrived.bytes && in.released.messages <= in.arrived.messages);
}

void Session::ping() { ping_wanted_ = true; }

void Session::hurry() {
  if (has_to_say() && !pinged_) ping();
}

std::size_t Session::memory() const {
  return control_.memory() + normal_.memory() + large_.bytes() + inbox_.bytes() + settles_.bytes() +
         out_[Lane::normal].unsettled.bytes() + out_[Lane::large].unsettled.bytes() +
         loose_.capacity() + flying_loose_.capacity();
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
  std::optional<Unsettled> unsettled;
  if (verdict == Verdict::restarts) {
    if (peer_->epoch != greeting.epoch) {
      if (past_.size() == most_past) past_.erase(past_.begin());
      past_.push_back(peer_->epoch);
    }
    // Nothing was sent to a peer that never got as far as RESUME.
    if (confirmed_) {
      unsettled = end_life();
      restarted_ = true;
    }
  }
  peer_ = greeting;
  for (const Lane lane : all_lanes)
    out_[lane].largest =
        std::min(greeting.largest[lane], lane == Lane::large ? most_large : most_small);
  pulse_.begin(now);
  if (side == Side::dialled) say_resume();
  if (unsettled) events_.on_restarted(*unsettled);
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
  large_.landed();
  trim();
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
  const Unsettled unsettled = end_life();
  events_.on_gone(why, unsettled);
}

bool Session::is_urgent() const {
  return closing_ || !loose_.empty() || pong_ || (acknowledge_at_ && *acknowledge_at_ <= now_);
}

bool Session::has_to_say() const {
  return control_.last() > control_.acknowledged() || normal_.last() > normal_.acknowledged() ||
         large_.last() > large_.acknowledged() || !settles_.is_empty();
}

bool Session::is_quiet() const {
  return !has_to_say() && !owes_acknowledgement() && unsettled(Lane::normal) == 0 &&
         unsettled(Lane::large) == 0;
}

}  // namespace coracle::net
