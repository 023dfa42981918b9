#include "realizations/net/src/sim/disk.hpp"

#include "realizations/net/src/sim/inode.hpp"
#include "realizations/net/src/sim/seeded_random.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace coracle::net {

struct SimDiskState {
  SimDiskState(Random& randomness, SimDiskOptions settings)
      : random(randomness), options(settings) {}

  Random& random;
  SimDiskOptions options;
  std::shared_ptr<Folder> root = std::make_shared<Folder>();
  std::uint64_t used = 0;
  std::uint64_t lifetime = 0;  // counts crashes
  bool failed = false;         // a sync has failed
  bool fail_next_sync = false;
  Duration latency{};

  void take(Duration span) { latency += span; }
  Result<void> sync_or_fail(const std::string& path) {
    take(between(random, options.sync_least, options.sync_most));
    const bool fails = std::exchange(fail_next_sync, false) || chance(random, options.failed_syncs);
    failed |= fails;
    if (!fails) return {};
    return Error(Errc::disk_failed,
                 "cannot sync \"" + path + "\" (simulated); restart, and check what is there");
  }
};

namespace {

using StatePtr = std::shared_ptr<SimDiskState>;

Error crashed(std::string_view path) {
  return Error(Errc::stopped,
               "\"" + std::string(path) + "\" was opened before the crash; open the disk anew");
}

Error failed_before(const std::string& path) {
  return Error(Errc::disk_failed, "cannot write to \"" + path +
                                      "\": an earlier sync failed, so nobody knows what is on the "
                                      "disk; restart, and check what is there");
}

Error failure(Errc errc, const char* what, std::string_view path, const char* why) {
  return Error(errc, std::string("cannot ") + what + " \"" + std::string(path) + "\": " + why);
}

// An open file and a disk of one lifetime; what was opened before a crash is dead.
class SimFile final : public File {
 public:
  SimFile(StatePtr state, std::shared_ptr<Inode> inode, std::string path)
      : state_(std::move(state)),
        inode_(std::move(inode)),
        path_(std::move(path)),
        lifetime_(state_->lifetime) {}

  Result<void> append(std::span<const std::byte> bytes) override {
    if (auto good = may_write(); !good) return good;
    const std::uint64_t room =
        state_->options.capacity - std::min(state_->options.capacity, state_->used);
    std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(room, bytes.size()));
    const bool stops = chance(state_->random, state_->options.full);
    if (stops) count = between(state_->random, 0, count);
    if (count > 0) inode_->append(bytes.first(count));
    state_->used += count;
    if (count == bytes.size() && !stops) return {};
    return failure(Errc::disk_full, "append to", path_,
                   "the simulated disk is full; free some room, then try again");
  }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    if (state_->lifetime != lifetime_) return crashed(path_);
    state_->take(state_->options.call);
    if (chance(state_->random, state_->options.failed_reads))
      return failure(Errc::disk_failed, "read", path_, "simulated; try again, or give it up");
    const Bytes& all = inode_->now();
    if (offset >= all.size()) return std::size_t{0};
    const std::size_t count = std::min<std::size_t>(into.size(), all.size() - offset);
    std::memcpy(into.data(), all.data() + offset, count);
    return count;
  }

  Result<void> sync() override {
    if (auto good = may_write(); !good) return good;
    auto synced = state_->sync_or_fail(path_);
    if (synced) {
      inode_->sync();
    } else {
      inode_->fail_sync(state_->random, state_->options.sector);
    }
    return synced;
  }

  Result<std::uint64_t> size() override {
    if (state_->lifetime != lifetime_) return crashed(path_);
    return std::uint64_t{inode_->now().size()};
  }

  Result<void> truncate(std::uint64_t size) override {
    if (auto good = may_write(); !good) return good;
    const std::size_t now = inode_->now().size();
    if (size > now) {
      return failure(Errc::bad_options, "truncate", path_,
                     "it is shorter than that; append instead");
    }
    inode_->truncate(static_cast<std::size_t>(size));
    state_->used -= std::min<std::uint64_t>(state_->used, now - size);
    return {};
  }

 private:
  Result<void> may_write() {
    if (state_->lifetime != lifetime_) return crashed(path_);
    state_->take(state_->options.call);
    if (state_->failed) return failed_before(path_);
    return {};
  }

  StatePtr state_;
  std::shared_ptr<Inode> inode_;
  std::string path_;
  std::uint64_t lifetime_;
};

class SimDiskView final : public Disk {
 public:
  explicit SimDiskView(StatePtr state) : state_(std::move(state)), lifetime_(state_->lifetime) {}

  Result<std::unique_ptr<File>> open(std::string_view path, Open how) override {
    auto place = find(path, "open");
    if (!place) return place.error();
    const Entry* entry = place->folder->find(place->name);
    if (entry != nullptr && (entry->folder || how == Open::new_one))
      return failure(Errc::file_exists, "open", path, "there is one already; choose another name");
    if (entry == nullptr && how == Open::existing)
      return failure(Errc::no_such_file, "open", path, "there is none; check its name");
    if (entry == nullptr) {
      if (state_->failed) return failed_before(std::string(path));
      place->folder->put(place->name, {std::make_shared<Inode>(), nullptr});
      entry = place->folder->find(place->name);
    }
    return std::unique_ptr<File>(std::make_unique<SimFile>(state_, entry->file, std::string(path)));
  }

  Result<void> rename(std::string_view from, std::string_view to) override {
    auto place = find_to_write(from, "rename");
    auto target = find_to_write(to, "rename");
    if (!place) return place.error();
    if (!target) return target.error();
    if (place->folder != target->folder) {
      return failure(Errc::bad_path, "rename", from,
                     "that is in another folder; copy it there, sync both, then remove it");
    }
    const Entry* entry = place->folder->find(place->name);
    const Entry* there = place->folder->find(target->name);
    if (entry == nullptr)
      return failure(Errc::no_such_file, "rename", from, "there is none; check its name");
    if (entry->folder || (there != nullptr && there->folder))
      return failure(Errc::file_exists, "rename", from, "one of them is a folder; choose a file");
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
      return failure(Errc::no_such_file, "remove", path, "there is none; check its name");
    if (entry->folder)
      return failure(Errc::file_exists, "remove", path, "it is a folder; remove files only");
    free(*entry);
    place->folder->remove(place->name);
    return {};
  }

  Result<void> make_folder(std::string_view path) override {
    auto place = find_to_write(path, "make");
    if (!place) return place.error();
    if (place->folder->find(place->name) != nullptr)
      return failure(Errc::file_exists, "make", path, "there is one already; choose another name");
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
    if (state_->failed) return failed_before(std::string(folder));
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
    if (state_->lifetime != lifetime_) return crashed(path);
    state_->take(state_->options.call);
    if (!path.empty())
      if (auto good = check_path(path); !good) return good.error();
    std::shared_ptr<Folder> folder = state_->root;
    for (std::size_t begin = 0; begin < path.size();) {
      const std::size_t end = std::min(path.find('/', begin), path.size());
      const Entry* entry = folder->find(path.substr(begin, end - begin));
      if (entry == nullptr || !entry->folder)
        return failure(Errc::no_such_file, what, path, "there is no such folder; make it first");
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
    if (state_->failed && state_->lifetime == lifetime_) return failed_before(std::string(path));
    return find(path, what);
  }

  StatePtr state_;
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
                "0 <= sync_least <= sync_most; set SimDiskOptions so");
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
