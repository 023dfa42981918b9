#include "disks.hpp"

#include <string>

namespace coracle::sim::detail {

namespace {

constexpr std::uint64_t apart = 0x9e3779b97f4a7c15;  // the distance of two disks' seeds

net::SimDiskOptions settings(const DiskOptions& options) {
  net::SimDiskOptions made;
  made.capacity = options.capacity;
  made.sector = options.sector;
  made.call = options.call;
  made.sync_least = options.sync_least;
  made.sync_most = options.sync_most;
  made.full = options.full;
  made.failed_syncs = options.failed_syncs;
  made.failed_reads = options.failed_reads;
  return made;
}

net::CrashDisk what_happens(CrashDisk how) {
  switch (how) {
    case CrashDisk::keep:
      return net::CrashDisk::keep;
    case CrashDisk::lose:
      return net::CrashDisk::lose;
    case CrashDisk::tear:
      return net::CrashDisk::tear;
  }
  return net::CrashDisk::tear;
}

}  // namespace

void check(const DiskOptions& options) {
  Dice unused(0);
  const net::SimDisk refused_if_impossible(unused, settings(options));
}

Disks::Used& Disks::used(unsigned host) {
  const auto found = used_.find(host);
  if (found != used_.end()) return found->second;
  if (host >= core_.options().nodes) {
    throw Error(Errc::bad_options, "host " + std::to_string(host) + " does not exist; there are " +
                                       std::to_string(core_.options().nodes) + ", counted from 0");
  }
  net::SimDiskOptions options = settings(core_.options().disk);
  options.spend = [&core = core_, host](Duration span) {
    core.driven().occupy(host, core.now(), span);
  };
  return used_.try_emplace(host, core_.options().seed + apart * (host + 1), options).first->second;
}

void Disks::crash(unsigned host) {
  const auto found = used_.find(host);
  if (found == used_.end()) return;
  crash(host, found->second.dice.below(4) == 0 ? CrashDisk::keep : CrashDisk::tear);
}

void Disks::crash(unsigned host, CrashDisk how) {
  const auto found = used_.find(host);
  if (found == used_.end()) return;
  found->second.disk.crash(what_happens(how));
  core_.note({}, "the disk of host " + std::to_string(host) + " has " +
                     std::to_string(found->second.disk.used()) + " bytes left");
}

}  // namespace coracle::sim::detail
