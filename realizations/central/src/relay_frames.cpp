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
  head.ok = in.ok() && head.kind >= Relayed::piece && head.kind <= Relayed::frames;
  head.ok &= head.kind <= Relayed::refused || head.kind == Relayed::frames;
  return head;
}

}  // namespace coracle::central
