// What eavesdroppers heard: every message that fits, once, in order, or a gap of the right size.
#include "model_facts.hpp"

#include <algorithm>

namespace coracle::contract {

namespace {

// One ear of one life.
struct Ear {
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

// Whether the send to that target was certainly accepted, if the whole was: it did not end while it
// waited for room.
bool was_accepted_by(const Sent& message, const std::string& target) {
  const auto end = message.ended.find(target);
  return end == message.ended.end() ||
         (end->second != Outcome::refused && end->second != Outcome::expired);
}

// Whether a message, once accepted, is heard: a message to several has one copy for each ear. The
// members of a group are known by the receipt.
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
  Judgement(Facts& facts, std::size_t life, Ear ear)
      : facts_(facts), life_(life), ear_(std::move(ear)), name_(facts.trace.logs[life].agent) {}

  void judge() {
    const auto& events = facts_.trace.logs[life_].events;
    bool drained = false;
    for (std::size_t line = 0; line < events.size(); ++line) {
      const Event& event = events[line];
      if (event.kind == Event::Kind::drained) drained = true;
      if (event.ear != ear_.id) continue;
      if (event.kind == Event::Kind::heard) on_heard(event);
      if (event.kind == Event::Kind::gap) on_gap(event);
    }
    // Copies that were still waiting when the hearer ended are nobody's fault.
    if (drained && facts_.trace.logs[life_].end == End::stopped) judge_completeness();
  }

 private:
  // Of unknown size: what was missed before, and is counted, may be in it.
  void on_gap(const Event& event) {
    if (event.count == MessageView::unknown_gap) lacks_more_ = true;
    else missed_ += event.count;
  }

  void on_heard(const Event& event) {
    const auto found = facts_.sent.find(event.id);
    if (found == facts_.sent.end())
      return facts_.breach(7, name_ + " overheard " + shown(facts_, event.id));
    const Sent& message = found->second;
    if (event.redelivered)
      facts_.breach(7, name_ + " overheard the redelivery of " + shown(facts_, event.id));
    if (!fits(facts_, ear_.hearing, event.id, message))
      facts_.breach(7, name_ + " overheard " + shown(facts_, event.id) + ", which does not fit");
    if (message.failed != Errc{} && message.event->targets.size() == 1)
      facts_.breach(7, name_ + " overheard " + shown(facts_, event.id) + ", whose send had failed");
    if (facts_.before(message.at, ear_.opening) && message.returned &&
        facts_.before({message.at.life, *message.returned}, ear_.opening))
      facts_.breach(7, name_ + " overheard " + shown(facts_, event.id) + " before it listened");
    if (++heard_[event.id] > 1)
      facts_.breach(7, name_ + " overheard " + shown(facts_, event.id) + " twice");
    judge_order(event, message);
  }

  // A read that wanted this one, too, should not have given a later one of the same sender.
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

  // Counts what must have been heard, and what may have been.
  void judge_completeness() {
    std::uint64_t least = 0, most = 0, copies = 0;
    MessageId example = 0;
    for (const auto& [id, message] : facts_.sent) {
      if (!fits(facts_, ear_.hearing, id, message) || message.failed != Errc{}) continue;
      const auto heard = heard_.find(id);
      copies += heard == heard_.end() ? 0 : heard->second;
      ++most;
      if (!must_be_heard(message) || !is_heard(ear_.hearing, message)) continue;
      ++least;
      if (heard == heard_.end()) example = id;
    }
    // The smaller ears have room for two copies; only behind these some are missed.
    if (copies + missed_ < least && !(lacks_more_ && heard_.size() >= 2))
      facts_.breach(7, name_ + " should have overheard " + std::to_string(least) + ", heard " +
                           std::to_string(copies) + " and was told of " + std::to_string(missed_) +
                           " missing ones; not heard: " + shown(facts_, example));
    if (missed_ != 0 && copies + missed_ > most)
      facts_.breach(7, name_ + " heard " + std::to_string(copies) + " and was told of " +
                           std::to_string(missed_) + " missing ones, but only " +
                           std::to_string(most) + " were sent");
  }

  bool must_be_heard(const Sent& message) const {
    if (!message.accepted || !facts_.before(ear_.opened, message.at)) return false;
    if (facts_.trace.logs[message.at.life].node_lost) return false;  // with copies on their way
    if (!ear_.closing) return true;
    return message.returned && facts_.before({message.at.life, *message.returned}, *ear_.closing);
  }

  Facts& facts_;
  const std::size_t life_;
  const Ear ear_;
  const std::string& name_;
  std::map<MessageId, std::uint64_t> heard_;
  std::map<std::size_t, std::vector<std::pair<Wanted, const Sent*>>> read_;  // by sender's life
  std::uint64_t missed_ = 0;
  bool lacks_more_ = false;
};

std::vector<Ear> ears_of(const Log& log, std::size_t life) {
  std::vector<Ear> ears;
  Place opening;
  for (std::size_t line = 0; line < log.events.size(); ++line) {
    const Event& event = log.events[line];
    if (event.kind == Event::Kind::ear_opening) opening = {life, line};
    if (event.kind == Event::Kind::ear_opened)
      ears.push_back({event.ear, event.hearing, opening, {life, line}, {}});
    if (event.kind == Event::Kind::ear_closing)
      for (Ear& ear : ears)
        if (ear.id == event.ear) ear.closing = Place{life, line};
  }
  return ears;
}

}  // namespace

void judge_ears(Facts& facts) {
  for (std::size_t life = 0; life < facts.trace.logs.size(); ++life)
    for (Ear& ear : ears_of(facts.trace.logs[life], life))
      Judgement(facts, life, std::move(ear)).judge();
}

}  // namespace coracle::contract
