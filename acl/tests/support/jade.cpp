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

const std::string jade_xml =
    "<fipa-message act=\"REQUEST\" >\n"
    "\t<sender>\n"
    "\t\t<agent-identifier>\n"
    "\t\t\t<name id=\"alice@p1\" />\n"
    "\t\t\t<addresses>\n"
    "\t\t\t\t<url href=\"http://127.0.0.1:7778/acc\" />\n"
    "\t\t\t</addresses>\n"
    "\t\t</agent-identifier>\n"
    "\t</sender>\n"
    "\t<receiver>\n"
    "\t\t<agent-identifier>\n"
    "\t\t\t<name id=\"bob@p2\" />\n"
    "\t\t\t<addresses>\n"
    "\t\t\t\t<url href=\"http://127.0.0.1:7779/acc\" />\n"
    "\t\t\t</addresses>\n"
    "\t\t</agent-identifier>\n"
    "\t</receiver>\n"
    "\t<content>((action (agent-identifier :name bob@p2) (say \\\"hi\\\")))</content>\n"
    "\t<language>fipa-sl0</language>\n"
    "\t<ontology>my onto</ontology>\n"
    "\t<protocol>fipa-request</protocol>\n"
    "\t<conversation-id>c1</conversation-id>\n"
    "\t<reply-with>r1</reply-with>\n"
    "\t<reply-by time=\"20231114T221320123Z\" />\n"
    "</fipa-message>\n";

const std::string jade_bits = from_hex(
    "fa 10 13 0b 14 22 6d 79 20 6f 6e 74 6f 22 00 02 02 10 61 6c 69 63 65 40 70 31 00 02 10 68 74"
    "74 70 3a 2f 2f 31 32 37 2e 30 2e 30 2e 31 3a 37 37 37 38 2f 61 63 63 00 01 01 03 02 10 62 6f"
    "62 40 70 32 00 02 10 68 74 74 70 3a 2f 2f 31 32 37 2e 30 2e 30 2e 31 3a 37 37 37 39 2f 61 63"
    "63 00 01 01 01 0d 10 63 31 00 06 24 31 34 22 25 33 24 31 23 40 5a 05 10 72 31 00 09 10 66 69"
    "70 61 2d 73 6c 30 00 0c 10 66 69 70 61 2d 72 65 71 75 65 73 74 00 00 10 66 6f 6f 00 14 62 61"
    "72 20 62 61 7a 00 04 14 28 28 61 63 74 69 6f 6e 20 28 61 67 65 6e 74 2d 69 64 65 6e 74 69 66"
    "69 65 72 20 3a 6e 61 6d 65 20 62 6f 62 40 70 32 29 20 28 73 61 79 20 22 68 69 22 29 29 29 00"
    "01");

const std::string jade_second_bits = from_hex(
    "fb 10 13 0b 11 00 02 02 11 01 02 11 02 01 01 03 02 11 03 02 11 04 01 01 01 0d 11 05 06 24 31"
    "34 22 25 33 24 31 23 40 5a 05 11 06 09 11 07 0c 11 08 00 11 09 11 0a 04 11 0b 01");

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
