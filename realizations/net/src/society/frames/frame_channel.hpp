// Both directions of frames between two nodes, on a link's session: frames of any size, in order,
// except frames that are sent apart. A frame that is larger than the session's messages is sent in
// pieces; a frame without credit waits here.
// Everything is on the thread of the links.
#pragma once

#include "coracle/content.hpp"
#include "frame_batch.hpp"
#include "frame_queue.hpp"
#include "pieces.hpp"
#include "realizations/net/src/link.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace coracle::society {

// The bytes of frames sent apart that may wait for others; above that there is no room for more.
inline constexpr std::size_t most_behind = std::size_t{8} << 20;

// The whole head of a message whose content is a frame batch, unless room_in_batch() of a derived
// class puts more there.
inline constexpr std::byte batch_mark{0xf2};

// Returns the content of a frame for its receiver: none if there are no bytes.
inline Content content_of(ByteSpan bytes) {
  return bytes.empty() ? Content() : Content::bytes(bytes);
}

// Receives lines for the log.
using Log = std::function<void(const std::string&)>;

class FrameChannel;

// The channels on which something was sent in this turn.
class FlushQueue {
 public:
  // `begun` is called when there is something for flush(). A frame batch has at most `batch_bytes`
  // bytes; with 0, each frame is sent by itself.
  explicit FlushQueue(std::function<void()> begun = {}, std::size_t batch_bytes = batch_limit)
      : begun_(std::move(begun)), batch_bytes_(batch_bytes) {}

  std::size_t batch_bytes() const noexcept { return batch_bytes_; }
  void touched(FrameChannel& channel);
  void forget(const FrameChannel& channel) { std::erase(channels_, &channel); }
  // Sends everything that is queued.
  void flush();

 private:
  std::function<void()> begun_;
  const std::size_t batch_bytes_;
  std::vector<FrameChannel*> channels_;
};

class FrameChannel {
 public:
  // Of a frame of more than `most` bytes only the head is assembled; no message that is sent is
  // larger than `piece`, or `apart_piece` if it is a piece of a frame that is sent apart.
  FrameChannel(FlushQueue& flush_queue, std::uint64_t most, std::size_t piece = largest_piece,
               std::size_t apart_piece = largest_apart_piece)
      : flush_queue_(flush_queue),
        piece_(piece),
        small_(std::min(largest_in_batch, flush_queue.batch_bytes())),
        queue_(piece, apart_piece),
        pieces_(most) {}
  virtual ~FrameChannel() { flush_queue_.forget(*this); }
  FrameChannel(const FrameChannel&) = delete;
  FrameChannel& operator=(const FrameChannel&) = delete;

  // Sets the link; nullptr when the link has ended. Nothing that waited is kept.
  void bind(net::Link* link);
  net::Link* link() const noexcept { return link_; }
  // Sets the limit from the next frame on.
  void take_up_to(std::uint64_t most) noexcept { pieces_.take_up_to(most); }

  // Sends a frame, whose first byte is none of those above. Returns false when it has to wait for
  // credit.
  bool send(ByteSpan head, const Content& content = {});
  // The same; a small frame goes into a frame batch, with other small frames that are sent one
  // after another before the batch is written.
  bool send_in_batch(ByteSpan head, const Content& content);
  // The same for a frame that others may overtake; see Transport::send() with an Apart.
  bool send_apart(ByteSpan head, const Content& content, const Apart& apart);
  // Returns whether take_apart_gone() has reported all frames sent apart so far.
  bool is_apart_reported() const noexcept { return is_apart_reported_; }
  // Returns the number of the last of them, when none waits any more; once.
  std::optional<std::uint64_t> take_apart_gone();
  // Drops waiting frames that were sent apart. All frames that are sent apart from now on come
  // behind `frame`.
  void begin_anew(ByteSpan frame);
  // Called when there is credit again; returns whether there is room for more.
  bool on_credit();
  // The number of waiting bytes.
  std::size_t waiting_bytes() const noexcept { return queue_.bytes(); }

  // Returns the kind of `message`: a frame, which stays valid as long as `message` does, the head
  // of a frame that is too large, a part of a frame, or nonsense.
  using Got = Pieces::Got;
  Got take(const net::Arrived& message);
  // Forgets frames that have come in part.
  void forget_parts() { pieces_.forget(); }
  ByteSpan head() const noexcept { return head_; }
  ByteSpan content() const noexcept { return content_; }
  // As content(), as the content of a message; a frame that came in pieces is not copied, and can
  // be taken once.
  Content take_content() { return came_whole_ ? content_of(content_) : pieces_.take_content(); }
  // Gives the room of one or more messages back to the sender.
  void release(std::size_t bytes, std::size_t messages = 1);

 protected:
  // Sends a frame or a piece of one; returns false when there is no credit for it, or when it is
  // one of many pieces and the link is not clear.
  virtual bool pass(ByteSpan head, const Content& content);
  // Returns room for so many bytes in a frame batch, behind its frames or at the beginning of a new
  // one; nullptr when there is no credit for them.
  virtual std::byte* room_in_batch(std::size_t bytes);
  std::byte* room_behind(ByteSpan mark, std::size_t bytes);

 private:
  friend class FlushQueue;

  void touch() {
    if (!touched_) flush_queue_.touched(*this);
  }
  bool has_room() const noexcept {
    return queue_.is_in_order_gone() && queue_.bytes_behind() <= most_behind;
  }

  FlushQueue& flush_queue_;
  const std::size_t piece_;
  const std::size_t small_;  // no larger frame goes into a batch
  net::Link* link_ = nullptr;
  net::Session* session_ = nullptr;  // the session of link_
  bool touched_ = false;
  net::Session::Growing growing_;
  FrameQueue queue_;
  std::uint64_t last_apart_ = 0;
  bool is_apart_reported_ = true;
  Pieces pieces_;
  bool came_whole_ = true;  // the frame that take() has given
  ByteSpan head_, content_;
};

}  // namespace coracle::society
