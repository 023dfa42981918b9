#include "coracle/acl/protocols/session.hpp"

#include "ascii.hpp"

#include "coracle/support/mutations.hpp"

#include <algorithm>
#include <utility>

namespace coracle::acl {

namespace {

using Act = Performative;

// Between the text of a session and the number of a message or a cancel.
constexpr char said_mark = '.';
constexpr char cancel_mark = '-';

constexpr Side other(Side side) noexcept {
  return side == Side::initiator ? Side::participant : Side::initiator;
}

Outcome outcome_of(Act act) noexcept {
  switch (act) {
    case Act::inform:
      return Outcome::done;
    case Act::refuse:
      return Outcome::refused;
    case Act::failure:
      return Outcome::failed;
    case Act::accept_proposal:
      return Outcome::accepted;
    case Act::reject_proposal:
      return Outcome::rejected;
    default:
      return Outcome::not_understood;
  }
}

Time end_of(const std::optional<Duration>& span, Time now) noexcept {
  return span ? Deadline(*span).at(now) : Time::max();
}

void set_reply_within(Message& message, const std::optional<Duration>& span) {
  if (span) message.reply_by = date_from_now(*span);
}

}  // namespace

const char* to_string(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::open:
      return "open";
    case Outcome::done:
      return "done";
    case Outcome::refused:
      return "refused";
    case Outcome::failed:
      return "failed";
    case Outcome::not_understood:
      return "not understood";
    case Outcome::accepted:
      return "accepted";
    case Outcome::rejected:
      return "rejected";
    case Outcome::cancelled:
      return "cancelled";
    case Outcome::expired:
      return "expired";
    case Outcome::lost:
      return "lost";
    case Outcome::closed:
      break;
  }
  return "closed";
}

Session::Session(const Protocol& protocol, Message opening, const Calendar& calendar, Time now)
    : protocol_(&protocol),
      side_(Side::initiator),
      state_(protocol.first),
      calendar_(calendar),
      self_(opening.sender),
      partner_(opening.receivers.at(0)),
      opening_(std::move(opening)),
      id_(opening_.reply_with),
      asked_with_(id_) {
  await_answer(side_, opening_, now);
}

Session::Session(const Protocol& protocol, const Message& opening, AgentId self, std::string id,
                 const Calendar& calendar, Time now)
    : protocol_(&protocol),
      side_(Side::participant),
      state_(protocol.first),
      calendar_(calendar),
      self_(std::move(self)),
      partner_(opening.sender),
      opening_(opening),
      heard_(opening),
      id_(std::move(id)) {
  await_answer(Side::initiator, opening, now);
}

Time Session::deadline() const noexcept {
  return cancel_ && side_ == Side::initiator ? std::min(deadline_, cancel_->deadline) : deadline_;
}

bool Session::can_say(Performative act) const noexcept {
  return protocol_->find(state_, side_, act) != nullptr;
}

void Session::end(Outcome outcome) noexcept {
  if (state_ == State::over) return;
  state_ = State::over;
  outcome_ = outcome;
  deadline_ = Time::max();
  cancel_.reset();
}

void Session::on_time(Time now) {
  if (cancel_ && side_ == Side::initiator && now >= cancel_->deadline) end(Outcome::cancelled);
  if (now < deadline_) return;
  deadline_ = Time::max();
  if (protocol_->when_silent == State::over) end(Outcome::expired);
  else state_ = protocol_->when_silent;
}

void Session::await_answer(Side asked_by, const Message& message, Time now) noexcept {
  deadline_ = Time::max();
  if (!message.reply_by || !protocol_->is_turn_of(other(asked_by), state_)) return;
  deadline_ = calendar_.time_of(*message.reply_by, now).value_or(Time::max());
}

void Session::go(const Move& move, const Message& message, Time now) {
  if (move.to == State::over) return end(outcome_of(message.performative));
  state_ = move.to;
  await_answer(move.by, message, now);
}

// A cancel of another platform may leave the protocol out.
bool Session::has_protocol_of(const Message& message) const noexcept {
  return message.protocol.empty() || same_text(message.protocol, opening_.protocol);
}

// A platform reports to the sender that a message did not arrive; the report is an answer to that
// message.
bool Session::is_delivery_failure(const Message& message) const noexcept {
  if (message.performative != Act::failure || message.in_reply_to.empty()) return false;
  if (!same_text(local_part(message.sender.name), "ams")) return false;
  const auto platform = platform_part(message.sender.name);
  const bool is_of_either = same_text(platform, platform_part(partner_.name)) ||
                            same_text(platform, platform_part(self_.name));
  return is_of_either &&
         (is_own(message.in_reply_to, said_mark) || is_own(message.in_reply_to, cancel_mark));
}

