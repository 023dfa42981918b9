#include "witness.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::test::lying {

namespace {

const std::string liar = std::string(liars_prefix) + "a";  // one of its names stands for all
constexpr std::size_t token_size = 16;
constexpr unsigned faults_shown = 8;

std::string shown(const std::string& token, const Said& said) {
  return "'" + token + "' (" + said.source + " to " + said.target + ")";
}

std::string printable(std::string_view text) {
  std::string safe;
  for (const char each : text.substr(0, 60)) safe += each >= ' ' && each <= '~' ? each : '?';
  return safe;
}

bool is_single(const Said& said) { return said.kind != Said::Kind::to_group; }

}  // namespace

void Witness::fault(const std::string& what) {
  if (++fault_count_ <= faults_shown) faults_ += what + "\n";
}

Said& Witness::say(Said::Kind kind, const std::string& source, const std::string& target) {
  const std::string token = fmt::format("{:016x}", random_.next());
  Said& said = said_[token];
  said.kind = kind;
  said.source = source;
  said.target = target;
  said.number = ++numbers_[source];
  said.text = token + " " + std::to_string(said.number) + " of " + source;
  said.began = ++clock_;
  if (kind == Said::Kind::to_group) said.members = members_;
  return said;
}

void Witness::note_failed(Said& said, const Error& error) {
  said.is_over = true;
  said.failed = error.sentence();
}

Said* Witness::find(const std::string& text) {
  const auto found = said_.find(text.substr(0, token_size));
  return found != said_.end() && found->second.text == text ? &found->second : nullptr;
}

bool Witness::is_for(const Said& said, const std::string& reader) const {
  return said.target == reader || !is_single(said);
}

bool Witness::may_vouch(const std::string& source, const std::string& reader) const {
  return rules_.allow(Action::send, source, liar) && rules_.allow(Action::redirect, liar, reader);
}

bool Witness::had_no_holder(const std::string& name) const {
  return !rules_.are_for_all && (!staying_.contains(name) || late_.contains(name));
}

// A name without a holder belongs to nobody: where no node checks a policy, the liar may send in
// that name.
bool Witness::may_be_made_up(const std::string& source, const Said* said) const {
  return said == nullptr && had_no_holder(source);
}

// The reply goes to a request that the liar may have sent in a name without a holder.
bool Witness::may_answer_anybody(const Said* said) const {
  return said != nullptr && said->kind == Said::Kind::reply && had_no_holder(said->target);
}

void Witness::on_read(const std::string& reader, const Message& message) {
  ++clock_;
  const std::string source = message.source().name().str();
  // A node may announce a gap to an agent that is permitted to overhear the node's agents.
  const bool may_have_missed = !rules_.are_for_all || rules_.allow(Action::overhear, reader, liar);
  if (message.gap() == Message::unknown_gap) return;  // its own node reports a lost member
  if (message.gap() != 0 && may_have_missed) return;
  if (message.gap() != 0)
    return fault(reader + " is told that its tap " + std::to_string(message.tap()) + " missed " +
                 std::to_string(message.gap()));
  const std::string text(message.text());
  Said* const said = find(text);
  if (printable(source) != source.substr(0, 60))
    fault(reader + " read a message of a name that deceives: " + printable(source));
  if (message.overheard()) return on_copy(reader, message, said);
  if (source.empty() || is_liars(source)) {
    const std::string sender = source.empty() ? liar : source;
    if (!rules_.allow(Action::send, sender, reader) && !may_vouch(sender, reader))
      fault(reader + " read what '" + source + "' may not send to it: " + printable(text));
    return;
  }
  if (may_be_made_up(source, said)) return;
  if (!rules_.are_for_all && !staying_.contains(source)) return;
  if (may_answer_anybody(said) && said->source == source) return;
  const bool is_the_liars = said == nullptr || said->is_leaked || is_liars(said->target);
  if (is_the_liars && may_vouch(source, reader)) {
    if (said != nullptr) ++said->read[reader];  // from any sender
    return;
  }
  if (said == nullptr || said->source != source)
    return fault(reader + " read what '" + source + "' never said: " + printable(text));
  // A mailbox of the liar may redirect the message.
  if (!is_for(*said, reader) && !is_liars(said->target))
    return fault(reader + " read what was for " + said->target + ": " + text);
  if (!may_pass(*said, reader)) return fault(reader + " read what it may not: " + text);
  if (message.is_request() != (said->kind == Said::Kind::request))
    fault(reader + " read " + text + " as another kind of message");
  if (++said->read[reader] > 1)
    fault(reader + " read a second time " + text + (message.redelivered() ? ", marked" : ""));
  if (said->kind == Said::Kind::reply) return;
  std::uint64_t& last = last_read_[{source, reader}];
  if (said->number < last) fault(reader + " read out of order " + text);
  last = std::max(last, said->number);
}

// The liar may receive messages for its names, and copies of messages that one of its names may
// overhear.
void Witness::on_leak(std::string_view content) {
  Said* const said = find(std::string(content));
  if (said == nullptr) return;
  said->is_leaked = true;
  if (!is_single(*said)) {
    const bool may_be_in_it = !rules_.are_for_all ||
                              rules_.allow(Action::join, liar, said->target) ||
                              rules_.allow(Action::overhear, liar, said->source);
    if (!may_be_in_it) fault("the liar got " + said->text + " to " + said->target);
    return;
  }
  const bool may_hear = rules_.allow(Action::overhear, liar, said->source) &&
                        rules_.allow(Action::overhear, liar, said->target) &&
                        rules_.allow(Action::send, said->source, said->target);
  if (may_hear || (is_liars(said->target) && rules_.allow(Action::send, said->source, liar)))
    return;
  fault("the liar got " + said->text + " to " + said->target);
}

