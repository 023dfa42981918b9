// Frames that wait to be sent between two nodes, in the order of sending: large frames that are
// sent apart take turns with each other and with everything else.
#pragma once

#include "coracle/frames.hpp"
#include "pieces.hpp"

#include <deque>
#include <optional>

namespace coracle::society {

class FrameQueue {
 public:
  // No message that is sent is larger than `most`, and no piece of a frame sent apart is larger
  // than `most_apart`, or than a few times as much while nothing else is sent.
  FrameQueue(std::size_t most, std::size_t most_apart) : most_(most), most_apart_(most_apart) {}

  void add(ByteSpan head, const Content& content);
  // Adds a frame that waits only for frames sent apart whose pair meets its pair; see
  // Transport::send() with an Apart.
  void add_apart(ByteSpan head, const Content& content, const FramePair& pair);

  // The frame to send next, or a piece of one; it stays the next until gone() or clear().
  struct Next {
    ByteSpan head;
    const Content* content;
  };
  std::optional<Next> next();
  // The next one has been sent.
  void gone();
  // Another frame was sent, which did not have to wait here.
  void others_went() noexcept { pieces_alone_ = 0; }

  void clear();
  // Forgets the frames that are sent apart.
  void begin_apart_anew();

  // Return whether the frames sent in order, or those sent apart, or all, have been sent.
  bool is_in_order_gone() const noexcept { return in_order_.empty(); }
  bool is_apart_gone() const noexcept { return going_.empty() && behind_.empty(); }
  bool empty() const noexcept { return in_order_.empty() && is_apart_gone(); }
  // The waiting bytes: of all frames, and of frames sent apart that wait for others.
  std::size_t bytes() const noexcept { return bytes_; }
  std::size_t bytes_behind() const noexcept { return bytes_behind_; }

 private:
  struct Frame {
    std::size_t left() const noexcept { return head.size() + content.size() - sent; }

    Bytes head;
    Content content;
    FramePair pair = {};
    std::uint64_t after = 0;  // the count of in-order frames to be sent before it
    std::uint8_t place = place_in_order;
    std::size_t sent = 0;
  };

  bool is_small(const Frame& frame) const noexcept { return frame.left() <= most_; }
  bool let_go(Frame& frame);
  void let_others_go();
  void make_piece(const Frame& frame);
  std::size_t most_of_apart_piece() const noexcept;
  bool is_an_apart_ones_turn();
  Frame& frame_of_next() { return is_next_apart_ ? going_[turn_] : in_order_.front(); }

  const std::size_t most_, most_apart_;
  std::deque<Frame> in_order_;
  std::vector<Frame> going_;            // apart, in pieces
  std::deque<Frame> behind_;            // apart, and has to wait
  std::uint64_t added_ = 0, gone_ = 0;  // counts of frames that are sent in order
  std::size_t turn_ = 0;                // the index in going_ of the frame whose turn it is
  std::size_t bytes_since_piece_ = 0;   // bytes of frames in order
  std::uint32_t pieces_alone_ = 0;      // pieces sent apart since another frame was sent
  std::size_t bytes_ = 0, bytes_behind_ = 0;
  // The next, as next() has returned it.
  bool is_next_known_ = false, is_next_apart_ = false;
  std::size_t next_bytes_ = 0;  // bytes of the frame in the next message
  Bytes piece_;                 // empty: it is a whole frame
};

}  // namespace coracle::society
