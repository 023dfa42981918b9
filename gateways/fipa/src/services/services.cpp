#include "services/services.hpp"

#include "coracle/acl/sl/text.hpp"

#include <variant>

namespace coracle::fipa {

namespace fm = acl::management;

namespace {

acl::sl::Term term_of(const Value& value) {
  return std::visit([](const auto& each) { return acl::sl::Term(each); }, value);
}

std::string text_of(const acl::sl::Term& term) {
  if (const auto* const text = term.as<std::string>()) return *text;
  return acl::sl::to_text(term);
}

}  // namespace

fm::DfAgentDescription description_of(const acl::AgentId& id, const Properties& properties) {
  fm::ServiceDescription service;
  service.name = std::string(acl::local_part(id.name));
  const Value* const kind = properties.find("service");
  const auto* const text = kind == nullptr ? nullptr : std::get_if<std::string>(kind);
  service.type = text == nullptr ? "agent" : *text;
  for (const auto& [key, value] : properties.all())
    service.properties.push_back({key, term_of(value)});
  fm::DfAgentDescription description;
  description.name = id;
  description.services = {std::move(service)};
  return description;
}

std::vector<std::pair<std::string, std::string>> texts_of(const fm::DfAgentDescription& entry) {
  std::vector<std::pair<std::string, std::string>> texts;
  std::string types;
  for (const fm::ServiceDescription& service : entry.services) {
    if (!service.type) continue;
    types += (types.empty() ? "" : " ") + *service.type;
    for (const fm::Property& property : service.properties) {
      if (property.value) texts.emplace_back(property.name, text_of(*property.value));
    }
  }
  if (types.empty()) return texts;
  texts.emplace_back("service", *entry.services.front().type);
  texts.emplace_back("services", types);
  return texts;
}

}  // namespace coracle::fipa
