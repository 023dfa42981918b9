#include "coracle/realizations/central.hpp"
#include "realizations/net/src/society/service_home.hpp"
#include "relay.hpp"

#include <utility>

namespace coracle::central {

struct Server::Parts {
  explicit Parts(ServiceSettings given)
      : settings(std::move(given)),
        authority(authority_of(settings)),
        relay(authority.get()),
        home(settings, &relay, authority.get()) {}

  const ServiceSettings settings;
  const std::unique_ptr<Authority> authority;
  Relay relay;
  ServiceHome home;
};

Server::Server(ServerOptions options)
    : parts_(std::make_unique<Parts>(service_settings(std::move(options), "clearinghouse"))) {}

Server::~Server() = default;

Result<void> Server::read_policy_again() {
  return society::read_policy_again(parts_->settings, parts_->authority.get());
}

const std::vector<std::string>& Server::endpoints() const noexcept {
  return parts_->home.endpoints();
}

}  // namespace coracle::central
