#include "coracle/realizations/central.hpp"
#include "coracle/support/log.hpp"
#include "realizations/net/src/society/service/message_store_node.hpp"
#include "realizations/net/src/society/service/service_home.hpp"
#include "realizations/net/src/society/service/store_census.hpp"
#include "relay.hpp"
#include "store/journal_backend.hpp"
#include "store_node.hpp"

#include <optional>
#include <utility>

namespace coracle::central {

struct Server::Impl {
  explicit Impl(ServerOptions options) {
    const KeptLimits limits{options.kept_for_name, options.content_limit};
    check(limits, "ServerOptions");
    if (!options.log) options.log = detail::warnings_of(detail::LogPart::directory);
    const std::string data = options.disk ? "" : options.data;
    const std::shared_ptr<StoreBackend> backend = backend_for(options);
    settings = service_settings(std::move(options), "clearinghouse");
    settings.count_more = counting(backend, journal, data);
    refuse_two_proofs(settings.proof);
    authority = authority_of(settings);
    relay.emplace(authority.get());
    home = std::make_unique<ServiceHome>(settings, &*relay, authority.get(), &doorway);
    message_store.emplace(store_node_realization(settings.society, doorway, backend), limits);
    home->listen();
  }

  std::shared_ptr<StoreBackend> backend_for(const ServerOptions& options) {
    if (options.data.empty()) return memory_backend(options.kept_bytes);
    disk = options.disk ? options.disk(options.data) : posix_disk(options.data).value();
    journal = store::backend_on(*disk, options.kept_bytes, options.log);
    found = journal->found();
    return journal;
  }

  StoreBackend::Found found;
  std::unique_ptr<Disk> disk;
  std::shared_ptr<store::JournalBackend> journal;  // only with a folder
  ServiceSettings settings;
  std::unique_ptr<Authority> authority;
  std::optional<Relay> relay;
  net::Doorway doorway;
  std::unique_ptr<ServiceHome> home;
  std::optional<MessageStoreNode> message_store;
};

Server::Server(ServerOptions options) : impl_(std::make_unique<Impl>(std::move(options))) {}

Server::~Server() = default;

Result<void> Server::read_policy_again() {
  return society::read_policy_again(impl_->settings, impl_->authority.get(), *impl_->home);
}

Result<bool> Server::read_keys_again() { return impl_->home->read_keys_again(); }

const StoreBackend::Found& Server::found() const noexcept { return impl_->found; }

const std::vector<std::string>& Server::endpoints() const noexcept {
  return impl_->home->endpoints();
}

}  // namespace coracle::central