void Witness::on_reply(Said& request, const Message& message) {
  ++clock_;
  request.is_sent = request.is_over = true;
  const std::string source = message.source().name().str();
  if (is_liars(request.target)) return;
  const std::string text(message.text());
  Said* const answer = find(text);
  if (answer == nullptr || answer->kind != Said::Kind::reply || answer->source != source ||
      source != request.target || answer->target != request.source)
    return fault(request.source + " got an answer of '" + source + "' that " + request.target +
                 " did not give: " + printable(text));
  if (++answer->read[request.source] > 1) fault(request.source + " got twice the answer " + text);
  request.reply = text;
}

void Witness::opened(std::uint64_t tap, HonestTap what) {
  what.opened = ++clock_;
  what.is_open = true;
  taps_[tap] = std::move(what);
}

bool Witness::fits(const HonestTap& tap, const Said& said) const {
  return (tap.source.empty() || tap.source == said.source) &&
         (tap.target.empty() || tap.target == said.target);
}

bool Witness::may_be_heard(const Said& said, const std::string& eavesdropper, bool for_sure) const {
  if (!for_sure && !nodes_ask_ && are_of_one_node(said.source, eavesdropper)) return true;
  return rules_.allow(Action::overhear, eavesdropper, said.source) &&
         rules_.allow(Action::overhear, eavesdropper, said.target) &&
         rules_.allow(Action::send, said.source, said.target);
}

void Witness::on_copy(const std::string& reader, const Message& message, Said* said) {
  const std::string text(message.text());
  const std::string source = message.source().name().str();
  const auto tap = taps_.find(message.tap());
  const std::string target = message.target().str();
  if (is_liars(source)) {
    if (!rules_.allow(Action::overhear, reader, source))
      fault(reader + " overheard '" + source + "', which it may not");
    if (!rules_.allow(Action::send, source, target))
      fault(reader + " overheard what '" + source + "' may not say to '" + target + "'");
    return;
  }
  if (may_be_made_up(source, said)) return;
  const bool may_be_redirected =
      said != nullptr && (is_liars(said->target) || may_answer_anybody(said));
  if (said == nullptr || said->source != source || (said->target != target && !may_be_redirected))
    return fault(reader + " overheard '" + source + "' say to '" + target +
                 "' what was never said: " + printable(text));
  if (tap == taps_.end() || tap->second.eavesdropper != reader) return;  // it is just opening
  if (may_be_redirected) return;
  if (!fits(tap->second, *said)) return fault(reader + " overheard what does not fit: " + text);
  if (!may_be_heard(*said, reader, false))
    return fault(reader + " overheard what it may not: " + text);
  if (++said->heard[tap->first] > 1) fault(reader + " overheard twice " + text);
}

// ── the end ─────────────────────────────────────────────────────────────────────────────────────

std::vector<std::string> Witness::sure_readers(const Said& said) const {
  std::vector<std::string> readers;
  const auto add = [&](const std::string& name) {
    if (staying_.contains(name) && may_pass(said, name)) readers.push_back(name);
  };
  if (is_single(said)) add(said.target);
  else
    for (const std::string& member : said.members) add(member);
  return readers;
}

bool Witness::must_be_heard(const HonestTap& tap, const Said& said) const {
  if (!staying_.contains(tap.eavesdropper) || !tap.is_open || said.began < tap.opened) return false;
  const bool is_usual = said.kind == Said::Kind::plain || said.kind == Said::Kind::tracked;
  if (!is_usual || !said.is_sent || said.source == tap.eavesdropper ||
      said.target == tap.eavesdropper)
    return false;
  return fits(tap, said) && may_pass(said, said.target) && staying_.contains(said.target) &&
         may_be_heard(said, tap.eavesdropper, true);
}

std::string Witness::missing() {
  for (const auto& [token, said] : said_) {
    if (said.kind == Said::Kind::reply) continue;
    if (!said.is_over) return shown(token, said) + " has not ended";
    const std::vector<std::string> readers = sure_readers(said);
    const bool may_fail =
        !is_single(said) ||
        (said.kind == Said::Kind::request && !rules_.allow(Action::send, said.target, said.source));
    if (!readers.empty() && !said.failed.empty() && !may_fail)
      return shown(token, said) + " failed: " + said.failed;
    for (const std::string& reader : readers) {
      if (!said.read.contains(reader)) return reader + " has not read " + shown(token, said);
    }
    for (const auto& [id, tap] : taps_) {
      if (must_be_heard(tap, said) && !said.heard.contains(id))
        return tap.eavesdropper + " has not overheard " + shown(token, said);
    }
    std::string wrong;
    judge_receipt(said, wrong);
    if (!wrong.empty()) return shown(token, said) + wrong;
  }
  return {};
}

void Witness::judge_receipt(const Said& said, std::string& wrong) const {
  if (!said.receipt || !said.is_sent) return;
  for (const TargetOutcome& end : said.receipt->targets()) {
    const std::string target = end.target.str();
    if (is_liars(target)) continue;
    if (!staying_.contains(target)) continue;
    if (!end.outcome) {
      wrong = ": no end at " + target;
    } else if (may_pass(said, target) != (*end.outcome == Outcome::consumed)) {
      wrong = ": its end at " + target + " is said to be " + to_string(*end.outcome);
    } else if (*end.outcome == Outcome::consumed && !said.read.contains(target)) {
      wrong = ": said to be consumed by " + target + ", which has not read it";
    }
  }
}

std::string Witness::verdict() {
  const std::string last = missing();
  if (!last.empty()) fault(last);
  if (fault_count_ > faults_shown)
    faults_ += "and " + std::to_string(fault_count_ - faults_shown) + " more\n";
  return faults_;
}

}  // namespace coracle::test::lying
