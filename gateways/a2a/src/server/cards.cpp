#include "server/cards.hpp"

#include "coracle/a2a/model_json.hpp"
#include "coracle/a2a/receipts.hpp"
#include "coracle/a2a/talk.hpp"
#include "coracle/http/url.hpp"
#include "coracle/support/log.hpp"
#include "coracle/support/quote.hpp"
#include "server/groups.hpp"

#include <variant>

namespace coracle::a2a {

namespace {

constexpr std::size_t longest_text = 10'000;

// A property as text; empty if it is none.
std::string text_of(const Properties& properties, std::string_view key) {
  const Value* const value = properties.find(key);
  const std::string* const text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? std::string() : text->substr(0, longest_text);
}

std::string or_else(std::string text, std::string other) {
  return text.empty() ? std::move(other) : std::move(text);
}

AgentCard own_card(const Name& agent, const Properties& properties) {
  AgentCard card;
  card.name = or_else(text_of(properties, "title"), agent.str());
  card.description =
      or_else(text_of(properties, "description"), "The agent " + agent.str() + " of a society.");
  card.version = or_else(text_of(properties, "version"), "1");
  AgentSkill skill;
  const std::string service = text_of(properties, "service");
  skill.id = or_else(service, "message");
  skill.name = or_else(service, "messages");
  skill.description = card.description;
  skill.tags = {or_else(service, "message")};
  card.skills.push_back(std::move(skill));
  return card;
}

std::optional<AgentCard> given_card(const Name& agent, const Properties& properties) {
  const Value* const value = properties.find(card_property);
  const std::string* const text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  if (text == nullptr) return std::nullopt;
  try {
    const Json whole = web::parse_json(*text).value();
    return read<AgentCard>(web::JsonReader(whole));
  } catch (const Error& error) {
    coracle::detail::log_debug(coracle::detail::LogPart::gateway, [&] {
      return "the card of '" + agent.str() + "' cannot be used: " + error.sentence();
    });
    return std::nullopt;
  }
}

void add_security(AgentCard& card, const CardFrame& frame) {
  card.security_schemes.clear();
  card.security_requirements.clear();
  const auto add = [&](const char* name, Json scheme) {
    card.security_schemes.emplace_back(name, std::move(scheme));
    card.security_requirements.push_back({{name, {}}});
  };
  if (frame.takes_tokens)
    add("token", Json().set("httpAuthSecurityScheme", Json().set("scheme", "Bearer")));
  if (frame.takes_api_keys)
    add("apiKey", Json().set("apiKeySecurityScheme",
                             Json().set("location", "header").set("name", "X-API-Key")));
  if (frame.takes_certificates)
    add("certificate",
        Json().set("mtlsSecurityScheme", Json().set("description", "A certificate of TLS")));
}

AgentExtension groups_of(const CardFrame& frame) {
  return {std::string(groups_extension), "Messages to several agents", false,
          Json().set("members", frame.limits.group_members)};
}

AgentExtension receipts() {
  return {std::string(receipts_extension), "Receipts that others can check", false, {}};
}

AgentExtension fipa() {
  return {std::string(fipa_extension), "Performative, protocol and ontology of FIPA", false, {}};
}

AgentExtension resume_of(const CardFrame& frame) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(frame.limits.events_for);
  return {std::string(resume_extension), "Streams go on where they were lost", false,
          Json()
              .set("events", frame.limits.events)
              .set("seconds", seconds.count())
              .set("bytes", frame.limits.event_bytes)};
}

}  // namespace

std::string address_of(const Name& agent, const std::string& base) {
  std::string address = base + "/a2a";
  std::string_view rest = agent.view();
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    address.append("/").append(http::percent_encoded(part));
  }
  return address;
}

AgentCard card_of(const Name& agent, const Properties& properties, const CardFrame& frame) {
  auto given = given_card(agent, properties);
  AgentCard card = given ? *std::move(given) : own_card(agent, properties);
  card.signatures.clear();  // they were made for another card
  const std::string own = address_of(agent, frame.base), shared = frame.base + "/a2a";
  card.supported_interfaces = {{own, "JSONRPC"},
                               {own, "HTTP+JSON"},
                               {shared, "JSONRPC", agent.str()},
                               {shared, "HTTP+JSON", agent.str()}};
  if (!card.provider) card.provider = frame.provider;
  // Those of its own that the gateway does not have itself are the agent's affair.
  std::vector<AgentExtension> extensions = {resume_of(frame), groups_of(frame), receipts(), fipa()};
  for (AgentExtension& each : card.capabilities.extensions)
    if (each.uri != resume_extension && each.uri != groups_extension &&
        each.uri != receipts_extension && each.uri != fipa_extension) {
      each.required = false;  // the gateway refuses nobody for it
      extensions.push_back(std::move(each));
    }
  card.capabilities = {true, frame.pushes, std::move(extensions), false};
  add_security(card, frame);
  if (card.default_input_modes.empty())
    card.default_input_modes = {"text/plain", "application/json", "application/octet-stream"};
  if (card.default_output_modes.empty()) card.default_output_modes = card.default_input_modes;
  return card;
}

}  // namespace coracle::a2a
