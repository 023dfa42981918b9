// What has come from the suppliers of a stage and waits to be worked on, and in which order.
#pragma once

#include "coracle/dispel/wiring.hpp"
#include "pipeline/words.hpp"

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
  // No more will come from that one.
  void fail(std::size_t supplier, std::string error);
  // What is to be worked on next, if there is something; the same until took().
  std::optional<Work> next();
  // The first `labels` units of next() were worked on.
  void took(std::uint32_t labels);
  // Everything below these was worked on before this stage began.
  void begin_at(const std::vector<Label>& taken) { taken_ = taken; }
  // Of each lane of this stage: everything below is worked on or will not come.
  const std::vector<Label>& taken() const noexcept { return taken_; }
  // Whether all suppliers have ended and all is worked on.
  bool has_ended() const noexcept;
  // Of the first supplier that ended with an error.
  const std::string& error() const noexcept { return error_; }
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
  };

  // Passes over what is known already; whether something is left.
  bool front_of(Line& line);
  void finish_front(Line& line);
  Label bound(const Line& line, std::uint32_t lane) const;
  std::uint32_t how_many(std::size_t index, const Run& run) const;
  void advance_marks(std::size_t index);

  std::vector<Line> lines_;
  std::vector<Label> taken_;
  std::size_t turn_ = 0;     // whose turn it is
  std::size_t present_ = 0;  // whose units next() gave
  std::uint64_t waiting_ = 0;
  std::string error_;
};

}  // namespace coracle::dispel::detail
