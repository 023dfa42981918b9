#include "coracle/realizations/distributed.hpp"
#include "realizations/net/src/society/service_home.hpp"

#include <algorithm>
#include <utility>

namespace coracle::distributed {

struct DirectoryServer::Parts {
  explicit Parts(DirectoryOptions options)
      : settings(settings_of(std::move(options))),
        authority(society::authority_of(settings)),
        home(settings, nullptr, authority.get()) {
    home.listen();
  }

  static society::ServiceSettings settings_of(DirectoryOptions options) {
    const auto beacon = society::beacon_at(options.beacon, options.key);
    const auto places = society::endpoints_of(options.listen, {options.key, options.tls});
    const bool leaves = std::any_of(places.begin(), places.end(), [](const net::Endpoint& place) {
      return !society::stays_here(place);
    });
    const bool is_wanted = leaves || !options.beacon.empty();
    society::ServiceSettings settings = society::service_settings(std::move(options), "directory");
    if (is_wanted) settings.beacon = beacon;
    return settings;
  }

  const society::ServiceSettings settings;
  const std::unique_ptr<society::Authority> authority;
  society::ServiceHome home;
};

DirectoryServer::DirectoryServer(DirectoryOptions options)
    : parts_(std::make_unique<Parts>(std::move(options))) {}

DirectoryServer::~DirectoryServer() = default;

Result<void> DirectoryServer::read_policy_again() {
  return society::read_policy_again(parts_->settings, parts_->authority.get());
}

const std::vector<std::string>& DirectoryServer::endpoints() const noexcept {
  return parts_->home.endpoints();
}

}  // namespace coracle::distributed
