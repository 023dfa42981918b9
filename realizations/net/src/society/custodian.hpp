// The node of a service's own process, which keeps what other nodes leave when they stop.
#pragma once

#include "coracle/coracle.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace coracle::society {

// Its limits: messages for one name, and bytes of content in one message.
struct KeptLimits {
  std::uint32_t for_name;
  std::size_t content;
};
// Fails with Errc::bad_options when nothing could be kept; the options are called that.
void check(const KeptLimits& limits, const std::string& options);

// It is like any other node. A service may be begun and ended by an agent, but a node may not: it
// is made and destroyed on another thread.
class Custodian {
 public:
  // `realization` has the custody. Its service knows it by `identity`.
  Custodian(Realization realization, const KeptLimits& limits, std::string identity = {});
  ~Custodian();

 private:
  std::unique_ptr<Node> node_;
};

}  // namespace coracle::society
