#include "codecs/checks.hpp"

#include "ascii.hpp"
#include "coracle/acl/base64.hpp"

#include <algorithm>

namespace coracle::acl {

namespace {

bool marks_bytes(const std::pair<std::string, std::string>& parameter) {
  return same_text(parameter.first, bytes_marker) &&
         same_text(parameter.second, bytes_marker_value);
}

}  // namespace

void check_writable(Form form, const AgentId& agent, std::size_t depth) {
  if (agent.name.empty()) fail_writing(form, "an agent has no name; give it one");
  if (agent.resolvers.empty()) return;
  if (depth == max_resolver_depth) {
    fail_writing(form, "the resolvers of an agent are nested deeper than " +
                           std::to_string(max_resolver_depth) + "; leave the deeper ones out");
  }
  for (const AgentId& each : agent.resolvers) check_writable(form, each, depth + 1);
}

void check_writable(Form form, const DateTime& date) {
  if (!is_writable(date)) {
    fail_writing(form,
                 "a field of a date has more digits than there is room for; give a date that "
                 "exists");
  }
}

void check_writable(Form form, const Message& message) {
  if (static_cast<std::size_t>(message.performative) >= performatives) {
    fail_writing(form, "there is no performative with the number " +
                           std::to_string(static_cast<unsigned>(message.performative)));
  }
  if (has_sender(message)) check_writable(form, message.sender);
  for (const AgentId& each : message.receivers) check_writable(form, each);
  for (const AgentId& each : message.reply_to) check_writable(form, each);
  if (message.reply_by) check_writable(form, *message.reply_by);
  if (std::ranges::any_of(message.user, marks_bytes)) {
    fail_writing(form,
                 "the user parameter JADE-Encoding marks content that are bytes; give the "
                 "content as bytes instead");
  }
}

void restore_bytes(Form form, Message& message, std::size_t at) {
  const bool is_marked = std::erase_if(message.user, marks_bytes) > 0;
  if (!is_marked || std::holds_alternative<Bytes>(message.content)) return;
  auto bytes = from_base64(text_of(message));
  if (!bytes) fail_reading(form, at, "the content is not Base64, although JADE-Encoding says so");
  if (bytes->empty()) message.content = std::string();
  else message.content = std::move(*bytes);
}

}  // namespace coracle::acl
