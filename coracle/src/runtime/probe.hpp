// Looks for a circle of agents that wait for each other, from one worker or node to the next.
#pragma once

#include "runtime/command.hpp"
#include "runtime/party.hpp"

#include <string>

namespace coracle::detail {

struct Probe final : Command {
  void run(Worker& worker) override;
  // It looks for a way back to `party`, which waits for `next`.
  void begin_at(Party& party, const Party& next);

  Name origin;
  std::uint64_t token = 0;  // of the origin's wait
  Party* at = nullptr;
  int hops = 0;
  std::string path;
};

}  // namespace coracle::detail
