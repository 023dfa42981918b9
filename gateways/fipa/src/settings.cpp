#include "coracle/fipa/settings.hpp"

#include "coracle/errors.hpp"
#include "coracle/fipa/detail/entries.hpp"
#include "coracle/fipa/platform.hpp"
#include "coracle/support/calendar.hpp"

#include <chrono>
#include <optional>
#include <utility>

namespace coracle::fipa {

acl::Naming naming(std::string platform) {
  acl::Naming names;
  names.name_of = [platform](const acl::AgentId& id) -> Result<Name> {
    const std::string_view of = acl::platform_part(id.name);
    if (!of.empty() && lower(of) != lower(platform)) {
      try {
        return foreign_name(id);
      } catch (const Error& error) {
        return error;
      }
    }
    const std::string_view local = acl::local_part(id.name);
    const bool is_service = !of.empty() && (lower(local) == "df" || lower(local) == "ams");
    return Name::parse(is_service ? "fipa" : local);
  };
  names.agent_of = [platform](const Name& name) {
    if (const auto foreign = foreign_agent(name)) return acl::AgentId{.name = *foreign};
    return acl::AgentId{.name = (name.view() == "fipa" ? "ams" : name.str()) + "@" + platform};
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
