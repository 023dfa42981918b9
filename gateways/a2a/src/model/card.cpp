#include "coracle/a2a/card.hpp"

#include "coracle/a2a/model_json.hpp"
#include "model/fields.hpp"
#include "model/reading.hpp"

namespace coracle::a2a {

using web::JsonReader;

namespace {

// The items of one list of a card.
constexpr std::size_t most_in_card = 1000;

template <class T>
Json list_of(const std::vector<T>& all, Json (*write)(const T&)) {
  Json::Array items;
  for (const T& each : all) items.push_back(write(each));
  return Json(std::move(items));
}

Json to_json(const AgentInterface& each) {
  Json object;
  object.set("url", each.url);
  object.set("protocolBinding", each.protocol_binding);
  put(object, "tenant", each.tenant);
  object.set("protocolVersion", each.protocol_version);
  return object;
}

Json to_json(const AgentExtension& extension) {
  Json object;
  object.set("uri", extension.uri);
  put(object, "description", extension.description);
  put_true(object, "required", extension.required);
  put(object, "params", extension.params);
  return object;
}

Json to_json(const SecurityRequirement& requirement) {
  Json schemes = empty_object();
  for (const auto& [name, scopes] : requirement) {
    Json list = empty_object();
    put(list, "list", scopes);
    schemes.set(name, std::move(list));
  }
  return Json().set("schemes", std::move(schemes));
}

Json to_json(const AgentSkill& skill) {
  Json object;
  object.set("id", skill.id).set("name", skill.name).set("description", skill.description);
  object.set("tags", Json::Array(skill.tags.begin(), skill.tags.end()));
  put(object, "examples", skill.examples);
  put(object, "inputModes", skill.input_modes);
  put(object, "outputModes", skill.output_modes);
  if (!skill.security_requirements.empty())
    object.set("securityRequirements", list_of(skill.security_requirements, &to_json));
  return object;
}

Json to_json(const AgentCardSignature& signature) {
  Json object;
  object.set("protected", signature.protected_header).set("signature", signature.signature);
  put(object, "header", signature.header);
  return object;
}

Json to_json(const AgentCapabilities& capabilities) {
  Json object = empty_object();
  put(object, "streaming", capabilities.streaming);
  put(object, "pushNotifications", capabilities.push_notifications);
  if (!capabilities.extensions.empty())
    object.set("extensions", list_of(capabilities.extensions, &to_json));
  put(object, "extendedAgentCard", capabilities.extended_agent_card);
  return object;
}

}  // namespace

Json to_json(const AgentCard& card) {
  Json object;
  object.set("name", card.name).set("description", card.description);
  object.set("supportedInterfaces", list_of(card.supported_interfaces, &to_json));
  if (card.provider)
    object.set(
        "provider",
        Json().set("url", card.provider->url).set("organization", card.provider->organization));
  object.set("version", card.version);
  put(object, "documentationUrl", card.documentation_url);
  object.set("capabilities", to_json(card.capabilities));
  if (!card.security_schemes.empty()) {
    Json schemes;
    for (const auto& [name, scheme] : card.security_schemes) schemes.set(name, scheme);
    object.set("securitySchemes", std::move(schemes));
  }
  if (!card.security_requirements.empty())
    object.set("securityRequirements", list_of(card.security_requirements, &to_json));
  const auto& in = card.default_input_modes;
  const auto& out = card.default_output_modes;
  object.set("defaultInputModes", Json::Array(in.begin(), in.end()));
  object.set("defaultOutputModes", Json::Array(out.begin(), out.end()));
  object.set("skills", list_of(card.skills, &to_json));
  if (!card.signatures.empty()) object.set("signatures", list_of(card.signatures, &to_json));
  put(object, "iconUrl", card.icon_url);
  return object;
}

template <>
AgentInterface read(const JsonReader& in) {
  return {needed_text(in, "url"), needed_text(in, "protocolBinding"), in.text_or_empty("tenant"),
          needed_text(in, "protocolVersion")};
}

template <>
AgentExtension read(const JsonReader& in) {
  return {in.text_or_empty("uri"), in.text_or_empty("description"), in.truth_or_false("required"),
          object_or_null(in, "params")};
}

template <>
SecurityRequirement read(const JsonReader& in) {
  SecurityRequirement requirement;
  const auto schemes = in.find("schemes");
  if (!schemes) return requirement;
  for (const Json::Member& each : *schemes->object().if_object()) {
    const JsonReader scopes(each.value, schemes->place() + "." + each.name);
    requirement.emplace_back(each.name, scopes.texts_or_none("list", most_in_card));
  }
  return requirement;
}

template <>
AgentSkill read(const JsonReader& in) {
  AgentSkill skill;
  skill.id = needed_text(in, "id");
  skill.name = needed_text(in, "name");
  skill.description = in.text_or_empty("description");
  skill.tags = in.texts_or_none("tags", most_in_card);
  skill.examples = in.texts_or_none("examples", most_in_card);
  skill.input_modes = in.texts_or_none("inputModes", most_in_card);
  skill.output_modes = in.texts_or_none("outputModes", most_in_card);
  skill.security_requirements =
      list_in<SecurityRequirement>(in, "securityRequirements", most_in_card);
  return skill;
}

template <>
AgentCardSignature read(const JsonReader& in) {
  return {needed_text(in, "protected"), needed_text(in, "signature"), object_or_null(in, "header")};
}

namespace {

std::optional<bool> truth_or_none(const JsonReader& in, std::string_view name) {
  const auto found = in.find(name);
  return found ? std::optional(found->truth()) : std::nullopt;
}

std::optional<std::string> text_or_none(const JsonReader& in, std::string_view name) {
  const auto found = in.find(name);
  return found ? std::optional(found->text()) : std::nullopt;
}

AgentCapabilities capabilities_in(const JsonReader& in) {
  return {truth_or_none(in, "streaming"), truth_or_none(in, "pushNotifications"),
          list_in<AgentExtension>(in, "extensions", most_in_card),
          truth_or_none(in, "extendedAgentCard")};
}

}  // namespace

template <>
AgentCard read(const JsonReader& in) {
  AgentCard card;
  card.name = needed_text(in, "name");
  card.description = in.text_or_empty("description");
  card.supported_interfaces = list_in<AgentInterface>(in, "supportedInterfaces", most_in_card);
  if (const auto provider = in.find("provider"))
    card.provider =
        AgentProvider{provider->text_or_empty("url"), provider->text_or_empty("organization")};
  card.version = in.text_or_empty("version");
  card.documentation_url = text_or_none(in, "documentationUrl");
  if (const auto found = in.find("capabilities")) card.capabilities = capabilities_in(*found);
  if (const auto schemes = in.find("securitySchemes")) {
    for (const Json::Member& each : *schemes->object().if_object())
      card.security_schemes.emplace_back(each.name, each.value);
  }
  card.security_requirements =
      list_in<SecurityRequirement>(in, "securityRequirements", most_in_card);
  card.default_input_modes = in.texts_or_none("defaultInputModes", most_in_card);
  card.default_output_modes = in.texts_or_none("defaultOutputModes", most_in_card);
  card.skills = list_in<AgentSkill>(in, "skills", most_in_card);
  card.signatures = list_in<AgentCardSignature>(in, "signatures", most_in_card);
  card.icon_url = text_or_none(in, "iconUrl");
  return card;
}

}  // namespace coracle::a2a
