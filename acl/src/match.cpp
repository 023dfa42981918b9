#include "coracle/acl/match.hpp"

#include "ascii.hpp"

#include <algorithm>

namespace coracle::acl {

namespace {

// Tests a name that people choose, in any case of its letters.
Match by_parameter(std::string Message::*parameter, std::string wanted) {
  return where([parameter, wanted = std::move(wanted)](const Message& message) {
    return same_text(message.*parameter, wanted);
  });
}

// Tests an identifier, which is compared as it is.
Match by_id(std::string Message::*parameter, std::string wanted) {
  return where([parameter, wanted = std::move(wanted)](const Message& message) {
    return message.*parameter == wanted;
  });
}

bool has_agent(const std::vector<AgentId>& agents, std::string_view name) {
  return std::ranges::any_of(agents,
                             [&](const AgentId& each) { return same_text(each.name, name); });
}

bool has_agents(const std::vector<AgentId>& agents, const std::vector<AgentId>& wanted) {
  return std::ranges::all_of(wanted,
                             [&](const AgentId& each) { return has_agent(agents, each.name); });
}

bool has_parameter(const Parameters& parameters, std::string_view name, std::string_view value) {
  return std::ranges::any_of(parameters, [&](const auto& each) {
    return same_text(each.first, name) && each.second == value;
  });
}

bool has_parameters(const Parameters& parameters, const Parameters& wanted) {
  return std::ranges::all_of(
      wanted, [&](const auto& each) { return has_parameter(parameters, each.first, each.second); });
}

bool is_name_like(std::string_view text, std::string_view wanted) {
  return wanted.empty() || same_text(text, wanted);
}

bool is_id_like(std::string_view text, std::string_view wanted) {
  return wanted.empty() || text == wanted;
}

bool is_like(const Message& message, const Message& wanted) {
  return is_name_like(message.sender.name, wanted.sender.name) &&
         is_name_like(message.language, wanted.language) &&
         is_name_like(message.encoding, wanted.encoding) &&
         is_name_like(message.ontology, wanted.ontology) &&
         is_name_like(message.protocol, wanted.protocol) &&
         is_id_like(message.conversation_id, wanted.conversation_id) &&
         is_id_like(message.reply_with, wanted.reply_with) &&
         is_id_like(message.in_reply_to, wanted.in_reply_to) &&
         (!wanted.reply_by || message.reply_by == wanted.reply_by) &&
         (!has_content(wanted) || message.content == wanted.content) &&
         has_agents(message.receivers, wanted.receivers) &&
         has_agents(message.reply_to, wanted.reply_to) && has_parameters(message.user, wanted.user);
}

}  // namespace

bool detail::MessageTest::fits(const MessageView& message) const {
  const Content content = message.content();
  const auto* const read = content.try_as<Message>();
  return read != nullptr && fits(*read);
}

Match any_message() {
  return where([](const Message&) { return true; });
}

Match of_performative(Performative performative) {
  return where([=](const Message& message) { return message.performative == performative; });
}

Match of_protocol(std::string protocol) {
  return by_parameter(&Message::protocol, std::move(protocol));
}

Match of_conversation(std::string conversation_id) {
  return by_id(&Message::conversation_id, std::move(conversation_id));
}

Match of_ontology(std::string ontology) {
  return by_parameter(&Message::ontology, std::move(ontology));
}

Match of_language(std::string language) {
  return by_parameter(&Message::language, std::move(language));
}

Match of_encoding(std::string encoding) {
  return by_parameter(&Message::encoding, std::move(encoding));
}

Match replying_to(std::string reply_with) {
  return by_id(&Message::in_reply_to, std::move(reply_with));
}

Match with_reply_with(std::string reply_with) {
  return by_id(&Message::reply_with, std::move(reply_with));
}

Match with_reply_by(DateTime reply_by) {
  return where([=](const Message& message) { return message.reply_by == reply_by; });
}

Match with_content(Body content) {
  return where([content = std::move(content)](const Message& message) {
    return message.content == content;
  });
}

Match with_parameter(std::string name, std::string value) {
  return where([name = std::move(name), value = std::move(value)](const Message& message) {
    return has_parameter(message.user, name, value);
  });
}

Match from_agent(std::string name) {
  return where([name = std::move(name)](const Message& message) {
    return same_text(message.sender.name, name);
  });
}

Match to_agent(std::string name) {
  return where([name = std::move(name)](const Message& message) {
    return has_agent(message.receivers, name);
  });
}

Match answered_to(std::string name) {
  return where([name = std::move(name)](const Message& message) {
    return has_agent(message.reply_to, name);
  });
}

Match like(Message example) {
  return where(
      [example = std::move(example)](const Message& message) { return is_like(message, example); });
}

}  // namespace coracle::acl
