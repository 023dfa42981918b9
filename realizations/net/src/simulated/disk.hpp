// A disk in memory, with faults: the seed and the calls alone decide its behaviour. The disk keeps
// what a power cut keeps, and loses what a power cut may lose.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/disk.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace coracle::net {

// Settings of a simulated disk.
struct SimDiskOptions {
  std::uint64_t capacity = 64u << 20;  // bytes of all files together
  std::size_t sector = 512;            // the unit that is written whole or not at all
  // The time that the calls take. They return at once; the time is given to `spend`, or else
  // counted, see SimDisk::take_latency().
  Duration call = std::chrono::microseconds(20);
  Duration sync_least = std::chrono::milliseconds(1);
  Duration sync_most = std::chrono::milliseconds(8);
  std::function<void(Duration)> spend = {};
  // Percent of the calls that fail.
  unsigned full = 0;  // an append stops midway for want of room
  unsigned failed_syncs = 0;
  unsigned failed_reads = 0;
};

// A crash treats bytes that were not synced in one of these ways.
enum class CrashDisk : std::uint8_t {
  keep,  // they stay: only the program has died
  lose,  // all of them are gone
  tear,  // some remain: sectors, their beginnings, stale bytes instead of them
};

struct SimDiskState;  // private to the simulated disk

// One node's disk.
class SimDisk {
 public:
  // `random` outlives the disk. Throws Errc::bad_options.
  explicit SimDisk(Random& random, SimDiskOptions options = {});
  ~SimDisk();

  // The disk as programs see it. After a crash there is another one, and files that were opened
  // before fail with Errc::stopped.
  Disk& disk();

  // Ends everything that is open, as the death of the node does.
  void crash(CrashDisk how);
  // Makes the next sync fail, of a file or of a folder.
  void fail_next_sync();
  // Sets the number of bytes that there is room for; bytes that are there stay.
  void set_capacity(std::uint64_t bytes);
  // Turns one bit of a file, as it is and as it would be after a crash. Returns false when there is
  // no such bit.
  bool flip_bit(std::string_view path, std::uint64_t bit);

  // The time that the calls since the last time would have taken.
  Duration take_latency();
  // The number of bytes that all files have together.
  std::uint64_t used() const;

 private:
  std::shared_ptr<SimDiskState> state_;
  std::vector<std::unique_ptr<Disk>> disks_;  // one for each lifetime; the last is alive
};

}  // namespace coracle::net
