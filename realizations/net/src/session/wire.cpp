#include "realizations/net/src/session/wire.hpp"

#include <algorithm>
#include <string_view>

namespace coracle::net {

void append_goodbye(std::vector<std::byte>& out, const Closing& why) {
  constexpr std::size_t longest = 240;
  append_frame(out, FrameType::goodbye, [&why](FrameWriter& body) {
    body.byte(static_cast<std::uint8_t>(why.reason));
    body.bytes(std::as_bytes(std::span(std::string_view(why.sentence).substr(0, longest))));
  });
}

std::string shown(ByteSpan text) {
  constexpr std::size_t longest = 256;
  std::string result;
  for (const std::byte each : text.first(std::min(text.size(), longest))) {
    const char c = static_cast<char>(each);
    result += c >= ' ' && c < 127 ? c : '?';
  }
  return result;
}

}  // namespace coracle::net
