#include "witness.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace coracle::test::lying {

namespace {

const std::string liar = std::string(liars_prefix) + "a";  // one of its names stands for all
constexpr std::size_t token_size = 16;
constexpr unsigned faults_shown = 8;

std::string shown(const std::string& token, const HonestMessage& record) {
  return "'" + token + "' (" + record.source + " to " + record.target + ")";
}

std::string printable(std::string_view text) {
  std::string safe;
  for (const char each : text.substr(0, 60)) safe += each >= ' ' && each <= '~' ? each : '?';
  return safe;
}

bool is_single(const HonestMessage& record) { return record.kind != HonestMessage::Kind::to_group; }

}  // namespace

void Witness::fault(const std::string& what) {
  if (++fault_count_ <= faults_shown) faults_ += what + "\n";
}

HonestMessage& Witness::will_send(HonestMessage::Kind kind, const std::string& source,
                                  const std::string& target) {
  const std::string token = fmt::format("{:016x}", random_.next());
  HonestMessage& record = messages_[token];
  record.kind = kind;
  record.source = source;
  record.target = target;
  record.number = ++numbers_[source];
  record.text = token + " " + std::to_string(record.number) + " of " + source;
  record.began = ++clock_;
  if (kind == HonestMessage::Kind::to_group) record.members = members_;
  return record;
}

void Witness::note_failed(HonestMessage& record, const Error& error) {
  record.is_over = true;
  record.failed = error.sentence();
}

HonestMessage* Witness::find(const std::string& text) {
  const auto found = messages_.find(text.substr(0, token_size));
  return found != messages_.end() && found->second.text == text ? &found->second : nullptr;
}

bool Witness::is_for(const HonestMessage& record, const std::string& reader) const {
  return record.target == reader || !is_single(record);
}

bool Witness::may_vouch(const std::string& source, const std::string& reader) const {
  return rules_.allow(Action::send, source, liar) && rules_.allow(Action::redirect, liar, reader);
}

bool Witness::had_no_holder(const std::string& name) const {
  return !rules_.are_for_all && (!staying_.contains(name) || late_.contains(name));
}

// A name without a holder belongs to nobody: where no node checks a policy, the liar may send in
// that name.
bool Witness::may_be_made_up(const std::string& source, const HonestMessage* record) const {
  return record == nullptr && had_no_holder(source);
}

// The reply goes to a request that the liar may have sent in a name without a holder.
bool Witness::may_answer_anybody(const HonestMessage* record) const {
  return record != nullptr && record->kind == HonestMessage::Kind::reply &&
         had_no_holder(record->target);
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
  HonestMessage* const record = find(text);
  if (printable(source) != source.substr(0, 60))
    fault(reader + " read a message of a name that deceives: " + printable(source));
  if (message.overheard()) return on_copy(reader, message, record);
  if (source.empty() || is_liars(source)) {
    const std::string sender = source.empty() ? liar : source;
    if (!rules_.allow(Action::send, sender, reader) && !may_vouch(sender, reader))
      fault(reader + " read what '" + source + "' may not send to it: " + printable(text));
    return;
  }
  if (may_be_made_up(source, record)) return;
  if (!rules_.are_for_all && !staying_.contains(source)) return;
  if (may_answer_anybody(record) && record->source == source) return;
  const bool is_the_liars = record == nullptr || record->is_leaked || is_liars(record->target);
  if (is_the_liars && may_vouch(source, reader)) {
    if (record != nullptr) ++record->read[reader];  // from any sender
    return;
  }
  if (record == nullptr || record->source != source)
    return fault(reader + " read what '" + source + "' never sent: " + printable(text));
  // A mailbox of the liar may redirect the message.
  if (!is_for(*record, reader) && !is_liars(record->target))
    return fault(reader + " read what was for " + record->target + ": " + text);
  if (!may_pass(*record, reader)) return fault(reader + " read what it may not: " + text);
  if (message.is_request() != (record->kind == HonestMessage::Kind::request))
    fault(reader + " read " + text + " as another kind of message");
  if (++record->read[reader] > 1)
    fault(reader + " read a second time " + text + (message.redelivered() ? ", marked" : ""));
  if (record->kind == HonestMessage::Kind::reply) return;
  std::uint64_t& last = last_read_[{source, reader}];
  if (record->number < last) fault(reader + " read out of order " + text);
  last = std::max(last, record->number);
}

// The liar may receive messages for its names, and copies of messages that one of its names may
// overhear.
void Witness::on_leak(std::string_view content) {
  HonestMessage* const record = find(std::string(content));
  if (record == nullptr) return;
  record->is_leaked = true;
  if (!is_single(*record)) {
    const bool may_be_in_it = !rules_.are_for_all ||
                              rules_.allow(Action::join, liar, record->target) ||
                              rules_.allow(Action::overhear, liar, record->source);
    if (!may_be_in_it) fault("the liar got " + record->text + " to " + record->target);
    return;
  }
  const bool may_overhear = rules_.allow(Action::overhear, liar, record->source) &&
                            rules_.allow(Action::overhear, liar, record->target) &&
                            rules_.allow(Action::send, record->source, record->target);
  if (may_overhear ||
      (is_liars(record->target) && rules_.allow(Action::send, record->source, liar)))
    return;
  fault("the liar got " + record->text + " to " + record->target);
}

