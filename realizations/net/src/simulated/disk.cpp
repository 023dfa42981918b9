#include "disk_state.hpp"

#include <algorithm>
#include <utility>

namespace coracle::net {

namespace {

using detail::failed_before;
using detail::opened_before_crash;
using detail::sim_failure;

class SimDiskView final : public Disk {
 public:
  explicit SimDiskView(SimDiskStatePtr state)
      : state_(std::move(state)), lifetime_(state_->lifetime) {}

  Result<std::unique_ptr<File>> open(std::string_view path, Open how) override {
    auto place = find(path, "open");
    if (!place) return place.error();
    const Entry* entry = place->folder->find(place->name);
    if (entry != nullptr && (entry->folder || how == Open::new_one))
      return sim_failure(Errc::file_exists, "open", path,
                         "there is one already; choose another name");
    if (entry == nullptr && how == Open::existing)
      return sim_failure(Errc::no_such_file, "open", path, "there is none; check its name");
    if (entry == nullptr) {
      if (state_->failed) return failed_before(path);
      place->folder->put(place->name, {std::make_shared<Inode>(), nullptr});
      entry = place->folder->find(place->name);
    }
    return sim_file(state_, entry->file, std::string(path));
  }

  Result<void> rename(std::string_view from, std::string_view to) override {
    auto place = find_to_write(from, "rename");
    auto target = find_to_write(to, "rename");
    if (!place) return place.error();
    if (!target) return target.error();
    if (place->folder != target->folder) {
      return sim_failure(Errc::bad_path, "rename", from,
                         "that is in another folder; copy it there, sync both, then remove it");
    }
    const Entry* entry = place->folder->find(place->name);
    const Entry* there = place->folder->find(target->name);
    if (entry == nullptr)
      return sim_failure(Errc::no_such_file, "rename", from, "there is none; check its name");
    if (entry->folder || (there != nullptr && there->folder))
      return sim_failure(Errc::file_exists, "rename", from,
                         "one of them is a folder; choose a file");
    if (place->name == target->name) return {};
    if (there != nullptr) free(*there);
    place->folder->rename(place->name, target->name);
    return {};
  }

  Result<void> remove(std::string_view path) override {
    auto place = find_to_write(path, "remove");
    if (!place) return place.error();
    const Entry* entry = place->folder->find(place->name);
    if (entry == nullptr)
      return sim_failure(Errc::no_such_file, "remove", path, "there is none; check its name");
    if (entry->folder)
      return sim_failure(Errc::file_exists, "remove", path, "it is a folder; remove files only");
    free(*entry);
    place->folder->remove(place->name);
    return {};
  }

  Result<void> make_folder(std::string_view path) override {
    auto place = find_to_write(path, "make");
    if (!place) return place.error();
    if (place->folder->find(place->name) != nullptr)
      return sim_failure(Errc::file_exists, "make", path,
                         "there is one already; choose another name");
    place->folder->put(place->name, {nullptr, std::make_shared<Folder>()});
    return {};
  }

  Result<std::vector<std::string>> list(std::string_view folder) override {
    auto found = open_folder(folder, "list");
    if (!found) return found.error();
    std::vector<std::string> names;
    for (const auto& [name, entry] : (*found)->now())
      names.push_back(name + (entry.folder ? "/" : ""));
    std::sort(names.begin(), names.end());
    return names;
  }

  Result<void> sync_folder(std::string_view folder) override {
    auto found = open_folder(folder, "sync");
    if (!found) return found.error();
    if (state_->failed) return failed_before(folder);
    auto synced = state_->sync_or_fail(std::string(folder));
    if (synced) (*found)->sync();
    return synced;
  }

 private:
  struct Place {
    std::shared_ptr<Folder> folder;
    std::string name;
  };

  void free(const Entry& entry) {
    state_->used -= std::min<std::uint64_t>(state_->used, entry.file->now().size());
  }

