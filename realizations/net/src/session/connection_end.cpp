#include "realizations/net/src/session/connection_end.hpp"

namespace coracle::net {

bool ConnectionEnd::fail(Reason reason, std::string_view what) {
  close(reason, std::string(what));
  return false;
}

bool ConnectionEnd::take_goodbye(ByteSpan body) {
  FrameReader reader(body);
  const std::uint8_t reason = reader.byte();
  const auto sentence = reader.rest();
  if (!reader.ok()) return fail(Reason::malformed, "a goodbye that cannot be understood");
  farewell_ = Closing{static_cast<Reason>(reason), shown(sentence)};
  return false;
}

void ConnectionEnd::write_goodbye(std::vector<std::byte>& frames) {
  frames.clear();
  append_goodbye(frames, *closing_);
  goodbye_written_ = true;
}

}  // namespace coracle::net
