// Carries frames between the nodes of a society: what a transport that leaves the process gives
// its node (Transport::links()). A node is known by its lease with the directory.
// Realizations: the simulator's, in realizations/sim; later the links of realizations/net.
// Contract: tests/simulation/nodes_test.cpp
#pragma once

#include "coracle/content.hpp"
#include "coracle/directory.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace coracle {

// The node, as its links see it. Any thread may call, one at a time for each peer.
class LinkUser {
 public:
  // `frame` came from `peer`, and `content` with it.
  virtual void on_frame(LeaseId peer, std::span<const std::byte> frame, Content content) = 0;
  // The same, but what came with it was more than content_limit(), and is thrown away.
  virtual void on_too_large(LeaseId peer, std::span<const std::byte> frame) = 0;
  // The largest content that it takes; always the same.
  virtual std::size_t content_limit() const noexcept = 0;
  // Frames to `peer` have room again.
  virtual void on_room(LeaseId peer) = 0;
  // Nothing will come from `peer` any more, and nothing reaches it.
  virtual void on_gone(LeaseId peer) = 0;
  // It is there after all, and knows nothing of what was said before. Until Links::meet() nothing
  // reaches it, and nothing comes from it.
  virtual void on_back(LeaseId peer) = 0;

 protected:
  ~LinkUser() = default;
};

// As long as two nodes live, frames from one to the other arrive in order and once each, however
// often they lose sight of each other; what that takes is the business of whoever implements it.
// Safe to call from every thread.
class Links {
 public:
  virtual ~Links() = default;

  // Called by the node that it will serve, when it has its lease, and again for each later one:
  // from then on only what was sent to that lease comes to the user.
  virtual void bind(LinkUser& user, LeaseId self) = 0;
  // No call comes to the user from its return on.
  virtual void unbind() noexcept = 0;
  // Takes a frame of the lease `self`, and keeps `content` until it is no longer needed. False asks
  // the caller to send no more messages until on_room(); what answers messages may always be sent.
  // To a peer that is gone, or under an earlier lease, it does nothing.
  virtual bool send(LeaseId self, LeaseId to, std::span<const std::byte> frame,
                    const Content& content) = 0;
  // After on_back(): the user knows nothing any more of what was said before either. What it sends
  // from now on reaches the peer.
  virtual void meet(LeaseId self, LeaseId peer) {
    static_cast<void>(self), static_cast<void>(peer);
  }
  // Whether each peer that is not gone has all that was sent to it. Called while nobody sends.
  virtual bool is_heard() = 0;
  // `peer` sent what makes no sense: it is to be gone, for that reason.
  virtual void refuse(LeaseId peer, std::string_view reason) = 0;
};

}  // namespace coracle
