// What has come from the suppliers of a stage and waits to be worked on, and in which order.
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

// Batches of several suppliers: in the order in which they come, or, where these are replicas
// whose order is kept, in the order of their labels. Units that were worked on already are passed
// over.
class Inlets {
 public:
  explicit Inlets(const Wiring& wiring);

  // A batch has come. Units that do not make sense are refused: the reason, or nothing.
  std::string arrive(std::size_t supplier, Content batch, const Head& head, std::size_t items);
  // No more will come from that one, which stops in the middle of the stream: what others bring of
  // what is behind that place is dropped.
  void cut(std::size_t supplier, std::string error);
  // Everything of that lane below that label is worked on or will not come.
  void reached(std::uint32_t lane, Label label) { taken_[lane] = std::max(taken_[lane], label); }
  // What is to be worked on next, if there is something; the same until took().
  std::optional<Work> next();
  // The first `labels` units of next() were worked on.
  void took(std::uint32_t labels);
  // Everything below these was worked on before this stage began.
  void begin_at(const std::vector<Label>& taken) { taken_ = taken; }
  // Of each lane of this stage: everything below is worked on or will not come.
  const std::vector<Label>& taken() const noexcept { return taken_; }
  // Whether all suppliers have ended and all is worked on; or one has stopped in the middle, and
  // all before that place is.
  bool has_ended() const noexcept;
  // That is so: lanes are as far as all replicas have said, even if nothing was asked for since.
  void close();
  bool is_cut() const noexcept { return first_cut_.has_value(); }
  // Why it ends too early, if it ends badly: of those that stopped in the middle, the first.
  std::string error() const { return is_cut() ? lines_[*first_cut_].error : std::string(); }
  // How many items wait.
  std::uint64_t waiting() const noexcept { return waiting_; }

 private:
  struct Arrived {
    Content batch;
    std::vector<Run> runs;
    std::size_t run = 0;    // the present one
    std::size_t first = 0;  // its first item
    std::vector<Label> next;
  };
  struct Line {
    Supplier supplier;
    std::deque<Arrived> queue;
    std::vector<Label> next;  // of each lane, by all that has come
    bool ended = false;
    bool cut = false;
    std::string error;
  };

  // Passes over what is known already; whether something is left.
  bool front_of(Line& line);
  void finish_front(Line& line);
  Label bound(const Line& line, std::uint32_t lane) const;
  Label end_of(std::uint32_t group, std::uint32_t lane) const;
  bool is_finished(const Line& cut) const;
  std::uint32_t how_many(std::size_t index, const Run& run) const;
  void advance_marks(std::size_t index);

  std::vector<Line> lines_;
  std::vector<Label> taken_;
  std::size_t turn_ = 0;     // whose turn it is
  std::size_t present_ = 0;  // whose units next() gave
  std::uint64_t waiting_ = 0;
  std::optional<std::size_t> first_cut_;
};

}  // namespace coracle::dispel::detail
