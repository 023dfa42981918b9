#include "coracle/realizations/distributed.hpp"

#include "named_node.hpp"
#include "realizations/net/src/society/counted_custody.hpp"
#include "realizations/net/src/society/custodian.hpp"
#include "realizations/net/src/society/service_home.hpp"
#include "runtime/log.hpp"
#include "store/journal_custody.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace coracle::distributed {

namespace {

// Like any other node, it has links to others, and finds them by this directory. Its name is the
// same in each of its lives, as that of its directory: so others know at once that the earlier one
// is over.
Realization custodian_realization(const society::ServiceSettings& settings,
                                  const society::ServiceHome& home,
                                  std::shared_ptr<Custody> custody) {
  Options options;
  options.society = settings.society;
  options.key = settings.proof.key;
  options.tls = settings.proof.tls;
  options.insecure = settings.proof.insecure;
  options.directories = home.endpoints();
  Realization made = realization_named(std::move(options), home.name() + "/custodian");
  made.custody = std::move(custody);
  return made;
}

}  // namespace

struct DirectoryServer::Parts {
  explicit Parts(DirectoryOptions options)
      : disk(disk_of(options)),
        journal(journal_of(options, disk.get())),
        custody(journal ? std::make_shared<society::CountedCustody>(journal) : nullptr),
        limits{options.kept_for_name, options.content_limit},
        settings(settings_of(std::move(options), custody, journal)),
        authority(society::authority_of(settings)),
        home(settings, nullptr, authority.get()) {
    home.listen();
    if (!custody) return;
    found = journal->found();
    custodian.emplace(custodian_realization(settings, home, custody), limits, settings.custodian);
  }

  static std::unique_ptr<Disk> disk_of(const DirectoryOptions& options) {
    society::check({options.kept_for_name, options.content_limit}, "DirectoryOptions");
    return options.data.empty() ? nullptr : posix_disk(options.data).value();
  }
  static std::shared_ptr<store::JournalCustody> journal_of(const DirectoryOptions& options,
                                                           Disk* disk) {
    if (disk == nullptr) return nullptr;
    return store::custody_on(
        *disk, options.kept_bytes,
        options.log ? options.log : detail::warnings_of(detail::LogPart::store));
  }

  static society::ServiceSettings settings_of(
      DirectoryOptions options, const std::shared_ptr<society::CountedCustody>& custody,
      const std::shared_ptr<store::JournalCustody>& journal) {
    const std::string data = options.data;
    const auto beacon = society::beacon_at(options.beacon, options.key);
    const auto places = society::endpoints_of(options.listen);
    const bool leaves = std::any_of(places.begin(), places.end(), [](const net::Endpoint& place) {
      return !society::stays_here(place);
    });
    const bool is_wanted = leaves || !options.beacon.empty();
    society::ServiceSettings settings = society::service_settings(std::move(options), "directory");
    if (is_wanted) settings.beacon = beacon;
    settings.custodian = society::secret_identity();
    if (custody) settings.count_more = society::counting(custody, journal, data);
    return settings;
  }

  const std::unique_ptr<Disk> disk;
  const std::shared_ptr<store::JournalCustody> journal;
  const std::shared_ptr<society::CountedCustody> custody;  // of that
  const society::KeptLimits limits;
  const society::ServiceSettings settings;
  const std::unique_ptr<society::Authority> authority;
  society::ServiceHome home;
  Custody::Found found;
  std::optional<society::Custodian> custodian;
};

DirectoryServer::DirectoryServer(DirectoryOptions options)
    : parts_(std::make_unique<Parts>(std::move(options))) {}

DirectoryServer::~DirectoryServer() = default;

Result<void> DirectoryServer::read_policy_again() {
  return society::read_policy_again(parts_->settings, parts_->authority.get(), parts_->home);
}

Result<bool> DirectoryServer::read_keys_again() { return parts_->home.read_keys_again(); }

const Custody::Found& DirectoryServer::found() const noexcept { return parts_->found; }

const std::vector<std::string>& DirectoryServer::endpoints() const noexcept {
  return parts_->home.endpoints();
}

}  // namespace coracle::distributed
