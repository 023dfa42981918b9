#include "json.hpp"

#include "coracle/acl/base64.hpp"

#include "coracle/acl/sl/text.hpp"
#include "coracle/errors.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace coracle::player {

namespace {

const json::object no_fields;
const json::array no_elements;

std::vector<std::string> texts_in(const json::object& object, std::string_view key) {
  std::vector<std::string> texts;
  for (const json::value& each : list_in(object, key)) texts.emplace_back(each.as_string());
  return texts;
}

std::optional<std::string> optional_in(const json::object& object, std::string_view key) {
  if (!object.contains(key)) return std::nullopt;
  return text_in(object, key);
}

std::optional<acl::DateTime> date_in(const json::object& object, std::string_view key) {
  if (!object.contains(key)) return std::nullopt;
  const auto date = acl::date_time_from(text_in(object, key));
  if (!date) throw Error(Errc::bad_options, "the field " + std::string(key) + " is no date");
  return date;
}

std::vector<acl::AgentId> agent_ids_in(const json::object& object, std::string_view key) {
  std::vector<acl::AgentId> ids;
  for (const json::value& each : list_in(object, key))
    ids.push_back(agent_id_from(each.as_object()));
  return ids;
}

acl::Parameters parameters_in(const json::object& object) {
  acl::Parameters all;
  for (const auto& [key, value] : object_in(object, "user"))
    all.emplace_back(key, value.as_string());
  return all;
}

json::array to_array(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

json::array to_array(const std::vector<acl::AgentId>& ids) {
  json::array array;
  for (const acl::AgentId& each : ids) array.push_back(to_json(each));
  return array;
}

void put(json::object& object, std::string_view key, const std::string& value) {
  if (!value.empty()) object[key] = value;
}

void put(json::object& object, std::string_view key, const std::optional<std::string>& value) {
  if (value) object[key] = *value;
}

void put_user(json::object& object, const acl::Parameters& parameters) {
  if (parameters.empty()) return;
  json::object& user = object["user"].emplace_object();
  for (const auto& [key, value] : parameters) user[key] = value;
}

fm::ServiceDescription service_from(const json::object& object) {
  fm::ServiceDescription service;
  service.name = optional_in(object, "name");
  service.type = optional_in(object, "type");
  service.ownership = optional_in(object, "ownership");
  service.protocols = texts_in(object, "protocols");
  service.ontologies = texts_in(object, "ontologies");
  service.languages = texts_in(object, "languages");
  for (const auto& [key, value] : object_in(object, "properties"))
    service.properties.push_back({key, acl::sl::Term(std::string(value.as_string()))});
  return service;
}

json::object service_json(const fm::ServiceDescription& service) {
  json::object object;
  put(object, "name", service.name);
  put(object, "type", service.type);
  put(object, "ownership", service.ownership);
  object["protocols"] = to_array(service.protocols);
  object["ontologies"] = to_array(service.ontologies);
  object["languages"] = to_array(service.languages);
  json::object& properties = object["properties"].emplace_object();
  for (const fm::Property& each : service.properties) {
    const auto* const text = each.value ? each.value->as<std::string>() : nullptr;
    properties[each.name] = text != nullptr ? *text : each.value ? to_text(*each.value) : "";
  }
  return object;
}

}  // namespace

std::string text_in(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value == nullptr ? std::string() : std::string(value->as_string());
}

bool bool_in(const json::object& object, std::string_view key, bool otherwise) {
  const json::value* const value = object.if_contains(key);
  return value == nullptr ? otherwise : value->as_bool();
}

const json::object& object_in(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value == nullptr ? no_fields : value->as_object();
}

const json::array& list_in(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value == nullptr ? no_elements : value->as_array();
}

// --- agents ---

acl::AgentId agent_id_from(const json::object& object) {
  acl::AgentId id;
  id.name = text_in(object, "name");
  id.addresses = texts_in(object, "addresses");
  id.resolvers = agent_ids_in(object, "resolvers");
  id.user = parameters_in(object);
  return id;
}

acl::AgentId agent_id_in(const json::object& object, std::string_view key, acl::AgentId otherwise) {
  return object.contains(key) ? agent_id_from(object_in(object, key)) : std::move(otherwise);
}

json::object to_json(const acl::AgentId& id) {
  json::object object;
  object["name"] = id.name;
  object["addresses"] = to_array(id.addresses);
  if (!id.resolvers.empty()) object["resolvers"] = to_array(id.resolvers);
  put_user(object, id.user);
  return object;
}

// --- messages ---

acl::Body body_in(const json::object& object) {
  if (!object.contains("bytes")) return text_in(object, "content");
  auto bytes = acl::from_base64(text_in(object, "bytes"));
  if (!bytes) throw Error(Errc::bad_options, "the field bytes is no Base64");
  return *std::move(bytes);
}

acl::Message message_from(const json::object& object) {
  acl::Message message;
  const std::string name = text_in(object, "performative");
  const auto performative = acl::performative_of(name);
  if (!performative) throw Error(Errc::bad_options, "there is no performative " + name);
  message.performative = *performative;
  message.receivers = agent_ids_in(object, "receivers");
  message.reply_to = agent_ids_in(object, "reply-to");
  message.content = body_in(object);
  message.language = text_in(object, "language");
  message.encoding = text_in(object, "encoding");
  message.ontology = text_in(object, "ontology");
  message.protocol = text_in(object, "protocol");
  message.conversation_id = text_in(object, "conversation-id");
  message.reply_with = text_in(object, "reply-with");
  message.in_reply_to = text_in(object, "in-reply-to");
  message.reply_by = date_in(object, "reply-by");
  message.user = parameters_in(object);
  return message;
}

json::object to_json(const acl::Message& message) {
  json::object object;
  object["performative"] = acl::to_text(message.performative);
  if (!message.sender.name.empty()) object["sender"] = to_json(message.sender);
  object["receivers"] = to_array(message.receivers);
  object["reply-to"] = to_array(message.reply_to);
  if (const auto* const bytes = std::get_if<Bytes>(&message.content)) {
    std::string text;
    acl::append_base64(text, *bytes);
    object["bytes"] = text;
  } else {
    put(object, "content", std::get<std::string>(message.content));
  }
  put(object, "reply-with", message.reply_with);
  put(object, "in-reply-to", message.in_reply_to);
  put(object, "encoding", message.encoding);
  put(object, "language", message.language);
  put(object, "ontology", message.ontology);
  put(object, "protocol", message.protocol);
  put(object, "conversation-id", message.conversation_id);
  if (message.reply_by) object["reply-by"] = to_text(*message.reply_by);
  put_user(object, message.user);
  return object;
}

// --- entries ---

fm::DfAgentDescription entry_from(const json::object& object) {
  fm::DfAgentDescription entry;
  if (object.contains("name")) entry.name = agent_id_from(object_in(object, "name"));
  for (const json::value& each : list_in(object, "services"))
    entry.services.push_back(service_from(each.as_object()));
  entry.protocols = texts_in(object, "protocols");
  entry.ontologies = texts_in(object, "ontologies");
  entry.languages = texts_in(object, "languages");
  entry.lease_time = date_in(object, "lease-time");
  return entry;
}

fm::SearchConstraints constraints_from(const json::object& object) {
  fm::SearchConstraints constraints;
  if (const auto* const value = object.if_contains("max-results"))
    constraints.max_results = value->as_int64();
  if (const auto* const value = object.if_contains("max-depth"))
    constraints.max_depth = value->as_int64();
  constraints.search_id = optional_in(object, "search-id");
  return constraints;
}

json::object to_json(const fm::DfAgentDescription& entry) {
  json::object object;
  if (entry.name) object["name"] = to_json(*entry.name);
  json::array& services = object["services"].emplace_array();
  for (const fm::ServiceDescription& each : entry.services) services.push_back(service_json(each));
  object["protocols"] = to_array(entry.protocols);
  object["ontologies"] = to_array(entry.ontologies);
  object["languages"] = to_array(entry.languages);
  if (entry.lease_time) object["lease-time"] = to_text(*entry.lease_time);
  return object;
}

json::object to_json(const fm::AmsAgentDescription& entry) {
  json::object object;
  if (entry.name) object["name"] = to_json(*entry.name);
  put(object, "ownership", entry.ownership);
  put(object, "state", entry.state);
  return object;
}

}  // namespace coracle::player
