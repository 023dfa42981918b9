#include "coracle/fipa/platform.hpp"

#include "coracle/errors.hpp"
#include "coracle/fipa/detail/entries.hpp"
#include "coracle/support/glob.hpp"
#include "coracle/support/mutations.hpp"
#include "coracle/support/quote.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace coracle::fipa {

namespace {

using coracle::detail::quoted;

constexpr std::string_view prefix = "fipa/";
constexpr std::string_view digits = "0123456789abcdef";

bool stays(char each) noexcept {
  return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') ||
         std::string_view("-._@:+").find(each) != std::string_view::npos;
}

// Returns whether the name is one of the gateway's agents, of its foreign agents, or means its
// directory facilitator or its management system.
bool is_reserved(std::string_view name) noexcept {
  return name == "fipa" || name.starts_with(prefix) || name == "df" || name == "ams";
}

std::optional<unsigned char> digit_of(char each) noexcept {
  const std::size_t place = digits.find(each);
  if (place == std::string_view::npos) return std::nullopt;
  return static_cast<unsigned char>(place);
}

}  // namespace

Platform::Platform(std::string name, std::vector<std::string> exposed)
    : name_(std::move(name)), exposed_(std::move(exposed)) {
  if (name_.empty() || name_.find('@') != std::string::npos)
    throw Error(Errc::bad_options, "the name of a platform is a text without \"@\", not " +
                                       quoted(name_) + "; give another one");
  for (const std::string& each : exposed_) {
    if (each.empty() || each.size() > coracle::detail::longest_glob)
      throw Error(Errc::bad_options,
                  "a pattern of agents has 1 to 255 bytes; correct " + quoted(each));
  }
}

bool Platform::exposes(const Name& agent) const noexcept {
  if (is_reserved(agent.view())) return false;
  if (mutated(Mutation::any_exposed)) return true;
  return std::any_of(exposed_.begin(), exposed_.end(), [&](const std::string& each) {
    return coracle::detail::fits(each, agent.view());
  });
}

acl::AgentId Platform::id_of(const Name& agent) const {
  return {.name = agent.str() + "@" + name_, .addresses = addresses_};
}

bool Platform::is_ours(const acl::AgentId& id) const {
  return is_same_name(acl::platform_part(id.name), name_);
}

std::optional<Name> Platform::agent_of(const acl::AgentId& id) const {
  if (!is_ours(id)) return std::nullopt;
  try {
    Name name(acl::local_part(id.name));
    if (exposes(name)) return name;
  } catch (const Error&) {
    // No agent of the society has such a name.
  }
  return std::nullopt;
}

Name foreign_name(const acl::AgentId& id) {
  if (id.name.empty())
    throw Error(Errc::bad_name, "a foreign agent without a name has none in the society");
  std::string name(prefix);
  for (const char each : lower(id.name)) {
    if (stays(each)) {
      name += each;
      continue;
    }
    const auto byte = static_cast<unsigned char>(each);
    name += '%';
    name += digits[byte >> 4U];
    name += digits[byte & 15U];
  }
  if (name.size() > Name::max_bytes)
    throw Error(Errc::bad_name, "the foreign agent " + quoted(id.name) +
                                    " has a longer name than agents of the society may have");
  return Name(name);
}

std::optional<std::string> foreign_agent(const Name& name) {
  std::string_view text = name.view();
  if (!text.starts_with(prefix)) return std::nullopt;
  text.remove_prefix(prefix.size());
  std::string agent;
  while (!text.empty()) {
    if (text.front() != '%') {
      if (!stays(text.front())) return std::nullopt;
      agent += text.front();
      text.remove_prefix(1);
      continue;
    }
    if (text.size() < 3) return std::nullopt;
    const auto high = digit_of(text[1]), low = digit_of(text[2]);
    if (!high || !low) return std::nullopt;
    agent += static_cast<char>(*high << 4U | *low);
    text.remove_prefix(3);
  }
  return agent;
}

}  // namespace coracle::fipa
