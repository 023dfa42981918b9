// The disks of the hosts of a World. A disk outlives its host's crashes. It has its own randomness,
// so an unused disk does not change the run of a world.
#pragma once

#include "core.hpp"
#include "realizations/net/src/simulated/disk.hpp"

#include <map>

namespace coracle::sim::detail {

class Disks {
 public:
  explicit Disks(Core& core) : core_(core) {}

  // Fails with Errc::bad_options when there is no such host.
  net::SimDisk& of(unsigned host) { return used(host).disk; }
  // The disk's randomness decides whether unsynced data is kept or torn.
  void crash(unsigned host);
  void crash(unsigned host, CrashDisk how);

 private:
  struct Used {
    Used(std::uint64_t seed, const net::SimDiskOptions& options)
        : dice(seed), disk(dice, options) {}
    Dice dice;
    net::SimDisk disk;
  };

  Used& used(unsigned host);

  Core& core_;
  std::map<unsigned, Used> used_;
};

// Fails with Errc::bad_options, whose text names the settings that are impossible.
void check(const DiskOptions& options);

}  // namespace coracle::sim::detail
