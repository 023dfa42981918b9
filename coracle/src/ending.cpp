#include "coracle/ending.hpp"

namespace coracle {

const char* to_string(EndReason reason) noexcept {
  switch (reason) {
    case EndReason::stopped: return "stopped";
    case EndReason::crashed: return "crashed";
    case EndReason::unreachable: return "unreachable";
    case EndReason::expired: return "expired";
    case EndReason::fenced: return "fenced";
  }
  return "unknown";
}

}  // namespace coracle
