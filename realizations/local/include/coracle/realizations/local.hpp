// The Local realization: one process, everything in its memory.
#pragma once

#include "coracle/realization.hpp"

namespace coracle::local {

// Settings of the Local realization.
struct Options {
  DirectoryLimits directory;
  // The clock of leases and of the node; nullptr means the machine's clock.
  std::shared_ptr<Clock> clock;
};

// Makes a realization for one node.
Realization realization(Options options = {});

}  // namespace coracle::local
