#include "coracle/acl/protocols/initiation.hpp"

#include "folded.hpp"

#include "coracle/errors.hpp"

#include <algorithm>

namespace coracle::acl {

namespace {

void check(const Protocol& protocol, const Message& opening) {
  std::string fault;
  if (opening.receivers.empty()) {
    fault = "it has no receivers; name at least one";
  } else if (opening.receivers.size() > max_receivers) {
    fault = "it has more than " + std::to_string(max_receivers) + " receivers; divide them";
  } else if (!protocol.is_opened_by(opening.performative)) {
    fault = "'" + std::string(to_text(opening.performative)) + "' does not begin it; give '" +
            std::string(to_text(protocol.openings[0])) + "'";
  }
  if (fault.empty()) return;
  throw Error(Errc::bad_options,
              "a conversation of '" + std::string(protocol.name) + "' cannot begin: " + fault);
}

}  // namespace

Initiation::Initiation(const Protocol& protocol, Message opening, const MessageIds& ids,
                       std::optional<Duration> reply_within, const Calendar& calendar, Time now)
    : conversation_id_(opening.conversation_id) {
  check(protocol, opening);
  if (conversation_id_.empty()) conversation_id_ = ids();
  opening.conversation_id = conversation_id_;
  opening.protocol = protocol.name;
  opening.in_reply_to.clear();
  if (reply_within) opening.reply_by = date_from_now(*reply_within);
  const std::vector<AgentId> receivers = std::exchange(opening.receivers, {});
  sessions_.reserve(receivers.size());
  for (const AgentId& each : receivers) {
    if (!by_partner_.emplace(folded(each.name), sessions_.size()).second) continue;
    Message message = opening;
    message.receivers = {each};
    message.reply_with = ids();
    outgoing_.push_back({sessions_.size(), message});
    sessions_.emplace_back(protocol, std::move(message), calendar, now);
  }
}

std::size_t Initiation::count(State state) const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      sessions_, [state](const Session& each) { return each.state() == state; }));
}

Time Initiation::deadline() const noexcept {
  Time next = Time::max();
  for (const Session& each : sessions_) next = std::min(next, each.deadline());
  return next;
}

Initiation::Hearing Initiation::hear(const Message& message, Time now) {
  if (message.conversation_id != conversation_id_) return {};
  if (const auto found = by_partner_.find(folded(message.sender.name));
      found != by_partner_.end()) {
    const Heard heard = sessions_[found->second].hear(message, now);
    if (heard != Heard::foreign) return {heard, found->second};
  }
  // A platform reports that a message was lost, or an agent answers that a recruiter has found.
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    const Heard heard = sessions_[i].hear(message, now);
    if (heard == Heard::taken || heard == Heard::relayed) return {heard, i};
  }
  return {};
}

void Initiation::on_time(Time now) {
  for (Session& each : sessions_) each.on_time(now);
}

bool Initiation::say(std::size_t session, Speech speech, Time now) {
  std::optional<Message> message = sessions_.at(session).say(std::move(speech), now);
  if (!message) return false;
  outgoing_.push_back({session, std::move(*message)});
  return true;
}

bool Initiation::cancel(std::size_t session, Speech speech, Time now) {
  std::optional<Message> message = sessions_.at(session).cancel(std::move(speech), now);
  if (!message) return false;
  outgoing_.push_back({session, std::move(*message)});
  return true;
}

std::size_t Initiation::say_to_all(const Speech& speech, Time now) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    if (say(i, speech, now)) ++count;
  }
  return count;
}

void Initiation::cancel_all(const Speech& speech, Time now) {
  for (std::size_t i = 0; i < sessions_.size(); ++i) (void)cancel(i, speech, now);
}

void Initiation::end_all(Outcome outcome) noexcept {
  for (Session& each : sessions_) each.end(outcome);
}

}  // namespace coracle::acl
