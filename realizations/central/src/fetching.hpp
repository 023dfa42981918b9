// A node's side of fetching from the server what is for the node (decision 0032): whenever the
// server announces that something waits, or again and again.
// All functions run on the thread of the links.
#pragma once

#include "coracle/realizations/central.hpp"
#include "realizations/net/src/society/home/connectivity.hpp"
#include "relay_frames.hpp"

#include <memory>

namespace coracle::central {

class Fetching {
 public:
  // `connectivity` outlives the object. With Delivery::How::push it never sends a request.
  Fetching(NodeConnectivity& connectivity, const Delivery& delivery);

  // The node has the lease `self` now.
  void begin(LeaseId self);
  // The open request gets no reply any more; nothing is requested until the next begin().
  void end();
  // Reads a message of the server about fetching; returns false if the message makes no sense.
  bool on_message(ByteSpan header);

 private:
  void ask();

  NodeConnectivity& connectivity_;
  const Delivery delivery_;
  LeaseId self_ = 0;        // 0: nothing is requested
  bool is_asking_ = false;  // the reply has not arrived yet
  std::unique_ptr<net::Alarm> next_;
};

}  // namespace coracle::central
