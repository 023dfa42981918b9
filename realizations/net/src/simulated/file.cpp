#include "disk_state.hpp"

#include <algorithm>
#include <cstring>

namespace coracle::net {

namespace detail {

Error opened_before_crash(std::string_view path) {
  return Error(Errc::stopped,
               "\"" + std::string(path) + "\" was opened before the crash; open the disk again");
}

Error failed_before(std::string_view path) {
  return Error(Errc::disk_failed, "cannot write to \"" + std::string(path) +
                                      "\": an earlier sync failed, so the contents of the disk are "
                                      "unknown; restart, and check what is there");
}

Error sim_failure(Errc errc, const char* what, std::string_view path, const char* why) {
  return Error(errc, std::string("cannot ") + what + " \"" + std::string(path) + "\": " + why);
}

}  // namespace detail

namespace {

using detail::failed_before;
using detail::opened_before_crash;
using detail::sim_failure;

// A file that was opened before a crash fails after it.
class SimFile final : public File {
 public:
  SimFile(SimDiskStatePtr state, std::shared_ptr<Inode> inode, std::string path)
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
    return sim_failure(Errc::disk_full, "append to", path_,
                       "the simulated disk is full; free some room, then try again");
  }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<std::byte> into) override {
    if (state_->lifetime != lifetime_) return opened_before_crash(path_);
    state_->take(state_->options.call);
    if (chance(state_->random, state_->options.failed_reads))
      return sim_failure(Errc::disk_failed, "read", path_, "simulated; try again, or give it up");
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
    if (state_->lifetime != lifetime_) return opened_before_crash(path_);
    return std::uint64_t{inode_->now().size()};
  }

  Result<void> truncate(std::uint64_t size) override {
    if (auto good = may_write(); !good) return good;
    const std::size_t now = inode_->now().size();
    if (size > now) {
      return sim_failure(Errc::bad_options, "truncate", path_,
                         "it is shorter than that; append instead");
    }
    inode_->truncate(static_cast<std::size_t>(size));
    state_->used -= std::min<std::uint64_t>(state_->used, now - size);
    return {};
  }

 private:
  Result<void> may_write() {
    if (state_->lifetime != lifetime_) return opened_before_crash(path_);
    state_->take(state_->options.call);
    if (state_->failed) return failed_before(path_);
    return {};
  }

  SimDiskStatePtr state_;
  std::shared_ptr<Inode> inode_;
  std::string path_;
  std::uint64_t lifetime_;
};

}  // namespace

std::unique_ptr<File> sim_file(SimDiskStatePtr state, std::shared_ptr<Inode> inode,
                               std::string path) {
  return std::make_unique<SimFile>(std::move(state), std::move(inode), std::move(path));
}

}  // namespace coracle::net
