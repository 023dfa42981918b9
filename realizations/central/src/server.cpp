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

Server::Server(ServerOptions options) {
  ServiceSettings settings;
  settings.listen = std::move(options.listen);
  settings.society = std::move(options.society);
  settings.key = std::move(options.key);
  settings.limits = options.limits;
  settings.log = std::move(options.log);
  settings.name = "clearinghouse";
  parts_ = std::make_unique<Parts>(settings);
}

Server::~Server() = default;

const std::vector<std::string>& Server::endpoints() const noexcept {
  return parts_->home.endpoints();
}

}  // namespace coracle::central
