#include "relay_frames.hpp"

namespace coracle::central {

RelayedHead read_relayed_head(ByteSpan header) {
  FrameReader in(header);
  RelayedHead head;
  const std::uint8_t kind = in.byte();
  head.kind = static_cast<Relayed>(kind);
  head.leases.from = in.number();
  head.leases.to = in.number();
  head.size = header.size() - in.left();
  head.ok = in.ok() && kind >= static_cast<std::uint8_t>(Relayed::piece) && kind <= last_relayed;
  return head;
}

}  // namespace coracle::central
