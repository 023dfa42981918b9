// Feeds any bytes to the handshake of a connection. There must be no crash; a connection without
// proof is admitted only if anybody may enter; a decoded greeting must read the same after it is
// encoded again.
#include "realizations/net/src/handshake.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace coracle::net;

void check_handshake(Handshake handshake, ByteSpan input, bool anybody) {
  std::size_t begin = 0, output = handshake.take().size();
  // The input goes in pieces; its first byte gives their size.
  const std::size_t piece = input.empty() ? 1 : 1 + static_cast<std::size_t>(input[0]);
  for (std::size_t end = 0; end < input.size();) {
    end = std::min(input.size(), end + piece);
    begin += handshake.received(input.subspan(begin, end - begin));
    if (handshake.asked()) handshake.answer(7);
    output += handshake.take().size();
    if (handshake.failed() || handshake.done()) break;
    if (end - begin > Handshake::largest_frame) std::abort();  // must have been refused
  }
  if (handshake.done() && !anybody) std::abort();
  if (output > 4096) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto input = std::as_bytes(std::span(data, size));
  Identity self;
  self.society = "lab";
  self.node = "bob";
  self.epoch = {1, 2};
  const Peer peer;
  const SessionOptions options;
  for (const bool anybody : {false, true}) {
    self.anybody = anybody;
    check_handshake(Handshake::accept(self, peer, options.largest), input, anybody);
    check_handshake(Handshake::dial(self, peer, "", 3, options.largest), input, anybody);
  }

  std::string fault;
  if (const auto hello = read_hello(input, fault)) {
    std::vector<std::byte> again;
    append_hello(again, *hello);
    const auto reread = read_hello(ByteSpan(again).subspan(frame_header_bytes), fault);
    if (!reread || reread->greeting.node != hello->greeting.node ||
        !(reread->greeting.epoch == hello->greeting.epoch) ||
        reread->greeting.number != hello->greeting.number ||
        !(reread->greeting.largest == hello->greeting.largest))
      std::abort();
  }
  return 0;
}
