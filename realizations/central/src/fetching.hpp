// A node's side of asking the server for what is for it (decision 0032): whenever the server says
// that something waits, or again and again.
// Everything is on the thread of the links.
#pragma once

#include "coracle/realizations/central.hpp"
#include "realizations/net/src/society/station.hpp"
#include "relay_frames.hpp"

#include <memory>

namespace coracle::central {

class Fetching {
 public:
  // `station` outlives it. With Delivery::How::push it never asks.
  Fetching(Station& station, const Delivery& delivery);

  // The node has that lease now.
  void begin(LeaseId self);
  // What was asked is not answered any more; nothing is asked until the next begin().
  void end();
  // What the server says about it; false if it makes no sense.
  bool on_message(ByteSpan header);

 private:
  void ask();

  Station& station_;
  const Delivery delivery_;
  LeaseId self_ = 0;        // 0: nothing is asked
  bool is_asking_ = false;  // the answer is still to come
  std::unique_ptr<net::Alarm> next_;
};

}  // namespace coracle::central
