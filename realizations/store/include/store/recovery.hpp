// The only way to begin: reads the content of the disk, passes it to the object that rebuilds the
// state from it, and begins a new segment. The data of an earlier run is never changed.
#pragma once

#include "store/segment_files.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coracle::store {

// Data that had been on the disk and is not there any more.
struct Damage {
  std::string file;
  std::uint64_t from = 0, to = 0;  // the damaged bytes
  std::string kept_in;             // a file that holds a copy of them; empty: there is no copy
  std::string what;                // a sentence for people
};

// The result of a recovery.
struct RecoveryReport {
  std::uint64_t records = 0;
  std::uint64_t bytes = 0;
  bool fresh = false;           // the disk was empty
  bool ended_in_order = false;  // the last run was closed
  // A file with an invalid end. That end was being written when the last run ended, so nobody was
  // notified that it is stored; unless the disk has damaged the very last group, which looks the
  // same.
  std::string torn_file;
  std::uint64_t torn_bytes = 0;
  std::string torn_kept_in;  // a copy of that end, if it holds good records
  std::vector<Damage> damages;
};

// Rebuilds the state from the records of a journal.
class Replay {
 public:
  virtual ~Replay() = default;
  // The next record; its body is valid during the call.
  virtual void replay(const Record& record) = 0;
  // Data is missing at this position.
  virtual void missing() = 0;
};

struct Recovered {
  std::unique_ptr<SegmentFiles> files;
  JournalStart start;
  RecoveryReport report;
};

// Fails with Errc::unsupported (written by a later version; nothing was touched), bad_options,
// disk_full, or the error of the disk; then nothing is lost, and recovery may be tried again.
// Damage is not a failure: it is copied into another file, and reported.
Result<Recovered> recover(Disk& disk, const JournalOptions& options, Random& random,
                          Replay& replay);

}  // namespace coracle::store
