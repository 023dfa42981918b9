#include "coracle/realizations/central.hpp"
#include "realizations/net/src/society/service_home.hpp"
#include "relay.hpp"

#include <utility>

namespace coracle::central {

struct Server::Parts {
  explicit Parts(const ServiceSettings& settings) : home(settings, &relay) {}

  Relay relay;
  ServiceHome home;
};

Server::Server(ServerOptions options)
    : parts_(std::make_unique<Parts>(service_settings(std::move(options), "clearinghouse"))) {}

Server::~Server() = default;

const std::vector<std::string>& Server::endpoints() const noexcept {
  return parts_->home.endpoints();
}

}  // namespace coracle::central
