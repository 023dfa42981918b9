// Checks every read: the right receiver, in order, and never twice without the redelivered mark.
#include "model_facts.hpp"

#include <algorithm>

namespace coracle::conformance {

namespace {

// The state of a message at its receiver.
enum class State : std::uint8_t { waiting, in_hand, acknowledged };

struct Held {
  State state = State::waiting;
  bool handed_out = false;      // ever
  bool may_come_again = false;  // an incarnation ended, or it was put back, since it was handed out
  std::size_t receipts_to_come = 0;
};

// All reads of one name in all its incarnations, in their order.
class Reader {
 public:
  Reader(Facts& facts, std::string name) : facts_(facts), name_(std::move(name)) {}

  void judge() {
    const auto lives = facts_.lives_of(name_);
    for (const std::size_t life : lives)
      for (const Event& event : facts_.trace.logs[life].events)
        if (event.kind == Event::Kind::received) ++held_[event.id].receipts_to_come;
    for (const std::size_t life : lives) {
      takes_large_ = facts_.trace.logs[life].takes_large;
      for (const Event& event : facts_.trace.logs[life].events) on_event(event);
      end_life(facts_.trace.logs[life]);
    }
  }

 private:
  void on_event(const Event& event) {
    switch (event.kind) {
      case Event::Kind::received:
        return on_received(event);
      case Event::Kind::acknowledged:
        held_[event.id].state = State::acknowledged;
        held_[event.id].handed_out = true;  // a reply was handed out to the requester
        return;
      case Event::Kind::gave_back:
        held_[event.id].state = State::waiting;
        held_[event.id].may_come_again = true;
        return;
      default:
        return;
    }
  }

  void on_received(const Event& event) {
    Held& held = held_[event.id];
    --held.receipts_to_come;
    const auto found = facts_.sent.find(event.id);
    if (found == facts_.sent.end())
      return facts_.breach(3, name_ + " read " + shown(facts_, event.id));
    judge_receiver(event, found->second);
    judge_repetition(event, held);
    judge_order(event, found->second);
    held.handed_out = true;
    held.may_come_again = false;
    held.state = State::in_hand;
  }

  void judge_receiver(const Event& event, const Sent& message) {
    if (!facts_.is_for(message, name_))
      facts_.breach(6, name_ + " read " + shown(facts_, event.id) + ", which was not for it");
    const std::string& sender = facts_.trace.logs[message.at.life].agent;
    if (event.name != sender)
      facts_.breach(
          6, shown(facts_, event.id) + " came to " + name_ + " under the name of " + event.name);
    if (message.failed != Errc{})
      facts_.breach(3, name_ + " read " + shown(facts_, event.id) + ", whose send had failed");
    if (message.event->is_large && !takes_large_)
      facts_.breach(10,
                    name_ + " read " + shown(facts_, event.id) + ", which its node does not take");
    if (!facts_.fits(event.wanted, *message.event, sender))
      facts_.breach(
          5, name_ + " read " + shown(facts_, event.id) + ", which does not fit what it wanted");
  }

  void judge_repetition(const Event& event, const Held& held) {
    if (held.handed_out && !event.redelivered)
      facts_.breach(3, name_ + " read " + shown(facts_, event.id) + " twice without a mark");
    else if (held.state == State::acknowledged)
      facts_.breach(
          3, name_ + " read " + shown(facts_, event.id) + " again after it had been acknowledged");
    else if (held.handed_out && !held.may_come_again)
      facts_.breach(3, name_ + " read " + shown(facts_, event.id) +
                           " again although it held it in its hands");
    else if (!held.handed_out && event.redelivered && !earlier_life_)
      facts_.breach(3, shown(facts_, event.id) + " came to " + name_ +
                           " marked as redelivered, at its first time");
  }

  // Among the messages of one sender to one target, a read takes the oldest that fits. A message
  // that was read later although it fitted was overtaken. Redelivered messages come first.
  void judge_order(const Event& event, const Sent& message) {
    if (event.redelivered) return;
    const std::string& sender = facts_.trace.logs[message.at.life].agent;
    const auto& log = facts_.trace.logs[message.at.life].events;
    for (std::size_t line = 0; line < message.at.line; ++line) {
      const Event& older = log[line];
      if (older.kind != Event::Kind::sending || !same_route(older, *message.event)) continue;
      const auto held = held_.find(older.id);
      if (held == held_.end() || held->second.state != State::waiting) continue;
      if (held->second.receipts_to_come == 0) continue;  // dropped, expired, or still waiting
      if (!facts_.sent_before(facts_.sent.at(older.id), message)) continue;
      if (facts_.fits(event.wanted, older, sender))
        facts_.breach(2, name_ + " read " + shown(facts_, event.id) + " before " +
                             shown(facts_, older.id) + ", which is older");
    }
  }

  // Returns whether both messages came to this name directly, or both by the same redirection.
  bool same_route(const Event& a, const Event& b) const {
    const bool a_direct = a.to_group || std::ranges::count(a.targets, name_) != 0;
    const bool b_direct = b.to_group || std::ranges::count(b.targets, name_) != 0;
    return (a_direct && b_direct) || (!a_direct && !b_direct && a.targets == b.targets);
  }

  void end_life(const Log& log) {
    earlier_life_ = true;
    for (auto& [id, held] : held_) {
      // An acknowledgement has no certain effect if the incarnation was fenced or its node lost its
      // power.
      const bool counts = !may_be_undone(log.end) && !log.node_lost;
      if (held.state == State::acknowledged && counts) continue;
      if (!held.handed_out) continue;
      held.state = State::waiting;
      held.may_come_again = true;
    }
  }

  Facts& facts_;
  const std::string name_;
  std::map<MessageId, Held> held_;
  bool earlier_life_ = false;
  bool takes_large_ = true;  // the incarnation
};

}  // namespace

void judge_reads(Facts& facts) {
  std::set<std::string> names;
  for (const Log& log : facts.trace.logs) names.insert(log.agent);
  for (const std::string& name : names) Reader(facts, name).judge();
}

}  // namespace coracle::conformance
