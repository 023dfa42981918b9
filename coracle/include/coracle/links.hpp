// Carries frames between the nodes of a society: what a transport that leaves the process gives
// its node (Transport::links()). A node is known by its lease with the directory.
// Realizations: the simulator's, in realizations/sim; later the links of realizations/net.
// Contract: tests/simulation/nodes_test.cpp
#pragma once

#include "coracle/content.hpp"
#include "coracle/directory.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace coracle {

// The source and the target of a frame, in numbers that mean something to their user alone.
struct FramePair {
  std::uint64_t source = 0;  // 0: anybody
  std::uint64_t target = 0;  // likewise

  // Whether one that is said later waits for the other.
  bool meets(const FramePair& other) const noexcept {
    const auto same = [](std::uint64_t a, std::uint64_t b) { return a == b || a == 0 || b == 0; };
    return same(source, other.source) && same(target, other.target);
  }
  bool operator==(const FramePair&) const = default;
};

// A frame that is sent apart: whose it is, and its number, which no other frame of the node has.
struct Apart {
  FramePair pair;
  std::uint64_t number = 0;
};

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
  // Of the frames that were sent apart to `peer`, up to the one of that number, none waits any
  // more.
  virtual void on_apart_gone(LeaseId peer, std::uint64_t number) {
    static_cast<void>(peer), static_cast<void>(number);
  }
  // Nothing will come from `peer` any more, and nothing reaches it.
  virtual void on_gone(LeaseId peer) = 0;
  // It is there after all, and knows nothing of what was said before. Until Links::meet() nothing
  // reaches it, and nothing comes from it.
  virtual void on_back(LeaseId peer) = 0;

 protected:
  ~LinkUser() = default;
};

// As long as two nodes live, frames from one to the other arrive once each, however often they lose
// sight of each other, and in order, but for what is sent apart; what that takes is the business of
// whoever implements it.
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
  // The same for a frame that means the same wherever it comes: if it is large, what is sent after
  // it may come before it, but nothing that is sent apart and whose pair meets its own.
  virtual bool send_apart(LeaseId self, LeaseId to, std::span<const std::byte> frame,
                          const Content& content, const Apart& apart) {
    static_cast<void>(apart);
    return send(self, to, frame, content);
  }
  // Whether send_apart() is worth it: else all arrives in the order of sending.
  virtual bool takes_turns() const noexcept { return false; }
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
