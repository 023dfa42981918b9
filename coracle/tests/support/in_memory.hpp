// The parts of a node for tests, without a library of a realization.
#pragma once

#include "coracle/coracle.hpp"

namespace coracle::test {

inline Realization in_memory() {
  Realization parts;
  parts.transport = std::make_shared<LocalTransport>();
  parts.directory = local_directory(steady_clock());
  parts.queue = mail_queues();
  return parts;
}

}  // namespace coracle::test
