// Checks the copies of eavesdroppers: every message that fits, once, in order, or a gap of the
// right size.
#include "model_facts.hpp"

#include <algorithm>

namespace coracle::conformance {

namespace {

// One tap of one incarnation.
struct Tap {
  std::uint64_t id = 0;
  Hearing hearing;
  Place opening, opened;
  std::optional<Place> closing;
};

bool fits(const Facts& facts, const Hearing& hearing, MessageId id, const Sent& message) {
  if (hearing.last_digit >= 0 && static_cast<int>(id % 10) != hearing.last_digit) return false;
  if (!hearing.source.empty() && hearing.source != facts.trace.logs[message.at.life].agent)
    return false;
  return hearing.target.empty() || std::ranges::count(message.event->targets, hearing.target) != 0;
}

// Returns whether `target` certainly accepted the message, provided that the send as a whole was
// accepted: the message did not end while it waited for room.
bool was_accepted_by(const Sent& message, const std::string& target) {
  const auto end = message.ended.find(target);
  return end == message.ended.end() ||
         (end->second != Outcome::refused && end->second != Outcome::expired);
}

// Returns whether the tap overhears `message` once it is accepted. A message to several targets has
// one copy for each tap. The receipt names the members of a group.
bool is_heard(const Hearing& hearing, const Sent& message) {
  const auto was_accepted = [&](const std::string& target) {
    return was_accepted_by(message, target);
  };
  if (message.event->to_group) return std::ranges::any_of(message.members, was_accepted);
  if (hearing.target.empty()) return std::ranges::any_of(message.event->targets, was_accepted);
  return was_accepted(hearing.target);
}

class Judgement {
 public:
  Judgement(Facts& facts, std::size_t life, Tap tap)
      : facts_(facts), life_(life), tap_(std::move(tap)), name_(facts.trace.logs[life].agent) {}

  void judge() {
    const auto& events = facts_.trace.logs[life_].events;
    bool drained = false;
    for (std::size_t line = 0; line < events.size(); ++line) {
      const Event& event = events[line];
      if (event.kind == Event::Kind::drained) drained = true;
      if (event.tap != tap_.id) continue;
      if (event.kind == Event::Kind::heard) on_heard(event);
      if (event.kind == Event::Kind::gap) on_gap(event, {life_, line});
    }
    // Copies that still waited when the eavesdropper ended are no breach.
    if (drained && facts_.trace.logs[life_].end == End::stopped) judge_completeness();
  }

 private:
  // A gap of unknown size may include copies that were missed earlier and are counted.
  void on_gap(const Event& event, Place at) {
    if (event.count == MessageView::unknown_gap) unknown_gaps_.push_back(at);
    else missed_ += event.count, ++gaps_;
  }

  void on_heard(const Event& event) {
    const auto found = facts_.sent.find(event.id);
    if (found == facts_.sent.end())
      return facts_.breach(7, name_ + " overheard " + shown(facts_, event.id));
    const Sent& message = found->second;
    if (message.event->is_large && !facts_.trace.logs[life_].takes_large)
      facts_.breach(
          10, name_ + " overheard " + shown(facts_, event.id) + ", which its node does not take");
    if (event.redelivered)
      facts_.breach(7, name_ + " overheard the redelivery of " + shown(facts_, event.id));
    if (!fits(facts_, tap_.hearing, event.id, message))
      facts_.breach(7, name_ + " overheard " + shown(facts_, event.id) + ", which does not fit");
    if (message.failed != Errc{} && message.event->targets.size() == 1)
      facts_.breach(7, name_ + " overheard " + shown(facts_, event.id) + ", whose send had failed");
    if (facts_.before(message.at, tap_.opening) && message.returned &&
        facts_.before({message.at.life, *message.returned}, tap_.opening))
      facts_.breach(7, name_ + " overheard " + shown(facts_, event.id) + " before it listened");
    if (++heard_[event.id] > 1)
      facts_.breach(7, name_ + " overheard " + shown(facts_, event.id) + " twice");
    judge_order(event, message);
  }

  // A read that wanted this copy, too, should not have returned a later copy of the same sender.
  void judge_order(const Event& event, const Sent& message) {
    const std::string& sender = facts_.trace.logs[message.at.life].agent;
    auto& earlier = read_[message.at.life];
    for (const auto& [wanted, other] : earlier) {
      if (!facts_.sent_before(message, *other) || !facts_.fits(wanted, *message.event, sender))
        continue;
      facts_.breach(7, name_ + " overheard " + shown(facts_, event.id) +
                           " after a later one of the same sender");
      break;
    }
    earlier.emplace_back(event.wanted, &message);
  }

