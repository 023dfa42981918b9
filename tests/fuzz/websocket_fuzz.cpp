// Feeds any bytes to the reader of WebSocket's frames, and to both sides of a session, as a whole
// and in pieces. There must be no crash; both must give the same, and hold no more than the limit.
#include "message/frames.hpp"
#include "stream/socket_session.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace coracle;
using namespace coracle::http;

constexpr std::size_t longest = 500;

std::string read_in(std::string_view bytes, std::size_t piece, bool expects_mask) {
  FrameReader reader(expects_mask, longest);
  std::string all;
  for (std::size_t at = 0; at < bytes.size() && !reader.fault(); at += piece) {
    reader.read(bytes.substr(at, piece), [&](const Incoming& one) {
      if (one.payload.size() > longest) std::abort();
      if (one.opcode == Opcode::text && !is_utf8(one.payload)) std::abort();
      all += std::to_string(static_cast<int>(one.opcode)) + ':' + one.payload + '\n';
      return true;
    });
    if (reader.buffered() > longest + 125) std::abort();
  }
  if (reader.fault()) all += '!' + std::to_string(static_cast<int>(reader.fault()->code));
  return all;
}

class Zeros final : public Random {
  std::uint64_t next() override { return 0; }
};

void play(std::string_view bytes, std::size_t piece, bool is_client) {
  Zeros masks;
  SocketOptions options;
  options.message_bytes = longest;
  Time now{std::chrono::seconds(1)};
  SocketSession session(options, is_client ? &masks : nullptr, now);
  std::size_t room = 3;
  const auto take = [&](const SocketMessage& message) {
    if (message.data.size() > longest) std::abort();
    return --room != 0;
  };
  for (std::size_t at = 0; at < bytes.size() && !session.is_over(); at += piece) {
    if (room == 0) room = 3;
    session.on_bytes(bytes.substr(at, piece), take, now);
    now += std::chrono::seconds(7);
    if (now >= session.deadline()) session.on_time(now);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const bool flag = (data[0] & 0x80U) != 0;
  const std::size_t piece = data[0] % 16 + 1U;
  if (read_in(bytes, size, flag) != read_in(bytes, piece, flag)) std::abort();
  play(bytes, piece, flag);
  (void)closing_in(bytes);
  (void)accept_of(bytes);
  return 0;
}
