// Shared by a simulated disk and its open files.
#pragma once

#include "disk.hpp"
#include "inode.hpp"
#include "realizations/net/src/seeded_random.hpp"

#include <memory>
#include <string>
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

  void take(Duration span) {
    if (options.spend) options.spend(span);
    else latency += span;
  }
  Result<void> sync_or_fail(const std::string& path) {
    take(between(random, options.sync_least, options.sync_most));
    const bool fails = std::exchange(fail_next_sync, false) || chance(random, options.failed_syncs);
    failed |= fails;
    if (!fails) return {};
    return Error(Errc::disk_failed,
                 "cannot sync \"" + path + "\" (simulated); restart, and check what is there");
  }
};

using SimDiskStatePtr = std::shared_ptr<SimDiskState>;

namespace detail {
// The errors for a file or a disk that was opened before the last crash, and for one of which a
// sync has failed.
Error opened_before_crash(std::string_view path);
Error failed_before(std::string_view path);
Error sim_failure(Errc errc, const char* what, std::string_view path, const char* why);
}  // namespace detail

// Opens a file for as long as the disk does not crash.
std::unique_ptr<File> sim_file(SimDiskStatePtr state, std::shared_ptr<Inode> inode,
                               std::string path);

}  // namespace coracle::net