bool Session::is_own(std::string_view reply_with, char mark) const noexcept {
  if (!reply_with.starts_with(id_)) return false;
  reply_with.remove_prefix(id_.size());
  return reply_with.empty() ? mark == said_mark : reply_with[0] == mark;
}

// A participant answers the last message; an initiator may go on without an answer to one. A
// message that ends the pair early can cross later messages, and answers any of this side but its
// cancels.
bool Session::is_in_sequence(const Message& message) const noexcept {
  const std::string& answered = message.in_reply_to;
  if (answered == asked_with_ || (side_ == Side::participant && answered.empty())) return true;
  const bool ends_early =
      message.performative == Act::failure || message.performative == Act::not_understood;
  return ends_early && is_own(answered, said_mark);
}

std::string Session::next_id(char mark) { return id_ + mark + std::to_string(++said_); }

Heard Session::hear(const Message& message, Time now) {
  on_time(now);
  if (message.conversation_id != opening_.conversation_id) return Heard::foreign;
  const bool is_from_partner =
      is_same_agent(message.sender, partner_) || mutated(Mutation::any_partner);
  const bool is_relayed = !relayed_with_.empty() && message.in_reply_to == relayed_with_ &&
                          (is_from_partner || protocol_->answers_from_others);
  // An answer to the message that was passed on has the protocol of that message.
  if (!is_relayed && !has_protocol_of(message)) return Heard::foreign;
  if (state_ == State::over) return is_from_partner ? Heard::out_of_sequence : Heard::foreign;
  if (is_relayed) {
    heard_ = message;
    return Heard::relayed;
  }
  if (!is_from_partner && is_delivery_failure(message)) {
    heard_ = message;
    end(Outcome::lost);
    return Heard::taken;
  }
  if (!is_from_partner) return Heard::foreign;
  if (side_ == Side::participant && message.performative == Act::cancel) {
    cancel_ = Cancel{message};
    return Heard::cancel_asked;
  }
  if (cancel_ && side_ == Side::initiator && message.in_reply_to == cancel_->message.reply_with) {
    return hear_answer_to_cancel(message);
  }
  const Move* move = protocol_->find(state_, other(side_), message.performative);
  if (move == nullptr || !is_in_sequence(message)) return Heard::out_of_sequence;
  heard_ = message;
  go(*move, message, now);
  return Heard::taken;
}

Heard Session::hear_answer_to_cancel(const Message& message) {
  switch (message.performative) {
    case Act::inform:
      heard_ = message;
      end(Outcome::cancelled);
      return Heard::taken;
    case Act::failure:
    case Act::not_understood:
      cancel_.reset();
      return Heard::cancel_refused;
    default:
      return Heard::out_of_sequence;
  }
}

Message Session::continued(Performative act) const {
  // An initiator's next message answers a proposal, or goes on with the conversation.
  const bool is_reply = side_ == Side::participant || state_ == State::proposed;
  Message message = reply(is_reply ? heard_ : opening_, act);
  if (!is_reply) message.in_reply_to.clear();
  if (side_ == Side::initiator) message.receivers = {partner_};
  message.sender = self_;
  return message;
}

std::optional<Message> Session::say(Speech speech, Time now) {
  on_time(now);
  const Move* move = protocol_->find(state_, side_, speech.act);
  if (move == nullptr) return std::nullopt;
  Message message = continued(speech.act);
  message.content = std::move(speech.content);
  if (move->to != State::over) {
    message.reply_with = next_id(said_mark);
    set_reply_within(message, speech.reply_within);
    asked_with_ = message.reply_with;
  }
  go(*move, message, now);
  return message;
}

std::optional<Message> Session::cancel(Speech speech, Time now) {
  on_time(now);
  if (side_ != Side::initiator || state_ == State::over || cancel_) return std::nullopt;
  Message message = continued(Act::cancel);
  message.in_reply_to.clear();
  message.content = std::move(speech.content);
  message.reply_with = next_id(cancel_mark);
  set_reply_within(message, speech.reply_within);
  cancel_ = Cancel{message, end_of(speech.reply_within, now)};
  return message;
}

std::optional<Message> Session::answer_cancel(bool is_cancelled, Body content, Time now) {
  on_time(now);
  if (side_ != Side::participant || !cancel_) return std::nullopt;
  Message message = reply(cancel_->message, is_cancelled ? Act::inform : Act::failure);
  message.sender = self_;
  message.content = std::move(content);
  cancel_.reset();
  if (is_cancelled) end(Outcome::cancelled);
  return message;
}

}  // namespace coracle::acl
