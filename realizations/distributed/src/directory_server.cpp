#include "coracle/realizations/distributed.hpp"
#include "realizations/net/src/society/service_home.hpp"

#include <utility>

namespace coracle::distributed {

struct DirectoryServer::Parts {
  society::ServiceHome home;
};

DirectoryServer::DirectoryServer(DirectoryOptions options) {
  society::ServiceSettings settings;
  settings.listen = std::move(options.listen);
  settings.society = std::move(options.society);
  settings.key = std::move(options.key);
  settings.limits = options.limits;
  settings.log = std::move(options.log);
  settings.name = "directory";
  parts_.reset(new Parts{society::ServiceHome(settings)});
}

DirectoryServer::~DirectoryServer() = default;

const std::vector<std::string>& DirectoryServer::endpoints() const noexcept {
  return parts_->home.endpoints();
}

}  // namespace coracle::distributed
