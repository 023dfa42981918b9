// One direction-pair between two nodes, on a link's session: frames of any size, in order, but for
// what is sent apart. What is larger than the session's messages goes in pieces; what it has no
// credit for waits here.
// Everything is on the thread of the links.
#pragma once

#include "coracle/content.hpp"
#include "realizations/net/src/link.hpp"
#include "realizations/net/src/society/frame_queue.hpp"
#include "realizations/net/src/society/pieces.hpp"
#include "realizations/net/src/society/together.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace coracle::society {

// The lane of all that a Way sends.
inline constexpr net::Lane way_lane = net::Lane::control;
// Of what was sent apart and waits for others so much may wait, until there is no room for more.
inline constexpr std::size_t most_behind = std::size_t{1} << 20;

// All of the head of a message whose content is frames that go together, unless room_together()
// says otherwise.
inline constexpr std::byte together_mark{0xf2};

// What a frame's content is to its receiver: none if there are no bytes.
inline Content content_of(ByteSpan bytes) {
  return bytes.empty() ? Content() : Content::bytes(bytes);
}

// Told what is worth a line in a log.
using Log = std::function<void(const std::string&)>;

class Way;

// The ways on which something was sent in this turn.
class Turn {
 public:
  // `begun` is called when there is something for flush(). Of small frames so many bytes go
  // together at most; with 0 each goes by itself.
  explicit Turn(std::function<void()> begun = {}, std::size_t together = most_together)
      : begun_(std::move(begun)), together_(together) {}

  std::size_t together() const noexcept { return together_; }
  void touched(Way& way);
  void forget(const Way& way) { std::erase(ways_, &way); }
  // Has all that was sent go out.
  void flush();

 private:
  std::function<void()> begun_;
  const std::size_t together_;
  std::vector<Way*> ways_;
};

class Way {
 public:
  // Of frames of more than `most` bytes no more than the head is put together; none goes in pieces
  // larger than `piece`.
  Way(Turn& turn, std::uint64_t most, std::size_t piece = largest_piece)
      : turn_(turn),
        piece_(piece),
        small_(std::min(largest_together, turn.together())),
        queue_(piece),
        pieces_(most) {}
  virtual ~Way() { turn_.forget(*this); }
  Way(const Way&) = delete;
  Way& operator=(const Way&) = delete;

  // Sets what it goes by; nullptr when that is no more. Nothing that waited is kept.
  void bind(net::Link* link);
  net::Link* link() const noexcept { return link_; }
  // From the next frame on.
  void take_up_to(std::uint64_t most) noexcept { pieces_.take_up_to(most); }

  // Sends a frame, whose first byte is none of those above. False when it has to wait for credit.
  bool send(ByteSpan head, const Content& content = {});
  // The same; a small one goes in a message that is marked as what goes together, with those that
  // were sent behind one another before it went out.
  bool send_together(ByteSpan head, const Content& content);
  // The same for one that others may overtake; see Links::send_apart().
  bool send_apart(ByteSpan head, const Content& content, const Apart& apart);
  // Whether that has been said of all that was sent so far.
  bool is_apart_told() const noexcept { return is_apart_told_; }
  // The number of the last of them, when none of these waits any more; once.
  std::optional<std::uint64_t> take_apart_gone();
  // Frames that were sent apart and wait are for nobody any more. All that is sent apart from now
  // on comes behind this one.
  void begin_anew(ByteSpan frame);
  // There is credit again; returns whether there is room for more.
  bool on_credit();
  // How much waits.
  std::size_t waiting_bytes() const noexcept { return queue_.bytes(); }

  // What came makes a frame, which stays valid as long as what came does; or the head of one that
  // is too large; or a part of one; or nonsense.
  using Got = Pieces::Got;
  Got take(const net::Arrived& message);
  // Nothing of what has come in part counts.
  void forget_parts() { pieces_.forget(); }
  ByteSpan head() const noexcept { return head_; }
  ByteSpan content() const noexcept { return content_; }
  // The same, as content of a message; of a frame that came in pieces without a copy, once.
  Content take_content() { return came_whole_ ? content_of(content_) : pieces_.take_content(); }
  // The room that a message took is free again, or so many of them.
  void release(std::size_t bytes, std::size_t messages = 1);

 protected:
  // Lets one go out, a frame or a piece of one; false when there is no credit for it.
  virtual bool pass(ByteSpan head, const Content& content);
  // Room for so many bytes in a message of what goes together, behind what is in it or at the
  // beginning of another one; nullptr when there is no credit for them.
  virtual std::byte* room_together(std::size_t bytes);
  std::byte* room_behind(ByteSpan mark, std::size_t bytes);

 private:
  friend class Turn;

  void touch() {
    if (!touched_) turn_.touched(*this);
  }
  bool has_room() const noexcept {
    return queue_.is_in_order_gone() && queue_.bytes_behind() <= most_behind;
  }

  Turn& turn_;
  const std::size_t piece_;
  const std::size_t small_;  // no frame that goes together with others is larger
  net::Link* link_ = nullptr;
  net::Session* session_ = nullptr;  // of the link
  bool touched_ = false;
  net::Session::Growing growing_;
  FrameQueue queue_;
  std::uint64_t last_apart_ = 0;
  bool is_apart_told_ = true;
  Pieces pieces_;
  bool came_whole_ = true;  // the frame that take() has given
  ByteSpan head_, content_;
};

}  // namespace coracle::society
