#include "realizations/net/src/session/terms.hpp"

namespace coracle::net {

const char* to_string(Reason reason) noexcept {
  switch (reason) {
    case Reason::leaving:
      return "leaving";
    case Reason::idle:
      return "idle";
    case Reason::crossed:
      return "crossed";
    case Reason::wrong_version:
      return "wrong version";
    case Reason::wrong_society:
      return "wrong society";
    case Reason::not_permitted:
      return "not permitted";
    case Reason::stale:
      return "stale";
    case Reason::too_slow:
      return "too slow";
    case Reason::malformed:
      return "malformed";
    case Reason::unknown_frame:
      return "unknown frame";
    case Reason::oversize:
      return "oversize";
    case Reason::credit_overrun:
      return "credit overrun";
    case Reason::gap:
      return "gap";
    case Reason::bad_acknowledgement:
      return "bad acknowledgement";
    case Reason::silent:
      return "silent";
    case Reason::stalled:
      return "stalled";
    case Reason::busy:
      return "busy";
    case Reason::broken:
      return "broken";
  }
  return "unknown";
}

}  // namespace coracle::net
