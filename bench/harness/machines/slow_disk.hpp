// The machine's disk, made as slow as another one.
#pragma once

#include <coracle/clock.hpp>
#include <coracle/disk.hpp>

#include <memory>
#include <string>

namespace coracle::bench {

// The disk below `folder`; no sync takes less than `sync`. Fails with NotDone.
std::unique_ptr<Disk> slow_disk(const std::string& folder, Duration sync);

}  // namespace coracle::bench
