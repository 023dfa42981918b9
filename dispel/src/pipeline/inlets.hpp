// The batches that have come from a stage's suppliers and wait to be worked on, and their order.
#pragma once

#include "coracle/dispel/wiring.hpp"
#include "pipeline/words.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace coracle::dispel::detail {

// Batches of several suppliers: in the order in which they come or, where the suppliers are
// replicas whose order is kept, in the order of their labels. Units that were worked on already are
// skipped.
class Inlets {
 public:
  explicit Inlets(const Wiring& wiring);

  // A batch has come. Returns the reason when its units make no sense, otherwise an empty text.
  std::string arrive(std::size_t supplier, Content batch, const Head& head, std::size_t items);
  // `supplier` stops in the middle of the stream and sends no more; units of other replicas that
  // lie behind that place are dropped.
  void cut(std::size_t supplier, std::string error);
  // Everything of that lane below `label` is worked on or will not come.
  void reached(std::uint32_t lane, Label label) { taken_[lane] = std::max(taken_[lane], label); }
  // The next work, if there is any; the same until took().
  std::optional<Work> next();
  // The first `labels` units of next() were worked on.
  void took(std::uint32_t labels);
  // Everything below these labels was worked on before this stage began.
  void begin_at(const std::vector<Label>& taken) { taken_ = taken; }
  // For each lane of this stage: everything below the label is worked on or will not come.
  const std::vector<Label>& taken() const noexcept { return taken_; }
  // Returns whether all suppliers have ended and everything is worked on; or whether one has
  // stopped in the middle and everything before that place is worked on.
  bool has_ended() const noexcept;
  // Call this when has_ended(): lanes get the progress that all replicas have announced, even if no
  // work was asked for since.
  void close();
  bool is_cut() const noexcept { return first_cut_.has_value(); }
  // The reason of a bad end: the error of the supplier that stopped first in the middle.
  std::string error() const { return is_cut() ? lines_[*first_cut_].error : std::string(); }
  // The number of items that wait.
  std::uint64_t waiting() const noexcept { return waiting_; }

 private:
  struct Arrived {
    Content batch;
    std::vector<Run> runs;
    std::size_t run = 0;    // the present run
    std::size_t first = 0;  // its first item
    std::vector<Label> next;
  };
  struct Line {
    Supplier supplier;
    std::deque<Arrived> queue;
    std::vector<Label> next;  // of each lane, by all batches that have come
    bool ended = false;
    bool cut = false;
    std::string error;
  };

  // Skips units that are known already; returns whether any are left.
  bool front_of(Line& line);
  void finish_front(Line& line);
  Label bound(const Line& line, std::uint32_t lane) const;
  Label end_of(std::uint32_t group, std::uint32_t lane) const;
  bool is_finished(const Line& cut) const;
  std::uint32_t how_many(std::size_t index, const Run& run) const;
  void advance_marks(std::size_t index);

  std::vector<Line> lines_;
  std::vector<Label> taken_;
  std::size_t turn_ = 0;     // the line whose turn it is
  std::size_t present_ = 0;  // the line whose units next() gave
  std::uint64_t waiting_ = 0;
  std::optional<std::size_t> first_cut_;
};

}  // namespace coracle::dispel::detail
