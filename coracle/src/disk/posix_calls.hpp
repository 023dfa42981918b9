// The system calls whose failures the tests have to provoke.
#pragma once

#include "coracle/disk.hpp"

#include <sys/types.h>

namespace coracle::detail {

struct PosixCalls {
  ssize_t (*write)(int, const void*, size_t);
  ssize_t (*pread)(int, void*, size_t, off_t);
  int (*fdatasync)(int);
  int (*fsync)(int);
};

// The system calls of the machine.
PosixCalls posix_calls();

// posix_disk() with other system calls.
Result<std::unique_ptr<Disk>> posix_disk_with(const std::string& folder, const PosixCalls& calls);

}  // namespace coracle::detail
