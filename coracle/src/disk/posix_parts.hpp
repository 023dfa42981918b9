// The parts that the machine's disk and its files share.
#pragma once

#include "coracle/support/descriptor.hpp"
#include "disk/posix_calls.hpp"

#include <cerrno>
#include <memory>
#include <string>

namespace coracle::detail {

// The state that files share with their disk; it remains when the disk is destroyed first.
struct PosixShared {
  PosixCalls calls;
  std::string folder;
  bool failed = false;  // a sync or a write has failed for good
};

// The Error for the system's `error`, which came from the operation `what` on `path`.
Error posix_failure(const char* what, const std::string& path, int error);
// The Error of every operation after a failure for good: nothing is written any more.
Error posix_given_up(const char* what, const std::string& path);

// Takes ownership of an open file that was opened to append.
std::unique_ptr<File> posix_file(std::shared_ptr<PosixShared> shared, Descriptor file,
                                 std::string path);

// Repeats the call until no signal interrupts it.
template <class Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace coracle::detail
