// The disks of the hosts of a World. A disk outlives its host's crashes, and has randomness of its
// own, so that a world in which nobody uses it is as it would be without.
#pragma once

#include "core.hpp"
#include "realizations/net/src/sim/disk.hpp"

#include <map>

namespace coracle::sim::detail {

class Disks {
 public:
  explicit Disks(Core& core) : core_(core) {}

  // Fails with Errc::bad_options when there is no such host.
  net::SimDisk& of(unsigned host) { return used(host).disk; }
  // What is not synced is kept or torn, as the disk's randomness says.
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

// Fails with Errc::bad_options and says which settings are impossible.
void check(const DiskOptions& options);

}  // namespace coracle::sim::detail
