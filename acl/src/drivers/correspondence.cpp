#include "drivers/correspondence.hpp"

#include "coracle/acl/match.hpp"
#include "coracle/acl/participant.hpp"
#include "coracle/errors.hpp"
#include "coracle/typed.hpp"

#include <algorithm>
#include <deque>

namespace coracle::acl {

namespace {

// A message on its way out; it is tried at once.
struct Departure {
  Departure(Agent& self, std::size_t number, const Name& to, const Message& message,
            Duration patience)
      : session(number), sending(self.send_result(to, Content::of(message))) {
    if (!sending.has_ended()) sending.patience(patience);
  }

  std::size_t session;
  coracle::detail::Sending::AsResult sending;
};

}  // namespace

Task<std::vector<std::size_t>> send_all(Agent& self, const Settings& settings,
                                        std::vector<Initiation::Outgoing> messages,
                                        Duration patience) {
  std::vector<std::size_t> lost;
  std::deque<Departure> departures;
  for (const Initiation::Outgoing& each : messages) {
    for (const AgentId& receiver : each.message.receivers) {
      const Result<Name> name = settings.naming.name_of(receiver);
      if (name) departures.emplace_back(self, each.session, name.value(), each.message, patience);
      else lost.push_back(each.session);
    }
  }
  for (Departure& each : departures) {
    const Result<void> sent = co_await each.sending;
    if (!sent && sent.error().errc() == Errc::stopped) throw Error(sent.error());
    if (!sent) lost.push_back(each.session);
  }
  co_return lost;
}

Correspondence::Correspondence(Agent& self, const Settings& settings, std::string conversation_id)
    : self_(self), settings_(settings), conversation_id_(std::move(conversation_id)) {
  const auto* participant = dynamic_cast<const Participant*>(&self);
  if (participant != nullptr) own_ = participant->own_conversations();
  if (own_) own_->insert(conversation_id_);
}

Correspondence::~Correspondence() {
  if (own_) own_->erase(conversation_id_);
}

Task<std::optional<Message>> Correspondence::receive(Time until) {
  for (;;) {
    Match mine = of_conversation(conversation_id_) && addressed();
    std::optional<coracle::Message> received = co_await self_.receive(std::move(mine), until);
    if (!received) co_return std::nullopt;
    if (std::optional<Message> message = honest(*received, settings_)) co_return message;
  }
}

}  // namespace coracle::acl
