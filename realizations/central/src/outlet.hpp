// The server's side of what is for a lease: goes to the node of that lease at once, or, when the
// node asks for it (decision 0032), is held until it does, in order.
// Everything is on the thread of the links.
#pragma once

#include "relay_frames.hpp"

#include <deque>

namespace coracle::central {

class Outlet {
 public:
  // `way` outlives it.
  Outlet(LeaseId lease, Way& way) : lease_(lease), way_(way) {}

  // Puts a message of the server's link behind all that was put before.
  void put(ByteSpan header, ByteSpan content = {});
  // The node asks, in what follows its lease in the message; returns whether that makes sense.
  bool on_ask(FrameReader& in);

  Way& way() const noexcept { return way_; }
  // What waits here, and in the way to the node.
  std::size_t waiting_bytes() const noexcept { return held_bytes_ + way_.waiting_bytes(); }

 private:
  struct Held {
    Bytes header, content;
  };

  void hold(ByteSpan header, ByteSpan content);
  void give(std::uint64_t most);
  void say(Fetch kind, bool is_more);

  const LeaseId lease_;
  Way& way_;
  std::deque<Held> held_;
  std::size_t held_bytes_ = 0;
  bool is_asked_ = false;  // at least once
  bool wants_notice_ = false;
  bool knows_ = false;  // that something is held
};

}  // namespace coracle::central
