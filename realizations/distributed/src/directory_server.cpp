#include "coracle/realizations/distributed.hpp"
#include "realizations/net/src/society/service_home.hpp"

#include <utility>

namespace coracle::distributed {

struct DirectoryServer::Parts {
  explicit Parts(DirectoryOptions options)
      : home(society::service_settings(std::move(options), "directory")) {
    home.listen();
  }

  society::ServiceHome home;
};

DirectoryServer::DirectoryServer(DirectoryOptions options)
    : parts_(std::make_unique<Parts>(std::move(options))) {}

DirectoryServer::~DirectoryServer() = default;

const std::vector<std::string>& DirectoryServer::endpoints() const noexcept {
  return parts_->home.endpoints();
}

}  // namespace coracle::distributed
