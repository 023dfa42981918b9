// One consumer as its supplier sees it: what it has been given and is not done with, and how much
// more it may get.
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

// Batches are kept until everything in them is done with, so that a consumer which begins again
// can be given them again.
class Outlet {
 public:
  Outlet(std::uint32_t lanes, std::uint32_t window, std::uint64_t window_bytes)
      : window_(window), window_bytes_(window_bytes), acked_(lanes), marked_(lanes) {}

  // The consumer has begun; a life that is known already changes nothing but what is done, and one
  // that is over nothing at all.
  void attach(const Attach& said);
  void ack(const std::vector<Label>& done, bool end);
  // It wants nothing more.
  void close();

  // Keeps a batch until it can be sent and is done with. It was made of what is from `since` to
  // before `next`.
  void push(Content batch, const std::vector<Run>& runs, const std::vector<Label>& since,
            const std::vector<Label>& next);
  // The end comes after everything that was pushed.
  void push_end(Content end);
  // Says how far the lanes are, if that was not said yet.
  bool wants_marks(const std::vector<Label>& next) const noexcept;
  void marked(const std::vector<Label>& next) { marked_ = next; }
  // The next batch to send now, if there is one.
  std::optional<Content> next_to_send();

  // What next_to_send() gave for that life could not be sent. Nothing more is sent to a consumer
  // that is not there, until it begins again.
  void unsend(std::uint64_t life, bool is_there) noexcept {
    if (life != life_) return;  // it has begun again since
    if (sent_ > 0) --sent_;
    if (!is_there) life_ = 0;
  }

  bool is_attached() const noexcept { return life_ != 0; }
  std::uint64_t life() const noexcept { return life_; }
  bool has_ended() const noexcept { return ended_; }
  // Whether more may be put out.
  bool has_room() const noexcept {
    return ended_ || (items_ < window_ && bytes_ < window_bytes_) || kept_.empty();
  }
  // What is kept.
  std::uint64_t items() const noexcept { return items_; }
  // Lowers `done` to what this consumer is done with, of what its supplier has `processed`.
  void limit(std::vector<Label>& done) const;
  // What it said it is done with.
  const std::vector<Label>& acked() const noexcept { return acked_; }

 private:
  struct Kept {
    Content batch;
    std::vector<Run> runs;
    std::vector<Label> since;
    std::uint64_t items = 0;
  };
  // How many batches limit() looks at.
  static constexpr std::size_t looked_at = 64;

  void drop_done();
  bool is_done(const Kept& one) const noexcept;

  std::uint64_t life_ = 0;
  Incarnation incarnation_;  // the latest that has attached
  std::uint64_t window_;
  std::uint64_t window_bytes_;
  bool ended_ = false;
  std::deque<Kept> kept_;
  std::size_t sent_ = 0;  // of kept_
  std::uint64_t items_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<Label> acked_;
  std::vector<Label> marked_;  // how far it was told that the lanes are
  std::vector<Label> pushed_;  // the same, by what was pushed last
};

}  // namespace coracle::dispel::detail
