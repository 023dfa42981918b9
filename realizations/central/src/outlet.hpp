// The server's side of the messages that are for a lease. A message goes to the node of that lease
// at once; or, when the node fetches (decision 0032), the outlet holds it, in order, until the node
// requests it.
// All functions run on the thread of the links.
#pragma once

#include "relay_frames.hpp"

#include <deque>

namespace coracle::central {

class Outlet {
 public:
  // `channel` outlives the outlet.
  Outlet(LeaseId lease, FrameChannel& channel) : lease_(lease), channel_(channel) {}

  // Queues a message of the server's link behind all earlier ones.
  void put(ByteSpan header, ByteSpan content = {});
  // Handles a request of the node; `in` is behind the lease in its message. Returns whether the
  // request makes sense.
  bool on_ask(FrameReader& in);

  FrameChannel& channel() const noexcept { return channel_; }
  // The bytes that wait here and in the channel to the node.
  std::size_t waiting_bytes() const noexcept { return held_bytes_ + channel_.waiting_bytes(); }

 private:
  struct Held {
    Bytes header, content;
  };

  void hold(ByteSpan header, ByteSpan content);
  void give(std::uint64_t most);
  void say(Fetch kind, bool is_more);

  const LeaseId lease_;
  FrameChannel& channel_;
  std::deque<Held> held_;
  std::size_t held_bytes_ = 0;
  bool is_asked_ = false;  // the node has sent at least one request
  bool wants_notice_ = false;
  bool knows_ = false;  // the node knows that something is held
};

}  // namespace coracle::central
