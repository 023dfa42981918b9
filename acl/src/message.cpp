#include "coracle/acl/message.hpp"

namespace coracle::acl {

std::string_view text_of(const Message& message) noexcept {
  const auto* text = std::get_if<std::string>(&message.content);
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

std::span<const std::byte> bytes_of(const Message& message) noexcept {
  if (const auto* bytes = std::get_if<Bytes>(&message.content)) return *bytes;
  return std::as_bytes(std::span(text_of(message)));
}

bool has_content(const Message& message) noexcept { return !bytes_of(message).empty(); }

Message reply(const Message& message, Performative performative) {
  Message answer;
  answer.performative = performative;
  if (!message.reply_to.empty()) answer.receivers = message.reply_to;
  else if (!message.sender.name.empty()) answer.receivers = {message.sender};
  answer.language = message.language;
  answer.ontology = message.ontology;
  answer.protocol = message.protocol;
  answer.conversation_id = message.conversation_id;
  answer.in_reply_to = message.reply_with;
  return answer;
}

}  // namespace coracle::acl