void Witness::on_reply(HonestMessage& request, const Message& message) {
  ++clock_;
  request.is_sent = request.is_over = true;
  const std::string source = message.source().name().str();
  if (is_liars(request.target)) return;
  const std::string text(message.text());
  HonestMessage* const answer = find(text);
  if (answer == nullptr || answer->kind != HonestMessage::Kind::reply || answer->source != source ||
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

bool Witness::fits(const HonestTap& tap, const HonestMessage& record) const {
  return (tap.source.empty() || tap.source == record.source) &&
         (tap.target.empty() || tap.target == record.target);
}

bool Witness::may_be_overheard(const HonestMessage& record, const std::string& eavesdropper,
                               bool for_sure) const {
  if (!for_sure && !nodes_ask_ && are_of_one_node(record.source, eavesdropper)) return true;
  return rules_.allow(Action::overhear, eavesdropper, record.source) &&
         rules_.allow(Action::overhear, eavesdropper, record.target) &&
         rules_.allow(Action::send, record.source, record.target);
}

void Witness::on_copy(const std::string& reader, const Message& message, HonestMessage* record) {
  const std::string text(message.text());
  const std::string source = message.source().name().str();
  const auto tap = taps_.find(message.tap());
  const std::string target = message.target().str();
  if (is_liars(source)) {
    if (!rules_.allow(Action::overhear, reader, source))
      fault(reader + " overheard '" + source + "', which it may not");
    if (!rules_.allow(Action::send, source, target))
      fault(reader + " overheard what '" + source + "' may not send to '" + target + "'");
    return;
  }
  if (may_be_made_up(source, record)) return;
  const bool may_be_redirected =
      record != nullptr && (is_liars(record->target) || may_answer_anybody(record));
  if (record == nullptr || record->source != source ||
      (record->target != target && !may_be_redirected))
    return fault(reader + " overheard '" + source + "' say to '" + target +
                 "' what was never sent: " + printable(text));
  if (tap == taps_.end() || tap->second.eavesdropper != reader) return;  // it is just opening
  if (may_be_redirected) return;
  if (!fits(tap->second, *record)) return fault(reader + " overheard what does not fit: " + text);
  if (!may_be_overheard(*record, reader, false))
    return fault(reader + " overheard what it may not: " + text);
  if (++record->overheard[tap->first] > 1) fault(reader + " overheard twice " + text);
}

// ── the end ─────────────────────────────────────────────────────────────────────────────────────

std::vector<std::string> Witness::sure_readers(const HonestMessage& record) const {
  std::vector<std::string> readers;
  const auto add = [&](const std::string& name) {
    if (staying_.contains(name) && may_pass(record, name)) readers.push_back(name);
  };
  if (is_single(record)) add(record.target);
  else
    for (const std::string& member : record.members) add(member);
  return readers;
}

bool Witness::must_be_overheard(const HonestTap& tap, const HonestMessage& record) const {
  if (!staying_.contains(tap.eavesdropper) || !tap.is_open || record.began < tap.opened)
    return false;
  const bool is_usual =
      record.kind == HonestMessage::Kind::plain || record.kind == HonestMessage::Kind::tracked;
  if (!is_usual || !record.is_sent || record.source == tap.eavesdropper ||
      record.target == tap.eavesdropper)
    return false;
  return fits(tap, record) && may_pass(record, record.target) && staying_.contains(record.target) &&
         may_be_overheard(record, tap.eavesdropper, true);
}

std::string Witness::missing() {
  for (const auto& [token, record] : messages_) {
    if (record.kind == HonestMessage::Kind::reply) continue;
    if (!record.is_over) return shown(token, record) + " has not ended";
    const std::vector<std::string> readers = sure_readers(record);
    const bool may_fail =
        !is_single(record) || (record.kind == HonestMessage::Kind::request &&
                               !rules_.allow(Action::send, record.target, record.source));
    if (!readers.empty() && !record.failed.empty() && !may_fail)
      return shown(token, record) + " failed: " + record.failed;
    for (const std::string& reader : readers) {
      if (!record.read.contains(reader)) return reader + " has not read " + shown(token, record);
    }
    for (const auto& [id, tap] : taps_) {
      if (must_be_overheard(tap, record) && !record.overheard.contains(id))
        return tap.eavesdropper + " has not overheard " + shown(token, record);
    }
    std::string wrong;
    judge_receipt(record, wrong);
    if (!wrong.empty()) return shown(token, record) + wrong;
  }
  return {};
}

void Witness::judge_receipt(const HonestMessage& record, std::string& wrong) const {
  if (!record.receipt || !record.is_sent) return;
  for (const TargetOutcome& end : record.receipt->targets()) {
    const std::string target = end.target.str();
    if (is_liars(target)) continue;
    if (!staying_.contains(target)) continue;
    if (!end.outcome) {
      wrong = ": no end at " + target;
    } else if (may_pass(record, target) != (*end.outcome == Outcome::consumed)) {
      wrong = ": its end at " + target + " is said to be " + to_string(*end.outcome);
    } else if (*end.outcome == Outcome::consumed && !record.read.contains(target)) {
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
