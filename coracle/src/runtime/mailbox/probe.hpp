// A probe that searches for a cycle of agents that wait for each other. It travels from one worker
// or node to the next.
#pragma once

#include "mailbox.hpp"
#include "runtime/worker/command.hpp"

#include <string>

namespace coracle::detail {

struct Probe final : Command {
  void run(Worker& worker) override;
  // Starts the search for a path back to `mailbox`, which waits for `next`.
  void begin_at(Mailbox& mailbox, const Mailbox& next);

  Name origin;
  std::uint64_t token = 0;  // identifies the origin's wait
  Mailbox* at = nullptr;
  int hops = 0;
  std::string path;
};

}  // namespace coracle::detail