  // Counts the copies that the tap must have overheard, and those that it may have overheard.
  void judge_completeness() {
    std::uint64_t least = 0, most = 0, copies = 0;
    MessageId example = 0;
    std::vector<const Sent*> missing;
    for (const auto& [id, message] : facts_.sent) {
      if (!fits(facts_, tap_.hearing, id, message) || message.failed != Errc{}) continue;
      const auto heard = heard_.find(id);
      copies += heard == heard_.end() ? 0 : heard->second;
      ++most;
      if (!must_be_heard(message) || !is_heard(tap_.hearing, message)) continue;
      ++least;
      if (heard == heard_.end()) missing.push_back(&message), example = id;
    }
    // A tap misses copies only when it is full of copies and gaps. A node that has learnt the tap
    // late, or will only learn it, has not sent copies of what was sent first.
    const bool may_be_full = !unknown_gaps_.empty() &&
                             heard_.size() + gaps_ + unknown_gaps_.size() >= tap_.hearing.limit;
    const bool may_be_late =
        !facts_.trace.taps_are_in_time &&
        (!unknown_gaps_.empty() || !facts_.trace.is_settled) && late_ones(missing) <= missed_;
    if (copies + missed_ < least && !may_be_full && !may_be_late)
      facts_.breach(7, name_ + " should have overheard " + std::to_string(least) + ", heard " +
                           std::to_string(copies) + " and was told of " + std::to_string(missed_) +
                           " missing ones; not heard: " + shown(facts_, example));
    if (missed_ != 0 && copies + missed_ > most)
      facts_.breach(7, name_ + " heard " + std::to_string(copies) + " and was told of " +
                           std::to_string(missed_) + " missing ones, but only " +
                           std::to_string(most) + " were sent");
  }

  // Returns how many of these messages were sent after the last gap of unknown size was read, or
  // after a message of the same sender that was heard. These copies are missed only because the tap
  // was full, and were counted.
  std::uint64_t late_ones(const std::vector<const Sent*>& missing) const {
    const auto count = std::ranges::count_if(missing, [this](const Sent* one) {
      return (!unknown_gaps_.empty() && facts_.before(unknown_gaps_.back(), one->at)) ||
             std::ranges::any_of(heard_, [this, one](const auto& heard) {
               return facts_.sent_before(facts_.sent.at(heard.first), *one);
             });
    });
    return static_cast<std::uint64_t>(count);
  }

  bool must_be_heard(const Sent& message) const {
    if (!message.accepted || !facts_.before(tap_.opened, message.at)) return false;
    if (facts_.trace.logs[message.at.life].node_lost) return false;  // its copies may be lost
    if (!tap_.closing) return !may_be_last(message);
    return message.returned && facts_.before({message.at.life, *message.returned}, *tap_.closing);
  }

  // Returns whether the message may have been sent when the eavesdropper had already read the rest:
  // the nodes stop after the driver has ended, and some players may still send then.
  bool may_be_last(const Sent& message) const {
    const auto& logs = facts_.trace.logs;
    const auto lives = facts_.lives_of("driver");
    if (lives.empty() || logs[lives.front()].events.empty()) return false;
    const std::size_t life = lives.front();
    if (life == message.at.life || logs[message.at.life].end != End::stopped) return false;
    const Place end{life, logs[life].events.size() - 1};
    return !message.returned || !facts_.before({message.at.life, *message.returned}, end);
  }

  Facts& facts_;
  const std::size_t life_;
  const Tap tap_;
  const std::string& name_;
  std::map<MessageId, std::uint64_t> heard_;
  std::map<std::size_t, std::vector<std::pair<Wanted, const Sent*>>> read_;  // by incarnation
  std::uint64_t missed_ = 0, gaps_ = 0;
  std::vector<Place> unknown_gaps_;
};

std::vector<Tap> taps_of(const Log& log, std::size_t life) {
  std::vector<Tap> taps;
  Place opening;
  for (std::size_t line = 0; line < log.events.size(); ++line) {
    const Event& event = log.events[line];
    if (event.kind == Event::Kind::tap_opening) opening = {life, line};
    if (event.kind == Event::Kind::tap_opened)
      taps.push_back({event.tap, event.hearing, opening, {life, line}, {}});
    if (event.kind == Event::Kind::tap_closing)
      for (Tap& tap : taps)
        if (tap.id == event.tap) tap.closing = Place{life, line};
  }
  return taps;
}

}  // namespace

void judge_taps(Facts& facts) {
  for (std::size_t life = 0; life < facts.trace.logs.size(); ++life)
    for (Tap& tap : taps_of(facts.trace.logs[life], life))
      Judgement(facts, life, std::move(tap)).judge();
}

}  // namespace coracle::conformance
