#include "coracle/acl/protocols/participations.hpp"

#include "folded.hpp"

namespace coracle::acl {

const Protocol* protocol_of(const Message& message) noexcept {
  if (!message.protocol.empty()) return protocol_named(message.protocol);
  // An auction begins with an inform, as much else does.
  if (message.performative == Performative::inform) return nullptr;
  for (const Protocol* each : all_protocols()) {
    if (each->is_opened_by(message.performative)) return each;
  }
  return nullptr;
}

Participations::Hearing Participations::hear(const Message& message, Time now) {
  Key key(folded(message.sender.name), message.conversation_id);
  const Hearing found = hear_in_session(key, message, now);
  if (found.found != Found::nothing) return found;
  const Protocol* protocol = protocol_of(message);
  if (protocol == nullptr || !protocol->is_opened_by(message.performative)) return {};
  if (key.second.empty()) key.second = "\n" + std::to_string(++unnamed_);
  return begin(*protocol, std::move(key), message, now);
}

Participations::Hearing Participations::hear_in_session(const Key& key, const Message& message,
                                                        Time now) {
  if (!key.second.empty()) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end() || found->second->state() == State::over) return {};
    const Heard heard = found->second->hear(message, now);
    // Its time may have ended, which this message may begin anew.
    if (found->second->state() == State::over && heard != Heard::taken) return {};
    return {Found::session, heard, found->second};
  }
  if (message.in_reply_to.empty()) return {};
  for (auto each = by_key_.lower_bound(key);
       each != by_key_.end() && each->first.first == key.first; ++each) {
    if (!each->second->opening().conversation_id.empty()) continue;
    const Heard heard = each->second->hear(message, now);
    if (heard == Heard::taken) return {Found::session, heard, each->second};
  }
  return {};
}

Participations::Hearing Participations::begin(const Protocol& protocol, Key key,
                                              const Message& message, Time now) {
  std::size_t with_sender = 0;
  for (auto each = by_key_.lower_bound({key.first, {}});
       each != by_key_.end() && each->first.first == key.first; ++each) {
    ++with_sender;
  }
  if (sessions_.size() >= limits_.all || with_sender >= limits_.each) {
    return {Found::no_room, Heard::foreign, nullptr};
  }
  auto held = std::make_unique<Held>(Held{{protocol, message, self_, ids_(), calendar_, now}, key});
  Session* const made = &held->session;
  sessions_.emplace(made, std::move(held));
  by_key_[std::move(key)] = made;
  return {Found::begun, Heard::taken, made};
}

void Participations::remove(const Session& session) {
  const auto held = sessions_.find(&session);
  if (held == sessions_.end()) return;
  const auto indexed = by_key_.find(held->second->key);
  // A new session may have taken the place of one that is over.
  if (indexed != by_key_.end() && indexed->second == &session) by_key_.erase(indexed);
  sessions_.erase(held);
}

}  // namespace coracle::acl
