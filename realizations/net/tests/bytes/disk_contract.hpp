// The contract of Disk: the promises of every realization, as cases that each one runs.
#pragma once

#include "coracle/disk.hpp"

#include <functional>
#include <memory>

namespace coracle::net::test {

// A disk that was empty at first.
class DiskBench {
 public:
  virtual ~DiskBench() = default;
  virtual Disk& disk() = 0;
  // Ends the program that uses it, and begins another; nothing is lost by that.
  virtual void reopen() = 0;
};

// Proves each sentence on a bench of its own.
void prove_disk(const std::function<std::unique_ptr<DiskBench>()>& make_bench);

}  // namespace coracle::net::test
