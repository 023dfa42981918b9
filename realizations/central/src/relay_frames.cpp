#include "relay_frames.hpp"

namespace coracle::central {

RelayedHead read_relayed_head(ByteSpan header) {
  FrameReader in(header);
  RelayedHead head;
  head.kind = static_cast<Relayed>(in.byte());
  head.leases.from = in.number();
  head.leases.to = in.number();
  head.size = header.size() - in.left();
  const bool is_known = head.kind == Relayed::frames ||
                        (head.kind >= Relayed::piece && head.kind <= Relayed::refused);
  head.ok = in.ok() && is_known;
  return head;
}

}  // namespace coracle::central
