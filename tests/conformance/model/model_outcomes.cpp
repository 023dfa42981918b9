// Checks the end of every message: each message ends exactly once, and the ledger agrees.
#include "model_facts.hpp"

#include <algorithm>

namespace coracle::conformance {

namespace {

using Ends = std::map<std::pair<MessageId, std::string>, std::size_t>;

// Counts the lines of that kind by message and by the name of the log, or by the name in the line.
Ends count(const Facts& facts, Event::Kind kind, bool name_in_line) {
  Ends counts;
  for (const Log& log : facts.trace.logs)
    for (const Event& event : log.events)
      if (event.kind == kind) ++counts[{event.id, name_in_line ? event.name : log.agent}];
  return counts;
}

bool has_life_that_ended(const Facts& facts, const std::string& name) {
  return std::ranges::any_of(facts.trace.logs, [&](const Log& log) {
    return log.agent == name && log.end != End::stopped;
  });
}

bool may_drop(const Facts& facts, const std::string& name) {
  const auto box = facts.trace.boxes.find(name);
  if (box == facts.trace.boxes.end()) return false;
  const Overflow policy = box->second.overflow();
  return policy != Overflow::wait && policy != Overflow::fail;
}

// Returns whether any agent that receives messages for `target` acknowledged `id`.
bool was_acknowledged(const Facts& facts, const Ends& acknowledged, MessageId id,
                      const std::string& target) {
  const auto first = acknowledged.lower_bound({id, {}});
  for (auto end = first; end != acknowledged.end() && end->first.first == id; ++end)
    if (facts.leads_to(target, end->first.second)) return true;
  return false;
}

void judge_receipts(Facts& facts, const Ends& acknowledged) {
  for (const auto& [id, message] : facts.sent) {
    for (const auto& [target, outcome] : message.ended) {
      const bool read = was_acknowledged(facts, acknowledged, id, target);
      if (outcome == Outcome::consumed && !read && !has_life_that_ended(facts, target))
        facts.breach(3, "the receipt of " + shown(facts, id) + " says that " + target +
                            " consumed it, but nobody did");
      if (outcome != Outcome::consumed && read && !has_life_that_ended(facts, target))
        facts.breach(3, "the receipt of " + shown(facts, id) + " says \"" +
                            coracle::to_string(outcome) + "\", but " + target + " consumed it");
    }
  }
}

void judge_dead_letters(Facts& facts, const Ends& acknowledged, const Ends& letters) {
  // A node that wrote a dead letter may be lost before the message store learned of the letter.
  const bool may_repeat = std::ranges::any_of(facts.trace.logs, &Log::node_lost);
  for (const auto& [end, times] : letters) {
    const auto& [id, target] = end;
    const auto found = facts.sent.find(id);
    // Several targets may redirect to the same name.
    const bool direct = found != facts.sent.end() &&
                        (found->second.members.contains(target) ||
                         std::ranges::count(found->second.event->targets, target) != 0);
    if (found == facts.sent.end()) facts.breach(9, "the dead letters hold " + shown(facts, id));
    else if (!may_repeat && times > (direct ? 1 : facts.trace.boxes.size()))
      facts.breach(9, "the dead letters hold " + shown(facts, id) + " more than once");
    else if (was_acknowledged(facts, acknowledged, id, target) &&
             !has_life_that_ended(facts, target))
      facts.breach(9, "the dead letters hold " + shown(facts, id) + ", which was consumed");
  }
}

// The name at which messages for `target` lie in the end when its mailbox redirects.
std::string end_of(const Facts& facts, std::string target) {
  for (int steps = 0; steps < 8; ++steps) {
    const auto box = facts.trace.boxes.find(target);
    if (box == facts.trace.boxes.end() || box->second.overflow() != Overflow::redirect) break;
    target = box->second.redirect().str();
  }
  return target;
}

// Every accepted message was consumed, has an outcome, lies among the dead letters, or still waits
// at its target. Where mailboxes drop or messages expire, the ledger knows the number of such
// messages.
void judge_losses(Facts& facts, const Ends& acknowledged, const Ends& letters) {
  std::map<std::string, std::vector<MessageId>> missing;
  std::vector<MessageId> perhaps_dropped;
  for (const auto& [id, message] : facts.sent) {
    if (!message.accepted || message.event->to_group) continue;
    if (facts.trace.logs[message.at.life].node_lost) continue;  // its node's store is lost, too
    for (const std::string& target : message.event->targets) {
      if (message.ended.contains(target) || letters.contains({id, target})) continue;
      if (was_acknowledged(facts, acknowledged, id, target)) continue;
      const bool may_end = message.event->may_expire || message.event->answers != 0 ||
                           message.event->request || may_drop(facts, target);
      if (may_end) perhaps_dropped.push_back(id);
      else missing[end_of(facts, target)].push_back(id);
    }
  }
  std::size_t excused = 0;
  for (const Ledger* ledger : {&facts.trace.ledger, &facts.trace.lost}) {
    excused += ledger->dropped_total() + ledger->expired + ledger->undeliverable + ledger->refused +
               ledger->store_lost;
  }
  for (const auto& [name, count] : facts.trace.undelivered) excused += count;
  for (const auto& [target, ids] : missing) {
    std::size_t there = facts.trace.lost.undeliverable;  // letters may be lost with their writer
    for (const auto& [name, count] : facts.trace.undelivered)
      if (end_of(facts, name) == target) there += count;
    excused -= std::min(excused, ids.size());
    if (ids.size() > there)
      facts.breach(3, shown(facts, ids.front()) + " was lost: nobody read it and it did not end (" +
                          std::to_string(ids.size()) + " such to " + target + ", " +
                          std::to_string(there) + " waiting)");
  }
  if (perhaps_dropped.size() > excused)
    facts.breach(3, shown(facts, perhaps_dropped.front()) +
                        " was lost: nobody read it, and the ledger knows of no end for it (" +
                        std::to_string(perhaps_dropped.size()) + " such)");
}

}  // namespace

void judge_outcomes(Facts& facts) {
  const Ends acknowledged = count(facts, Event::Kind::acknowledged, false);
  const Ends letters = count(facts, Event::Kind::dead_letter, true);
  judge_receipts(facts, acknowledged);
  judge_dead_letters(facts, acknowledged, letters);
  judge_losses(facts, acknowledged, letters);
}

void judge_ledger(Facts& facts) {
  const Ledger& ledger = facts.trace.ledger;
  const auto wrong = [&](const std::string& what) {
    facts.breach(3, what + "; the ledger: " + ledger.to_string());
  };
  if (!ledger.balanced()) wrong("the ledger does not balance");
  if (ledger.in_flight != 0) wrong("the node has stopped with messages under way");

  std::uint64_t sent = 0, unsure = 0, acknowledged = 0, fenced = 0;
  for (const auto& [id, message] : facts.sent) {
    std::uint64_t targets = message.event->targets.size();
    if (message.event->to_group) targets = message.members.size();
    // The number of copies is uncertain when a sender was cut off while it was sending, or when the
    // receipt of a message to a group is incomplete.
    if (facts.trace.logs[message.at.life].node_lost) continue;  // in no ledger
    if (message.uncertain()) unsure += message.event->to_group ? facts.trace.boxes.size() : targets;
    else sent += targets;
  }
  std::set<std::pair<MessageId, std::string>> consumed;
  for (const Log& log : facts.trace.logs)
    for (const Event& event : log.events)
      if (event.kind == Event::Kind::acknowledged && !log.node_lost) {
        consumed.emplace(event.id, log.agent);
        fenced += may_be_fenced(log.end);
      }
  acknowledged = consumed.size();
  if (ledger.sent < sent || ledger.sent > sent + unsure)
    wrong(std::to_string(sent) + " messages were sent (and perhaps " + std::to_string(unsure) +
          " more), the ledger knows " + std::to_string(ledger.sent));
  if (ledger.consumed > acknowledged || ledger.consumed + fenced < acknowledged)
    wrong(std::to_string(acknowledged) + " messages were acknowledged, the ledger knows " +
          std::to_string(ledger.consumed));
  std::uint64_t undelivered = 0;
  for (const auto& [name, count] : facts.trace.undelivered) undelivered += count;
  if (ledger.queued + ledger.in_hand > undelivered)
    wrong(std::to_string(undelivered) + " messages were left when the node stopped");
}

}  // namespace coracle::conformance
