// The place where the journal's work on the disk is done: at once, or on a thread of its own.
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

// The result of a piece of work.
struct WorkDone {
  Work work;
  std::optional<Error> error;
  Bytes bytes;  // the bytes that were fetched
  bool full = false;
  std::uint64_t room = 0;  // the bytes left of the reserve
};

// Does pieces of work one after the other, in the order in which they were submitted.
class DiskWorker {
 public:
  virtual ~DiskWorker() = default;
  virtual void submit(Work work) = 0;
  // Returns a finished piece of work, in the same order; nothing if none is finished.
  virtual std::optional<WorkDone> poll() = 0;
  // Returns when poll() will return something, or when no work is left.
  virtual void wait() = 0;
};

// Does the work in submit().
std::unique_ptr<DiskWorker> inline_worker(std::unique_ptr<SegmentFiles> files);
// Does the work on a thread, and calls `wake` there when a piece is finished. Work that has not
// begun when the worker is destroyed is not done.
std::unique_ptr<DiskWorker> thread_worker(std::unique_ptr<SegmentFiles> files,
                                          std::function<void()> wake);

}  // namespace coracle::store
