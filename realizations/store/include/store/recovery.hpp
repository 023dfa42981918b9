// The only way to begin: reads what is there, tells it to whoever rebuilds from it, and begins a
// new segment. What an earlier run has written is never changed.
#pragma once

#include "store/segment_files.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coracle::store {

// Something that had been on the disk and is not any more.
struct Damage {
  std::string file;
  std::uint64_t from = 0, to = 0;  // bytes of it
  std::string kept_in;             // a file that holds a copy of them; empty: there is nothing
  std::string what;                // a sentence for people
};

// What recovery has found.
struct RecoveryReport {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  bool fresh = false;           // there was nothing at all
  bool ended_in_order = false;  // the last run was closed
  // Whose end does not count. It was being written when the last run ended, so nobody was told that
  // it is stored; unless the disk has damaged the very last group, which looks the same.
  std::string torn_file;
  std::uint64_t torn_bytes = 0;
  std::string torn_kept_in;  // a copy of that, if there is something good in it
  std::vector<Damage> damages;
};

// Rebuilds what a journal tells.
class Replay {
 public:
  virtual ~Replay() = default;
  // The next record; its body is valid during the call.
  virtual void replay(const Record& record) = 0;
  // At this place something is missing.
  virtual void missing() = 0;
};

struct Recovered {
  std::unique_ptr<SegmentFiles> files;
  JournalStart start;
  RecoveryReport report;
};

// Fails with Errc::unsupported (written by a later version; nothing was touched), bad_options,
// disk_full, or what the disk says; then nothing is lost, and it may be tried again. Damage is not
// a failure: it is copied into a file beside, and reported.
Result<Recovered> recover(Disk& disk, const JournalOptions& options, Random& random,
                          Replay& replay);

}  // namespace coracle::store
