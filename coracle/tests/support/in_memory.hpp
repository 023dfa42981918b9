// The parts of a node for tests, without a library that knows a realization.
#pragma once

#include "coracle/coracle.hpp"

namespace coracle::test {

inline Realization in_memory() {
  Realization parts;
  parts.transport = local_transport();
  parts.directory = local_directory(steady_clock());
  parts.queue = mail_queues();
  return parts;
}

}  // namespace coracle::test
