// The frames that a Transport carries between nodes: who receives them, and in which order they may
// arrive. A node is identified by its lease. See coracle/transport.hpp.
#pragma once

#include "coracle/content.hpp"
#include "coracle/directory.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace coracle {

// The source and the target of a frame, as numbers that only the node interprets.
struct FramePair {
  std::uint64_t source = 0;  // 0: any source
  std::uint64_t target = 0;  // 0: any target

  // Returns whether frames of both pairs must keep their order.
  bool meets(const FramePair& other) const noexcept {
    const auto same = [](std::uint64_t a, std::uint64_t b) { return a == b || a == 0 || b == 0; };
    return same(source, other.source) && same(target, other.target);
  }
  bool operator==(const FramePair&) const = default;
};

// Marks a frame that later frames of other pairs may overtake.
struct Apart {
  FramePair pair;
  std::uint64_t number = 0;  // unique among the frames of the node
};

// The node, as its transport sees it. Any thread may call, one at a time for each peer.
class FrameReceiver {
 public:
  // `frame` has come from `peer`, with `content`.
  virtual void on_frame(LeaseId peer, std::span<const std::byte> frame, Content content) = 0;
  // The same, but the content was larger than content_limit() and was thrown away.
  virtual void on_too_large(LeaseId peer, std::span<const std::byte> frame) = 0;
  // The largest content that the node takes; it never changes.
  virtual std::size_t content_limit() const noexcept = 0;
  // There is room again for frames to `peer`.
  virtual void on_room(LeaseId peer) = 0;
  // Of the frames that were sent apart to `peer`, none up to `number` waits any more.
  virtual void on_apart_gone(LeaseId peer, std::uint64_t number) {
    static_cast<void>(peer), static_cast<void>(number);
  }
  // Nothing more will come from `peer`, and nothing reaches it.
  virtual void on_gone(LeaseId peer) = 0;
  // `peer` is there after all, and has forgotten everything that was sent before. Until
  // Transport::meet() nothing reaches it, and nothing comes from it.
  virtual void on_back(LeaseId peer) = 0;

 protected:
  ~FrameReceiver() = default;
};

}  // namespace coracle
