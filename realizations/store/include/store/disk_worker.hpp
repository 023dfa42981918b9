// Where the journal's work on the disk is done: at once, or by a thread of its own.
#pragma once

#include "store/segment_files.hpp"

#include <functional>
#include <variant>

namespace coracle::store {

struct FetchRecord {
  std::uint64_t ticket = 0;
  Place place;
};
struct FetchSegment {
  std::uint32_t number = 0;
};
struct Refill {};
// Something to do on the disk.
using Work = std::variant<Batch, FetchRecord, FetchSegment, Refill>;

// What became of it.
struct WorkDone {
  Work work;
  std::optional<Error> error;
  Bytes bytes;  // what was fetched
  bool full = false;
  std::uint64_t room = 0;  // left of the reserve
};

// Does pieces of work one after the other, in the order in which they were given.
class DiskWorker {
 public:
  virtual ~DiskWorker() = default;
  virtual void submit(Work work) = 0;
  // What is done, in the same order; nothing if nothing is.
  virtual std::optional<WorkDone> poll() = 0;
  // Returns when poll() will give something, or when nothing is to be done.
  virtual void wait() = 0;
};

// Does it in submit().
std::unique_ptr<DiskWorker> inline_worker(std::unique_ptr<SegmentFiles> files);
// Does it on a thread, and calls `wake` there when something is done. What is not begun when it is
// destroyed is not done.
std::unique_ptr<DiskWorker> thread_worker(std::unique_ptr<SegmentFiles> files,
                                          std::function<void()> wake);

}  // namespace coracle::store
