// The supplier's view of one consumer: the batches that the consumer was given and is not done
// with, and the room for more.
#pragma once

#include "coracle/clock.hpp"
#include "coracle/content.hpp"
#include "coracle/ending.hpp"
#include "pipeline/words.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace coracle::dispel::detail {

// Batches are kept until everything in them is done with, so that they can be sent again to a
// consumer that begins again.
class Outlet {
 public:
  Outlet(std::uint32_t lanes, std::uint32_t window, std::uint64_t window_bytes)
      : window_(window), window_bytes_(window_bytes), acked_(lanes), marked_(lanes) {}

  // The consumer has begun, or is back. If its life is known already, and the incarnations of both
  // stages, only `done` and `end` are used: otherwise something may have been lost on its way, and
  // everything that is kept is sent again. A message of an earlier incarnation changes nothing.
  void attach(const Attach& said, Incarnation mine = {});
  void ack(const std::vector<Label>& done, bool end);
  // The consumer wants nothing more.
  void close();

  // Keeps a batch until it can be sent and is done with. It was made of the labels from `since` to
  // before `next`.
  void push(Content batch, const std::vector<Run>& runs, const std::vector<Label>& since,
            const std::vector<Label>& next);
  // The end comes after everything that was pushed.
  void push_end(Content end);
  // Returns whether the consumer should be sent the progress of the lanes, which it does not have
  // yet.
  bool wants_marks(const std::vector<Label>& next) const noexcept;
  void marked(const std::vector<Label>& next) { marked_ = next; }
  // The next batch to send now, if there is one.
  std::optional<Content> next_to_send();

  // A batch that next_to_send() gave for that life could not be sent. Nothing more is sent to a
  // consumer that is not there, until it begins again.
  void unsend(std::uint64_t life, bool is_there) noexcept {
    if (life != life_) return;  // the consumer has begun again since
    if (sent_ > 0) --sent_;
    if (!is_there) life_ = 0;
  }

  bool is_attached() const noexcept { return life_ != 0; }
  std::uint64_t life() const noexcept { return life_; }
  bool has_ended() const noexcept { return ended_; }
  // Returns whether more may be put out.
  bool has_room() const noexcept {
    return ended_ || (items_ < window_ && bytes_ < window_bytes_) || kept_.empty();
  }
  // The number of items that are kept.
  std::uint64_t items() const noexcept { return items_; }
  // Lowers `done`, which is what the supplier has processed, to what this consumer is done with.
  void limit(std::vector<Label>& done) const;
  // The labels that the consumer has acknowledged.
  const std::vector<Label>& acked() const noexcept { return acked_; }

 private:
  struct Kept {
    Content batch;
    std::vector<Run> runs;
    std::vector<Label> since;
    std::uint64_t items = 0;
  };
  // The number of batches that limit() looks at.
  static constexpr std::size_t looked_at = 64;

  void drop_done();
  bool is_done(const Kept& one) const noexcept;

  std::uint64_t life_ = 0;
  Incarnation incarnation_;  // the latest that has attached
  Incarnation mine_;         // the supplier's at that time
  std::uint64_t window_;
  std::uint64_t window_bytes_;
  bool ended_ = false;
  std::deque<Kept> kept_;
  std::size_t sent_ = 0;  // the number of kept_ that were sent
  std::uint64_t items_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<Label> acked_;
  std::vector<Label> marked_;  // the progress of the lanes that it was sent
  std::vector<Label> pushed_;  // the progress at the last push
};

}  // namespace coracle::dispel::detail
