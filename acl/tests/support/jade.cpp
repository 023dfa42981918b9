#include "jade.hpp"

namespace coracle::acl::test {

Message jade_message() {
  Message message;
  message.performative = Performative::request;
  message.sender = {.name = "alice@p1", .addresses = {"http://127.0.0.1:7778/acc"}};
  message.receivers = {{.name = "bob@p2", .addresses = {"http://127.0.0.1:7779/acc"}}};
  message.content = R"(((action (agent-identifier :name bob@p2) (say "hi"))))";
  message.reply_with = "r1";
  message.language = "fipa-sl0";
  message.ontology = "my onto";
  message.reply_by = date_time_from("20231114T221320123Z");
  message.protocol = "fipa-request";
  message.conversation_id = "c1";
  message.user = {{"foo", "bar baz"}};
  return message;
}

const std::string jade_string =
    "(REQUEST\n"
    " :sender  ( agent-identifier :name alice@p1  :addresses (sequence http://127.0.0.1:7778/acc ))"
    "\n"
    " :receiver  (set ( agent-identifier :name bob@p2  :addresses (sequence "
    "http://127.0.0.1:7779/acc )) )\n"
    " :content  \"((action (agent-identifier :name bob@p2) (say \\\"hi\\\")))\" \n"
    " :reply-with  r1  :language  fipa-sl0  :ontology  \"my onto\"  :reply-by  "
    "20231114T221320123Z\n"
    " :protocol  fipa-request\n"
    " :conversation-id  c1 :X-foo \"bar baz\" )";

std::string from_hex(std::string_view hex) {
  std::string bytes;
  int held = -1;
  for (const char digit : hex) {
    if (digit == ' ' || digit == '\n') continue;
    const int value = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    if (held < 0) held = value;
    else bytes += static_cast<char>(16 * held + value), held = -1;
  }
  return bytes;
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    if (!hex.empty()) hex += ' ';
    (hex += digits[byte >> 4]) += digits[byte & 15];
  }
  return hex;
}

}  // namespace coracle::acl::test
