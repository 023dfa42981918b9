#include "coracle/acl/broker.hpp"

#include "drivers/dialogue.hpp"

#include "coracle/acl/ontology/management_error.hpp"
#include "coracle/acl/sl/text.hpp"

#include <utility>

namespace coracle::acl {

namespace {

using Act = Performative;

// The time after which a broker looks whether its client has cancelled.
constexpr Duration look_again = std::chrono::seconds(1);

Body why(std::string_view reason) {
  const auto predicate = management::reason(management::internal_error, reason);
  return to_text(std::vector<sl::Term>{to_term(predicate)});
}

// Reads the proxy and agrees to it. Empty if the client got another answer.
Task<std::optional<Proxy>> agree_to_proxy(Talk& talk, bool has_targets, bool needs_protocol) {
  std::optional<Proxy> found;
  std::optional<Speech> refusal;
  Result<Proxy> proxy = read_proxy(text_of(talk.opening()));
  if (!proxy) {
    refusal.emplace(Act::not_understood, why("the content is no proxy"));
  } else if (needs_protocol && brokered_protocol(proxy.value().message) == nullptr) {
    refusal.emplace(Act::refuse, why("a message of that protocol cannot be passed on"));
  } else if (!has_targets) {
    refusal.emplace(Act::failure, why("there is no agent that fits"));
  } else {
    found = std::move(proxy).value();
  }
  Speech answer = refusal ? std::move(*refusal) : Speech(Act::agree);
  if (!co_await talk.say(std::move(answer))) found.reset();
  co_return found;
}

}  // namespace

Task<> serve_as_broker(Participant& self, Talk& talk, std::vector<AgentId> targets, Terms terms) {
  const std::optional<Proxy> proxy = co_await agree_to_proxy(talk, !targets.empty(), true);
  if (!proxy) co_return;
  Message message = proxy->message;
  message.receivers = std::move(targets);
  message.reply_to.clear();
  message.conversation_id.clear();
  Dialogue dialogue(self, *brokered_protocol(message), std::move(message), std::move(terms));
  while (!dialogue.conversation().is_over()) {
    const Initiation::Hearing hearing = co_await dialogue.step(self.now() + look_again);
    if (talk.is_cancelling() || talk.session().state() == State::over) break;
    if (hearing.heard != Heard::taken) continue;
    const Session& target = dialogue.conversation().sessions()[hearing.session];
    Message answer = passed_back(target.heard(), talk.session(), *proxy);
    (void)co_await talk.pass(std::move(answer));
  }
  if (talk.is_cancelling()) {
    dialogue.conversation().cancel_all(Speech(Act::cancel, {}, look_again), self.now());
    co_await dialogue.send();
    co_return;
  }
  Speech ready(Act::inform);
  (void)co_await talk.say(std::move(ready));
}

Task<> serve_as_recruiter(Participant& self, Talk& talk, std::vector<AgentId> targets) {
  const std::optional<Proxy> proxy = co_await agree_to_proxy(talk, !targets.empty(), false);
  if (!proxy) co_return;
  std::vector<Initiation::Outgoing> messages(targets.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    messages[i].message = recruiting(*proxy, talk.session());
    messages[i].message.receivers = {targets[i]};
  }
  Task<std::vector<std::size_t>> sending = send_all(self, self.settings(), std::move(messages));
  const std::vector<std::size_t> lost = co_await std::move(sending);
  const bool none = lost.size() == targets.size();
  Speech ready(none ? Act::failure : Act::inform);
  (void)co_await talk.say(std::move(ready));
  talk.leave();  // the targets answer
}

}  // namespace coracle::acl
