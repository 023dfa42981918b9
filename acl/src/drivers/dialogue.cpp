#include "drivers/dialogue.hpp"

#include <algorithm>

namespace coracle::acl {

Message opened_by(Agent& self, const Protocol& protocol, Message message, const Terms& terms) {
  message.sender = terms.settings().naming.agent_of(self.name());
  if (!protocol.is_opened_by(message.performative)) {
    message.performative = protocol.openings.back();
  }
  return message;
}

Dialogue::Dialogue(Agent& self, const Protocol& protocol, Message message, Terms terms)
    : self_(self),
      terms_(std::move(terms)),
      conversation_(protocol, opened_by(self, protocol, std::move(message), terms_),
                    terms_.settings().ids, terms_.reply_within(), terms_.settings().calendar,
                    self.now()),
      correspondence_(self, terms_.settings(), conversation_.conversation_id()),
      end_(terms_.until().at(self.now())) {}

Task<> Dialogue::send() {
  for (;;) {
    std::vector<Initiation::Outgoing> messages = conversation_.take_outgoing();
    if (messages.empty()) co_return;
    Task<std::vector<std::size_t>> sending =
        send_all(self_, terms_.settings(), std::move(messages));
    for (const std::size_t each : co_await std::move(sending)) {
      conversation_.end(each, Outcome::lost);
    }
  }
}

Task<Initiation::Hearing> Dialogue::step(Time until) {
  co_await send();
  if (conversation_.is_over()) co_return Initiation::Hearing{};
  until = std::min({until, end_, conversation_.deadline()});
  const std::optional<Message> message = co_await correspondence_.receive(until);
  if (message) co_return conversation_.hear(*message, now());
  conversation_.on_time(now());
  if (now() >= end_) conversation_.end_all(Outcome::expired);
  co_return Initiation::Hearing{};
}

Answers Dialogue::answers() const {
  Answers all;
  for (const Session& each : conversation_.sessions()) {
    all.push_back({each.partner(), each.outcome(), each.heard()});
  }
  return all;
}

}  // namespace coracle::acl
