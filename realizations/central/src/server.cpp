#include "coracle/realizations/central.hpp"
#include "custodian_node.hpp"
#include "journal_custody.hpp"
#include "realizations/net/src/society/service_home.hpp"
#include "relay.hpp"
#include "runtime/log.hpp"

#include <future>
#include <utility>

namespace coracle::central {

namespace {

void check(const ServerOptions& options) {
  if (options.kept_for_name == 0)
    throw Error(Errc::bad_options, "ServerOptions::kept_for_name is 0; give at least 1");
}

Found found_by(const JournalCustody& custody) {
  const store::RecoveryReport& report = custody.report();
  Found found;
  found.messages = custody.messages();
  found.names = custody.names();
  found.fresh = report.fresh;
  found.ended_in_order = report.ended_in_order;
  for (const store::Damage& damage : report.damages) found.faults.push_back(damage.what);
  if (report.torn_bytes != 0)
    found.faults.push_back(report.torn_file + " ends with " + std::to_string(report.torn_bytes) +
                           " bytes that were being written; nobody was told that they are stored");
  return found;
}

// A server may be begun and ended by an agent, but a node may not.
template <class What>
void aside(What what) {
  std::async(std::launch::async, std::move(what)).get();
}

struct Custodian {
  ~Custodian() {
    aside([this] { node.reset(); });
  }
  std::unique_ptr<Node> node;
};

}  // namespace

struct Server::Parts {
  explicit Parts(ServerOptions options) {
    check(options);
    if (!options.log) options.log = &detail::log_warning;
    std::shared_ptr<Custody> custody = custody_for(options);
    NodeOptions kept;
    kept.absent_limit = options.kept_for_name;
    kept.spin = Duration::zero();
    settings = service_settings(std::move(options), "clearinghouse");
    authority = authority_of(settings);
    relay.emplace(authority.get());
    home = std::make_unique<ServiceHome>(settings, &*relay, authority.get(), &doorway);
    aside([&] {
      custodian.node = std::make_unique<Node>(
          custodian_realization(settings.society, settings.proof, doorway, std::move(custody)),
          std::move(kept));
    });
    home->listen();
  }

  std::shared_ptr<Custody> custody_for(const ServerOptions& options) {
    if (options.data.empty()) return memory_custody(options.kept_bytes);
    disk = options.disk ? options.disk(options.data) : posix_disk(options.data).value();
    JournalCustody::Settings keeping;
    keeping.limit = options.kept_bytes;
    keeping.log = options.log;
    const auto custody = std::make_shared<JournalCustody>(*disk, machine_random(),
                                                          std::move(keeping), steady_clock().now());
    found = found_by(*custody);
    return custody;
  }

  Found found;
  std::unique_ptr<Disk> disk;
  ServiceSettings settings;
  std::unique_ptr<Authority> authority;
  std::optional<Relay> relay;
  net::Doorway doorway;
  std::unique_ptr<ServiceHome> home;
  Custodian custodian;
};

Server::Server(ServerOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}

Server::~Server() = default;

Result<void> Server::read_policy_again() {
  return society::read_policy_again(parts_->settings, parts_->authority.get());
}

const Found& Server::found() const noexcept { return parts_->found; }

const std::vector<std::string>& Server::endpoints() const noexcept {
  return parts_->home->endpoints();
}

}  // namespace coracle::central
