// The node of a service's own process, which keeps what other nodes leave when they stop.
#pragma once

#include "coracle/coracle.hpp"

#include <cstdint>
#include <memory>

namespace coracle::society {

// It is like any other node. A service may be begun and ended by an agent, but a node may not: it
// is made and destroyed on another thread.
class Custodian {
 public:
  // `realization` has the custody; of messages for one name, so many are kept. Its service knows it
  // by `identity`.
  Custodian(Realization realization, std::uint32_t kept_for_name, std::string identity = {});
  ~Custodian();

 private:
  std::unique_ptr<Node> node_;
};

}  // namespace coracle::society
