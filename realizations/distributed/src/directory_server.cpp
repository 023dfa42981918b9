#include "coracle/realizations/distributed.hpp"
#include "realizations/net/src/society/service_home.hpp"

#include <utility>

namespace coracle::distributed {

struct DirectoryServer::Parts {
  explicit Parts(DirectoryOptions options)
      : settings(society::service_settings(std::move(options), "directory")),
        authority(society::authority_of(settings)),
        home(settings, nullptr, authority.get()) {
    home.listen();
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
