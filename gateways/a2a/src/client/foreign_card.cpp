#include "client/foreign_card.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/quote.hpp"
#include "coracle/web/json.hpp"
#include "server/cards.hpp"

#include <algorithm>

namespace coracle::a2a {

namespace {

constexpr std::size_t longest_property = 1000, longest_params = 10'000, most_skills = 64,
                      most_extensions = 16, longest_key = 200;

void put_text(Properties& properties, const std::string& key, const std::string& text,
              std::size_t longest = longest_property) {
  if (text.empty() || key.size() > longest_key || !coracle::detail::is_plain(key)) return;
  properties.set(key, text.substr(0, longest));
}

bool is_usable(const AgentInterface& one) noexcept {
  const bool is_known = one.protocol_binding == "JSONRPC" || one.protocol_binding == "HTTP+JSON";
  return is_known && (one.protocol_version == "1.0" || one.protocol_version.starts_with("1.0."));
}

}  // namespace

http::Url card_url_of(const std::string& address) {
  auto url = http::Url::parse(address);
  if (!url)
    throw Error(Errc::bad_options, coracle::detail::quoted(address, 200) +
                                       " is no address of an agent; write for example "
                                       "https://agents.example.org/a2a/painter");
  if (url->path.ends_with(".json")) return *std::move(url);
  if (!url->path.ends_with('/')) url->path += '/';
  url->path += ".well-known/agent-card.json";
  return *std::move(url);
}

ForeignPlace place_in(const AgentCard& card, const std::vector<std::string>& origins) {
  bool is_elsewhere = false;
  const auto& extensions = card.capabilities.extensions;
  const bool resumes =
      std::any_of(extensions.begin(), extensions.end(),
                  [](const AgentExtension& each) { return each.uri == resume_extension; });
  for (const AgentInterface& each : card.supported_interfaces) {
    auto url = http::Url::parse(each.url);
    if (!url || !is_usable(each)) continue;
    if (std::find(origins.begin(), origins.end(), url->origin()) == origins.end()) {
      is_elsewhere = true;
      continue;
    }
    return {*std::move(url), each.tenant, each.protocol_binding == "JSONRPC",
            card.capabilities.streaming.value_or(false), resumes};
  }
  if (is_elsewhere)
    throw Error(Errc::unsupported,
                "its card names places of another origin only; add the origin, if it is right");
  throw Error(Errc::unsupported,
              "its card has no place for A2A 1.0 by JSON-RPC or HTTP+JSON; use another agent");
}

Properties properties_in(const AgentCard& card) {
  Properties properties;
  put_text(properties, "title", card.name);
  put_text(properties, "description", card.description);
  put_text(properties, "version", card.version);
  if (card.provider) put_text(properties, "provider", card.provider->organization);
  if (!card.skills.empty()) put_text(properties, "service", card.skills.front().id);
  for (std::size_t i = 0; i < card.skills.size() && i < most_skills; ++i) {
    const AgentSkill& skill = card.skills[i];
    put_text(properties, "skill/" + skill.id, skill.name.empty() ? skill.id : skill.name);
  }
  const auto& extensions = card.capabilities.extensions;
  for (std::size_t i = 0; i < extensions.size() && i < most_extensions; ++i) {
    const Json& params = extensions[i].params;
    const std::string text = params.is_null() ? "{}" : web::to_text(params);
    if (text.size() <= longest_params)
      put_text(properties, "extension/" + extensions[i].uri, text, longest_params);
  }
  return properties;
}

}  // namespace coracle::a2a
