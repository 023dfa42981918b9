#include "realizations/net/src/session/wire.hpp"

namespace coracle::net {

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
