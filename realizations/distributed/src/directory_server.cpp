#include "coracle/realizations/distributed.hpp"

#include "coracle/support/log.hpp"
#include "named_node.hpp"
#include "realizations/net/src/society/service/message_store_node.hpp"
#include "realizations/net/src/society/service/service_home.hpp"
#include "realizations/net/src/society/service/store_census.hpp"
#include "store/journal_backend.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace coracle::distributed {

namespace {

// The message store's node has links to others, like any other node, and finds them through this
// directory. Its name is the same in each of its incarnations, like the name of its directory, so
// other nodes know at once that the earlier incarnation is over.
Realization store_node_realization(const society::ServiceSettings& settings,
                                   const society::ServiceHome& home,
                                   std::shared_ptr<StoreBackend> backend) {
  Options options;
  options.society = settings.society;
  options.key = settings.proof.key;
  options.tls = settings.proof.tls;
  options.insecure = settings.proof.insecure;
  options.directories = home.endpoints();
  Realization made = realization_named(std::move(options), home.name() + "/store");
  made.backend = std::move(backend);
  return made;
}

}  // namespace

struct DirectoryServer::Impl {
  explicit Impl(DirectoryOptions options)
      : disk(disk_of(options)),
        journal(journal_of(options, disk.get())),
        limits{options.kept_for_name, options.content_limit},
        settings(settings_of(std::move(options), journal)),
        authority(society::authority_of(settings)),
        home(settings, nullptr, authority.get()) {
    home.listen();
    if (!journal) return;
    found = journal->found();
    message_store.emplace(store_node_realization(settings, home, journal), limits,
                          settings.message_store);
  }

  static std::unique_ptr<Disk> disk_of(const DirectoryOptions& options) {
    society::check({options.kept_for_name, options.content_limit}, "DirectoryOptions");
    return options.data.empty() ? nullptr : posix_disk(options.data).value();
  }
  static std::shared_ptr<store::JournalBackend> journal_of(const DirectoryOptions& options,
                                                           Disk* disk) {
    if (disk == nullptr) return nullptr;
    return store::backend_on(
        *disk, options.kept_bytes,
        options.log ? options.log : detail::warnings_of(detail::LogPart::store));
  }

  static society::ServiceSettings settings_of(
      DirectoryOptions options, const std::shared_ptr<store::JournalBackend>& journal) {
    const std::string data = options.data;
    const auto beacon = society::beacon_at(options.beacon, options.key);
    const auto places = society::endpoints_of(options.listen);
    const bool leaves = std::any_of(places.begin(), places.end(), [](const net::Endpoint& place) {
      return !society::stays_here(place);
    });
    const bool is_wanted = leaves || !options.beacon.empty();
    society::ServiceSettings settings = society::service_settings(std::move(options), "directory");
    if (is_wanted) settings.beacon = beacon;
    settings.message_store = society::secret_identity();
    if (journal) settings.count_more = society::counting(journal, journal, data);
    return settings;
  }

  const std::unique_ptr<Disk> disk;
  const std::shared_ptr<store::JournalBackend> journal;
  const society::KeptLimits limits;
  const society::ServiceSettings settings;
  const std::unique_ptr<society::Authority> authority;
  society::ServiceHome home;
  StoreBackend::Found found;
  std::optional<society::MessageStoreNode> message_store;
};

DirectoryServer::DirectoryServer(DirectoryOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}

DirectoryServer::~DirectoryServer() = default;

Result<void> DirectoryServer::read_policy_again() {
  return society::read_policy_again(impl_->settings, impl_->authority.get(), impl_->home);
}

Result<bool> DirectoryServer::read_keys_again() { return impl_->home.read_keys_again(); }

const StoreBackend::Found& DirectoryServer::found() const noexcept { return impl_->found; }

const std::vector<std::string>& DirectoryServer::endpoints() const noexcept {
  return impl_->home.endpoints();
}

}  // namespace coracle::distributed
