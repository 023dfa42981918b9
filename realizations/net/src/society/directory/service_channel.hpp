// The channel to the directory service that a node uses. Everything is on the thread of the links.
#pragma once

#include "directory_frames.hpp"
#include "realizations/net/src/society/frames/frame_channel.hpp"

namespace coracle::society {

class ServiceChannel final : public FrameChannel {
 public:
  explicit ServiceChannel(FlushQueue& flush_queue) : FrameChannel(flush_queue, largest_answer) {}

  // `fields` is what follows the kind and the number.
  void send_request(Request kind, std::uint64_t number, ByteSpan fields = {}) {
    Bytes frame;
    FrameWriter out(frame);
    out.byte(static_cast<std::uint8_t>(kind));
    out.number(number);
    frame.insert(frame.end(), fields.begin(), fields.end());
    send(frame);
  }
  // Returns whether no service can be expected to answer at once.
  bool is_cut_off(Time now) const {
    if (!is_attached || link() == nullptr) return true;
    const net::Session& session = link()->session();
    return !session.is_open() && now - session.heartbeats().last_received() >= short_break;
  }

  bool is_attached = false;  // this service has our `attach`

 private:
  static constexpr std::uint64_t largest_answer = std::uint64_t{4} << 20;
  // A connection that is gone for longer is not expected to be back at once.
  static constexpr Duration short_break = std::chrono::seconds(1);
};

}  // namespace coracle::society
