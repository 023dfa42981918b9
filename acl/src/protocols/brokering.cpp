#include "coracle/acl/protocols/brokering.hpp"

#include "coracle/acl/ontology/contents.hpp"
#include "coracle/acl/protocols/participations.hpp"
#include "coracle/acl/sl/text.hpp"
#include "coracle/errors.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace coracle::acl {

namespace {

Error no_proxy(std::string reason) {
  return Error(Errc::bad_encoding, "the content of a proxy message cannot be read: " +
                                       std::move(reason) + "; its sender has to correct it");
}

std::vector<AgentId> or_else(std::vector<AgentId> agents, const std::vector<AgentId>& others) {
  return agents.empty() ? others : std::move(agents);
}

// The agents that get the answers to the message of a session.
std::vector<AgentId> answered(const Message& message) {
  return or_else(message.reply_to, {message.sender});
}

}  // namespace

std::string proxy_content(const AgentId& broker, const Proxy& proxy) {
  std::vector<sl::Term> content;
  content.push_back(proxy.targets);
  content.push_back(sl::action(to_term(broker), to_term(proxy.message)));
  content.push_back(proxy.condition);
  return to_text(content);
}

Result<Proxy> read_proxy(std::string_view content) {
  sl::Reading reading = sl::read_content(content);
  if (reading.fault) return no_proxy(reading.fault->reason);
  const bool is_one = reading.expressions.size() == 3;
  const sl::Compound* action = is_one ? reading.expressions[1].as_compound("action") : nullptr;
  if (action == nullptr) return no_proxy("it is not a description, an action and a condition");
  Proxy proxy;
  const auto mismatch = from_term(action->arguments[1].value, proxy.message);
  if (mismatch) return no_proxy("its message " + mismatch->reason);
  proxy.targets = std::move(reading.expressions[0]);
  proxy.condition = std::move(reading.expressions[2]);
  return proxy;
}

const Protocol* brokered_protocol(const Message& message) noexcept {
  static constexpr std::array simple = {&request_protocol, &query_protocol, &request_when_protocol,
                                        &propose_protocol, &subscribe_protocol};
  const Protocol* found = protocol_of(message);
  const bool is_simple = std::ranges::find(simple, found) != simple.end();
  return is_simple && found->is_opened_by(message.performative) ? found : nullptr;
}

Message passed_back(const Message& answer, const Session& client, const Proxy& proxy) {
  Message message = answer;
  message.sender = client.self();
  message.receivers = answered(client.opening());
  message.reply_to.clear();
  message.conversation_id = client.opening().conversation_id;
  message.in_reply_to = proxy.message.reply_with;
  message.reply_with.clear();
  message.user.clear();
  return message;
}

Message recruiting(const Proxy& proxy, const Session& client) {
  Message message = proxy.message;
  message.sender = client.self();
  message.receivers.clear();
  message.reply_to = or_else(proxy.message.reply_to, answered(client.opening()));
  message.conversation_id = client.opening().conversation_id;
  return message;
}

}  // namespace coracle::acl
