// Requests end once, fenced incarnations do not act any more, and a group's messages reach its
// members.
#include "model_facts.hpp"

#include <algorithm>

namespace coracle::conformance {

namespace {

using Kind = Event::Kind;

bool any_crashed(const Facts& facts, const std::vector<std::string>& names) {
  return std::ranges::any_of(facts.trace.logs, [&](const Log& log) {
    return may_have_crashed(log.end) && std::ranges::any_of(names, [&](const std::string& name) {
             return facts.leads_to(name, log.agent);
           });
  });
}

void judge_how(Facts& facts, const Event& asked, const Sent& request) {
  const auto& targets = request.event->targets;
  if (asked.errc == Errc::agent_failed && !any_crashed(facts, targets))
    facts.breach(9, "the request " + shown(facts, asked.id) + " failed with its agent, which did "
                                                              "not crash");
  if (asked.errc != Errc{}) return;
  const auto reply = facts.sent.find(asked.reply);
  if (reply == facts.sent.end())
    facts.breach(9, "the request " + shown(facts, asked.id) + " was answered by " +
                        shown(facts, asked.reply));
  else if (reply->second.event->answers != asked.id)
    facts.breach(9, "the request " + shown(facts, asked.id) + " was answered by " +
                        shown(facts, asked.reply) + ", which answers another one");
}

void judge_requests(Facts& facts) {
  std::map<MessageId, std::size_t> endings;
  for (const Log& log : facts.trace.logs)
    for (const Event& event : log.events) {
      if (event.kind != Kind::asked) continue;
      const auto request = facts.sent.find(event.id);
      if (++endings[event.id] == 2)
        facts.breach(9, "the request " + shown(facts, event.id) + " ended a second time");
      if (request == facts.sent.end())
        facts.breach(9, "the request " + shown(facts, event.id) + " ended");
      else
        judge_how(facts, event, request->second);
    }
  for (const auto& [id, message] : facts.sent)
    if (message.event->request && !endings.contains(id) &&
        facts.trace.logs[message.at.life].end == End::stopped)
      facts.breach(9, "the request " + shown(facts, id) + " never ended");
}

bool is_an_act(Kind kind) {
  return kind == Kind::sent || kind == Kind::received || kind == Kind::joined ||
         kind == Kind::tap_opened;
}

// An incarnation that was fenced may be in the middle of an operation, but nothing that it does may
// come after anything that the next incarnation did.
void judge_fencing(Facts& facts) {
  for (std::size_t life = 0; life < facts.trace.logs.size(); ++life) {
    const Log& log = facts.trace.logs[life];
    if (!may_be_fenced(log.end)) continue;
    for (std::size_t next = life + 1; next < facts.trace.logs.size(); ++next) {
      if (facts.trace.logs[next].agent != log.agent || facts.trace.logs[next].events.empty())
        continue;
      for (std::size_t line = 0; line < log.events.size(); ++line)
        if (is_an_act(log.events[line].kind) && facts.before({next, 0}, {life, line}))
          facts.breach(1, log.agent + " acted after it had been fenced: " +
                              to_string(log.events[line]));
    }
  }
}

// The span in which one incarnation was a member of one group.
struct Membership {
  Place joining;
  std::optional<Place> joined, leaving;
};

std::vector<Membership> memberships(const Facts& facts, std::size_t life,
                                    const std::string& group) {
  std::vector<Membership> all;
  const auto& events = facts.trace.logs[life].events;
  for (std::size_t line = 0; line < events.size(); ++line) {
    if (events[line].name != group) continue;
    const Place here{life, line};
    if (events[line].kind == Kind::joining) all.push_back({here, {}, {}});
    if (all.empty()) continue;
    if (events[line].kind == Kind::joined) all.back().joined = here;
    if (events[line].kind != Kind::leaving) continue;
    for (Membership& one : all)
      if (!one.leaving) one.leaving = here;
  }
  return all;
}

void judge_group_message(Facts& facts, MessageId id, const Sent& message, std::size_t life) {
  const Log& log = facts.trace.logs[life];
  const auto all = memberships(facts, life, message.event->targets.front());
  const bool reached = message.members.contains(log.agent);
  bool could = false;
  bool should = false;
  for (const Membership& one : all) {
    could = could || !facts.before(message.at, one.joining);
    should = should || (one.joined && facts.before(*one.joined, message.at) && !one.leaving);
  }
  // Other incarnations of that name may have been members, and an incarnation that ended early may
  // have left before.
  if (facts.lives_of(log.agent).size() != 1 || log.end != End::stopped) return;
  if (should && !reached)
    facts.breach(6, log.agent + " is a member, but did not get " + shown(facts, id));
  if (reached && !could)
    facts.breach(6, log.agent + " is not a member, but got " + shown(facts, id));
}

void judge_groups(Facts& facts) {
  for (const auto& [id, message] : facts.sent) {
    // The receipt names the members once the send has returned.
    if (!message.event->to_group || !message.accepted || message.members.empty()) continue;
    for (std::size_t life = 0; life < facts.trace.logs.size(); ++life)
      judge_group_message(facts, id, message, life);
  }
}

}  // namespace

void judge_endings(Facts& facts) {
  judge_requests(facts);
  judge_fencing(facts);
  judge_groups(facts);
}

}  // namespace coracle::conformance