  Result<std::shared_ptr<Folder>> open_folder(std::string_view path, const char* what) {
    if (state_->lifetime != lifetime_) return opened_before_crash(path);
    state_->take(state_->options.call);
    if (!path.empty())
      if (auto good = check_path(path); !good) return good.error();
    std::shared_ptr<Folder> folder = state_->root;
    for (std::size_t begin = 0; begin < path.size();) {
      const std::size_t end = std::min(path.find('/', begin), path.size());
      const Entry* entry = folder->find(path.substr(begin, end - begin));
      if (entry == nullptr || !entry->folder)
        return sim_failure(Errc::no_such_file, what, path,
                           "there is no such folder; make it first");
      folder = entry->folder;
      begin = end + 1;
    }
    return folder;
  }

  Result<Place> find(std::string_view path, const char* what) {
    if (auto good = check_path(path); !good) return good.error();
    const auto slash = path.rfind('/');
    const std::string_view parent = slash == path.npos ? std::string_view() : path.substr(0, slash);
    auto folder = open_folder(parent, what);
    if (!folder) return folder.error();
    return Place{*folder, std::string(path.substr(slash == path.npos ? 0 : slash + 1))};
  }

  Result<Place> find_to_write(std::string_view path, const char* what) {
    if (state_->failed && state_->lifetime == lifetime_) return failed_before(path);
    return find(path, what);
  }

  SimDiskStatePtr state_;
  std::uint64_t lifetime_;
};

std::uint64_t bytes_in(const Folder& folder) {
  std::uint64_t sum = 0;
  for (const auto& [name, entry] : folder.now())
    sum += entry.file ? entry.file->now().size() : bytes_in(*entry.folder);
  return sum;
}

}  // namespace

SimDisk::SimDisk(Random& random, SimDiskOptions options) {
  const bool good = options.sector > 0 && options.full <= 100 && options.failed_syncs <= 100 &&
                    options.failed_reads <= 100 && options.call >= Duration::zero() &&
                    options.sync_least >= Duration::zero() &&
                    options.sync_most >= options.sync_least;
  if (!good) {
    throw Error(Errc::bad_options,
                "a simulated disk has sectors of at least 1 byte, percentages from 0 to 100 and "
                "0 <= sync_least <= sync_most; set its options so");
  }
  state_ = std::make_shared<SimDiskState>(random, options);
  disks_.push_back(std::make_unique<SimDiskView>(state_));
}

SimDisk::~SimDisk() = default;

Disk& SimDisk::disk() { return *disks_.back(); }

void SimDisk::crash(CrashDisk how) {
  ++state_->lifetime;
  state_->failed = state_->fail_next_sync = false;
  if (how == CrashDisk::lose) state_->root->lose();
  if (how == CrashDisk::tear) state_->root->tear(state_->random, state_->options.sector);
  state_->used = bytes_in(*state_->root);
  disks_.push_back(std::make_unique<SimDiskView>(state_));
}

void SimDisk::fail_next_sync() { state_->fail_next_sync = true; }

void SimDisk::set_capacity(std::uint64_t bytes) { state_->options.capacity = bytes; }

bool SimDisk::flip_bit(std::string_view path, std::uint64_t bit) {
  std::shared_ptr<Folder> folder = state_->root;
  for (;;) {
    const auto slash = path.find('/');
    const Entry* entry = folder->find(path.substr(0, slash));
    if (entry == nullptr || (slash == path.npos) != (entry->file != nullptr)) return false;
    if (entry->file) {
      if (bit / 8 >= entry->file->now().size()) return false;
      entry->file->flip_bit(bit);
      return true;
    }
    folder = entry->folder;
    path.remove_prefix(slash + 1);
  }
}

Duration SimDisk::take_latency() { return std::exchange(state_->latency, Duration::zero()); }

std::uint64_t SimDisk::used() const { return state_->used; }

}  // namespace coracle::net
