// The parts that the machine's disk and its files share.
#pragma once

#include "disk/posix_calls.hpp"

#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

namespace coracle::detail {

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const noexcept { return number_; }
  explicit operator bool() const noexcept { return number_ >= 0; }
  int release() noexcept { return std::exchange(number_, -1); }

 private:
  int number_;
};

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
