#include "draw.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <array>

namespace coracle::acl::test {

namespace {

using namespace std::string_literals;

const std::vector<std::string> visible = {"a",
                                          "B",
                                          "fipa-sl0",
                                          "42",
                                          "-1.5e3",
                                          "12f",
                                          "20231114T221320123Z",
                                          ":sender",
                                          "X-",
                                          "inform",
                                          "set",
                                          "sequence",
                                          "agent-identifier",
                                          "@",
                                          "+",
                                          "_",
                                          "/",
                                          "http://127.0.0.1:7778/acc"};
const std::vector<std::string> marks = {
    "\"",    "\\",  "\\\"",      "\\\\", "(", ")", "#",   "#3\"", "#99999\"", "<",   ">", "&",
    "&amp;", "]]>", "<![CDATA[", "'",    "=", "?", "%00", " ",    "  ",       "a b", "\n"};
const std::vector<std::string> others = {
    "\t", "\r", "\r\n", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x90\x9f", "\x7f", "\xc2\x85"};
const std::vector<std::string> bytes = {"\x01", "\x10", "\x14", "\x1b", "\xff", "\xc3", "\xfe"};

std::vector<std::string> joined(std::initializer_list<std::vector<std::string>> lists) {
  std::vector<std::string> all;
  for (const auto& each : lists) all.insert(all.end(), each.begin(), each.end());
  return all;
}

std::size_t draw_number(std::size_t end) { return *rc::gen::inRange<std::size_t>(0, end); }
bool draw_bool() { return draw_number(2) == 1; }

std::string draw_name(const std::vector<std::string>& pieces) {
  std::string name = draw_text(pieces);
  return name.empty() ? "n" : name;
}

Parameters draw_parameters(const Texts& texts, const std::vector<std::string>& keys) {
  Parameters parameters;
  for (std::size_t left = draw_number(3); left > 0; --left) {
    parameters.emplace_back(keys[draw_number(keys.size())], draw_text(texts.in_values));
  }
  return parameters;
}

std::vector<AgentId> draw_agents(const Texts& texts, std::size_t depth) {
  std::vector<AgentId> agents(draw_number(3));
  for (AgentId& each : agents) each = draw_agent(texts, depth);
  return agents;
}

}  // namespace

Texts any_texts() {
  const auto all = joined({visible, marks, others, bytes, {"\0"s, "\0a"s}});
  return {all, all};
}

Texts texts_without_zero() {
  const auto all = joined({visible, marks, others, bytes});
  return {all, all};
}

Texts texts_of_xml() {
  const auto all = joined({visible, marks, others});
  return {all, all};
}

std::vector<std::string> plain_keys() {
  return {"foo", "X-bar", "JADE-trace", "a.b_c-d", "FOO", "foo"};
}

std::string draw_text(const std::vector<std::string>& pieces) {
  std::string text;
  for (std::size_t left = draw_number(4); left > 0; --left) {
    text += pieces[draw_number(pieces.size())];
  }
  return text;
}

AgentId draw_agent(const Texts& texts, std::size_t depth) {
  AgentId agent;
  agent.name = draw_name(texts.in_names);
  for (std::size_t left = draw_number(3); left > 0; --left) {
    agent.addresses.push_back(draw_text(texts.in_names));
  }
  if (depth < 3) agent.resolvers = draw_agents(texts, depth + 1);
  agent.user = draw_parameters(texts, plain_keys());
  return agent;
}

DateTime draw_date() {
  DateTime date;
  date.kind = static_cast<DateTime::Kind>(draw_number(3));
  date.zone = std::array{'Z', 'a', '\0'}[draw_number(3)];
  date.year = static_cast<std::uint16_t>(draw_number(10000));
  date.month = static_cast<std::uint8_t>(draw_number(100));
  date.day = static_cast<std::uint8_t>(draw_number(100));
  date.hour = static_cast<std::uint8_t>(draw_number(100));
  date.minute = static_cast<std::uint8_t>(draw_number(100));
  date.second = static_cast<std::uint8_t>(draw_number(100));
  date.millisecond = static_cast<std::uint16_t>(draw_number(1000));
  return date;
}

Message draw_message(const Texts& texts, const std::vector<std::string>& keys) {
  Message message;
  message.performative = static_cast<Performative>(draw_number(performatives));
  if (draw_bool()) message.sender = draw_agent(texts);
  message.receivers = draw_agents(texts, 0);
  message.reply_to = draw_agents(texts, 0);
  if (draw_bool()) {
    message.content = draw_text(texts.in_values);
  } else {
    const auto drawn = *rc::gen::arbitrary<std::vector<std::uint8_t>>();
    Bytes content(drawn.size());
    std::ranges::transform(drawn, content.begin(), [](auto byte) { return std::byte{byte}; });
    if (!content.empty()) message.content = std::move(content);
  }
  for (auto parameter : {&Message::language, &Message::encoding, &Message::ontology,
                         &Message::conversation_id, &Message::reply_with, &Message::in_reply_to}) {
    message.*parameter = draw_text(texts.in_values);
  }
  message.protocol = draw_text(texts.in_names);
  if (draw_bool()) message.reply_by = draw_date();
  message.user = draw_parameters(texts, keys);
  return message;
}

Envelope draw_envelope(const Texts& texts) {
  Envelope envelope;
  envelope.to = draw_agents(texts, 0);
  if (draw_bool()) envelope.from = draw_agent(texts);
  envelope.comments = draw_text(texts.in_names);
  envelope.representation =
      draw_bool() ? std::string(xml_representation) : draw_text(texts.in_names);
  if (draw_bool()) envelope.payload_length = *rc::gen::arbitrary<std::uint64_t>();
  envelope.payload_encoding = draw_text(texts.in_names);
  envelope.date = draw_date();
  envelope.intended_receivers = draw_agents(texts, 0);
  envelope.received.resize(draw_number(4));
  for (Stamp& each : envelope.received) {
    each = {.by = draw_text(texts.in_names),
            .from = draw_text(texts.in_names),
            .date = draw_date(),
            .id = draw_text(texts.in_names),
            .via = draw_text(texts.in_names)};
    for (std::size_t left = draw_number(2); left > 0; --left) {
      each.user.emplace_back("X-stamp", draw_text(texts.in_names));
    }
  }
  envelope.transport_behaviour = draw_text(texts.in_names);
  for (std::size_t left = draw_number(3); left > 0; --left) {
    envelope.user.push_back({.name = "X-foo", .value = draw_text(texts.in_names)});
  }
  return envelope;
}

}  // namespace coracle::acl::test
