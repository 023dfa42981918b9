#include "model.hpp"

#include "model_facts.hpp"

namespace coracle::conformance {

namespace {

// Returns whether the target's side had certainly accepted a request that ended with `errc`. A
// request that expired may have waited for room until then, and so may a request that closed a
// circle. A request to oneself is accepted, and only the wait for its reply fails.
bool was_accepted(Errc errc) {
  return errc == Errc{} || errc == Errc::peer_down || errc == Errc::agent_failed ||
         errc == Errc::refused;
}

bool was_rejected(Errc errc) {
  return errc == Errc::mailbox_full || errc == Errc::absent_full ||
         errc == Errc::not_permitted || errc == Errc::too_large || errc == Errc::fenced;
}

}  // namespace

Facts::Facts(const Trace& what, std::vector<Breach>& breaches) : trace(what), breaches_(breaches) {
  for (std::size_t life = 0; life < trace.logs.size(); ++life)
    for (std::size_t line = 0; line < trace.logs[life].events.size(); ++line)
      if (const Event& event = trace.logs[life].events[line]; event.kind == Event::Kind::sending)
        sent[event.id] = Sent{{life, line}, &event, false, {}, {}, {}, {}};
  for (std::size_t life = 0; life < trace.logs.size(); ++life)
    for (std::size_t line = 0; line < trace.logs[life].events.size(); ++line)
      note({life, line}, trace.logs[life].events[line]);
  order_events();
}

void Facts::note(Place place, const Event& event) {
  if (event.kind == Event::Kind::making) made_[event.life] = place;
  const auto found = sent.find(event.id);
  if (found == sent.end()) return;
  Sent& message = found->second;
  switch (event.kind) {
    case Event::Kind::sent:
      message.accepted = true;
      message.returned = place.line;
      break;
    case Event::Kind::failed: message.failed = event.errc; break;
    case Event::Kind::asked:
      message.accepted = was_accepted(event.errc);
      message.returned = place.line;
      if (was_rejected(event.errc)) message.failed = event.errc;
      break;
    case Event::Kind::addressed:
      if (message.event->to_group) message.members.insert(event.name);
      break;
    case Event::Kind::outcome:
      if (message.event->to_group) message.members.insert(event.name);
      if (!message.ended.emplace(event.name, event.outcome).second)
        breach(3, shown(*this, event.id) + " ended a second time at " + event.name);
      break;
    default: break;
  }
}

std::optional<Place> Facts::cause_of(Place place) const {
  const Event& event = at(place);
  if (place.line == 0) {
    const auto made = made_.find(place.life);
    if (made != made_.end()) return made->second;
  }
  MessageId id = 0;
  if (event.kind == Event::Kind::received || event.kind == Event::Kind::heard) id = event.id;
  if (event.kind == Event::Kind::asked) id = event.reply;
  const auto found = sent.find(id);
  if (found == sent.end() || found->second.at.life == place.life) return std::nullopt;
  return found->second.at;
}

// Goes through the logs side by side. Each log advances until its next line waits for a line that
// has not been passed.
void Facts::order_events() {
  const std::size_t lives = trace.logs.size();
  clocks_.resize(lives);
  std::vector<std::vector<std::uint32_t>> now(lives, std::vector<std::uint32_t>(lives, 0));
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t life = 0; life < lives; ++life) {
      while (clocks_[life].size() < trace.logs[life].events.size()) {
        const Place here{life, clocks_[life].size()};
        if (const auto cause = cause_of(here)) {
          if (clocks_[cause->life].size() <= cause->line) break;
          const auto& other = clocks_[cause->life][cause->line];
          for (std::size_t i = 0; i < lives; ++i) now[life][i] = std::max(now[life][i], other[i]);
        }
        ++now[life][life];
        clocks_[life].push_back(now[life]);
        moved = true;
      }
    }
  }
  for (std::size_t life = 0; life < lives; ++life) {
    if (clocks_[life].size() == trace.logs[life].events.size()) continue;
    const Event& event = trace.logs[life].events[clocks_[life].size()];
    breach(3, trace.logs[life].agent + " read a message before it was sent: " + to_string(event));
    clocks_[life].resize(trace.logs[life].events.size(), now[life]);
  }
}

bool Facts::before(Place a, Place b) const {
  return clocks_[b.life][b.line][a.life] > a.line && (a.life != b.life || a.line < b.line);
}

bool Facts::leads_to(const std::string& target, const std::string& reader) const {
  std::string name = target;
  for (int steps = 0; steps < 8; ++steps) {
    if (name == reader) return true;
    const auto box = trace.boxes.find(name);
    if (box == trace.boxes.end() || box->second.overflow() != Overflow::redirect) return false;
    name = box->second.redirect().str();
  }
  return false;
}

bool Facts::is_for(const Sent& message, const std::string& reader) const {
  if (message.event->to_group) {
    // Without a receipt the members are unknown; then any reader may have been a member.
    if (!message.event->tracked || message.members.empty()) return true;
    for (const std::string& member : message.members)
      if (leads_to(member, reader)) return true;
    return false;
  }
  for (const std::string& target : message.event->targets)
    if (leads_to(target, reader)) return true;
  return false;
}

bool Facts::fits(const Wanted& wanted, const Event& message, const std::string& sender) const {
  if (!wanted.from.empty() && wanted.from != sender) return false;
  if (wanted.conversation != 0 && wanted.conversation != message.conversation) return false;
  return wanted.parity < 0 || static_cast<int>(message.id % 2) == wanted.parity;
}

std::vector<std::size_t> Facts::lives_of(const std::string& name) const {
  std::vector<std::size_t> lives;
  for (std::size_t life = 0; life < trace.logs.size(); ++life)
    if (trace.logs[life].agent == name) lives.push_back(life);
  return lives;
}

std::string shown(const Facts& facts, MessageId id) {
  std::string text = "message " + std::to_string(id);
  const auto found = facts.sent.find(id);
  if (found == facts.sent.end()) return text + " (never sent)";
  text += " (" + facts.trace.logs[found->second.at.life].agent + " to";
  for (const std::string& target : found->second.event->targets) text += " " + target;
  return text + ")";
}

std::vector<Breach> judge(const Trace& trace) {
  std::vector<Breach> breaches;
  Facts facts(trace, breaches);
  judge_reads(facts);
  judge_outcomes(facts);
  judge_ledger(facts);
  judge_taps(facts);
  judge_endings(facts);
  judge_liveness(facts);
  return breaches;
}

std::string to_string(const std::vector<Breach>& breaches) {
  std::string text;
  for (const Breach& breach : breaches)
    text += "promise " + std::to_string(breach.promise) + " is broken: " + breach.what + "\n";
  return text;
}

}  // namespace coracle::conformance
