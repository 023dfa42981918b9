#include "coracle/realizations/central.hpp"
#include "custodian_node.hpp"
#include "realizations/net/src/society/counted_custody.hpp"
#include "realizations/net/src/society/custodian.hpp"
#include "realizations/net/src/society/service_home.hpp"
#include "relay.hpp"
#include "runtime/log.hpp"
#include "store/journal_custody.hpp"

#include <optional>
#include <utility>

namespace coracle::central {

struct Server::Parts {
  explicit Parts(ServerOptions options) {
    const KeptLimits limits{options.kept_for_name, options.content_limit};
    check(limits, "ServerOptions");
    if (!options.log) options.log = detail::warnings_of(detail::LogPart::directory);
    const std::string data = options.disk ? "" : options.data;
    const auto custody = std::make_shared<CountedCustody>(custody_for(options));
    settings = service_settings(std::move(options), "clearinghouse");
    settings.count_more = counting(custody, journal, data);
    refuse_two_proofs(settings.proof);
    authority = authority_of(settings);
    relay.emplace(authority.get());
    home = std::make_unique<ServiceHome>(settings, &*relay, authority.get(), &doorway);
    custodian.emplace(custodian_realization(settings.society, doorway, custody), limits);
    home->listen();
  }

  std::shared_ptr<Custody> custody_for(const ServerOptions& options) {
    if (options.data.empty()) return memory_custody(options.kept_bytes);
    disk = options.disk ? options.disk(options.data) : posix_disk(options.data).value();
    journal = store::custody_on(*disk, options.kept_bytes, options.log);
    found = journal->found();
    return journal;
  }

  Custody::Found found;
  std::unique_ptr<Disk> disk;
  std::shared_ptr<store::JournalCustody> journal;  // with a folder
  ServiceSettings settings;
  std::unique_ptr<Authority> authority;
  std::optional<Relay> relay;
  net::Doorway doorway;
  std::unique_ptr<ServiceHome> home;
  std::optional<Custodian> custodian;
};

Server::Server(ServerOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}

Server::~Server() = default;

Result<void> Server::read_policy_again() {
  return society::read_policy_again(parts_->settings, parts_->authority.get(), *parts_->home);
}

Result<bool> Server::read_keys_again() { return parts_->home->read_keys_again(); }

const Custody::Found& Server::found() const noexcept { return parts_->found; }

const std::vector<std::string>& Server::endpoints() const noexcept {
  return parts_->home->endpoints();
}

}  // namespace coracle::central
