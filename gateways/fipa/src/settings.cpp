#include "coracle/fipa/settings.hpp"

#include "coracle/errors.hpp"
#include "coracle/fipa/detail/entries.hpp"
#include "coracle/fipa/platform.hpp"
#include "coracle/support/calendar.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace coracle::fipa {

namespace {

constexpr const char* gateway = "fipa";

Result<Name> foreign(const acl::AgentId& id) {
  try {
    return foreign_name(id);
  } catch (const Error& error) {
    return error;
  }
}

}  // namespace

acl::Naming naming(std::string platform) {
  acl::Naming names;
  names.name_of = [platform](const acl::AgentId& id) -> Result<Name> {
    if (lower(acl::platform_part(id.name)) != lower(platform)) return foreign(id);
    const std::string_view local = acl::local_part(id.name);
    const std::string small = lower(local);
    if (small == "ams" || small == "df") return Name::parse(gateway);
    return Name::parse(local);
  };
  names.agent_of = [platform](const Name& name) {
    acl::AgentId id;
    if (const std::optional<std::string> other = foreign_agent(name)) id.name = *other;
    else id.name = name.str() + "@" + platform;
    return id;
  };
  return names;
}

acl::Settings settings(std::string platform) {
  using std::chrono::milliseconds;
  acl::Settings settings;
  settings.naming = naming(std::move(platform));
  settings.calendar.zero =
      coracle::detail::calendar_now() -
      std::chrono::duration_cast<milliseconds>(steady_clock().now().time_since_epoch());
  return settings;
}

}  // namespace coracle::fipa
