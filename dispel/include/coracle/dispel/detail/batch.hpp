// The batches of items that stages of a pipeline send each other. Each item has the number that it,
// or the item that it was made of, has at its source. That number identifies the item at every
// stage, so that none is lost and none is counted twice, whichever stage crashes.
#pragma once

#include "coracle/typed.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::dispel::detail {

// The number of an item at its source; items that filters make of it keep the number.
using Label = std::uint64_t;

// Consecutive units of a batch: `labels` of them, numbered label, label + step, …; each made of
// `each` items. A lane is one path from a source to this stage.
struct Run {
  std::uint32_t lane = 0;
  std::uint32_t each = 0;
  Label label = 0;
  std::uint32_t labels = 0;
  std::uint32_t step = 1;
};

// The description of a batch. `next`: for each lane, everything below this label is in this batch
// or in an earlier one, unless nothing was made of it. An end with `next` is in the middle of the
// stream: nothing from these labels on will come, by any path.
struct Head {
  std::vector<Run> runs;
  std::vector<Label> next;
  bool end = false;
  std::string error;
};

// Items of one type.
template <class T>
struct Batch {
  static constexpr std::string_view content_type = "coracle/dispel/stage/batch/v1";

  Head head;
  std::vector<T> items;
};

// Some units to be worked on: `run.labels` of them, from item number `first` of `batch` on. The
// lane is numbered as in the stage that works.
struct Work {
  const Content* batch = nullptr;
  std::size_t first = 0;
  Run run;
};

// Collects a stage's output until it is sent.
template <class T>
class Outbox {
 public:
  // Adds an item to the present unit.
  void put(T&& item) { items_.push_back(std::move(item)); }
  // Ends the present unit, which belongs to that label.
  void close(std::uint32_t lane, Label label) {
    const auto each = static_cast<std::uint32_t>(items_.size() - closed_);
    if (each == 0) return;
    closed_ = items_.size();
    if (!runs_.empty()) {
      Run& last = runs_.back();
      if (last.lane == lane && last.each == each) {
        const Label gap = label - last.label;
        if (last.labels > 1 && gap == Label{last.labels} * last.step) return void(++last.labels);
        if (last.labels == 1 && gap <= UINT32_MAX) {
          last.step = static_cast<std::uint32_t>(gap);
          return void(++last.labels);
        }
      }
    }
    runs_.push_back({lane, each, label, 1, 1});
  }

  // The number of items that wait here.
  std::size_t size() const noexcept { return items_.size(); }
  // The number of items in complete units.
  std::size_t closed() const noexcept { return closed_; }
  // Returns the complete units as a batch; the present unit stays.
  Content take(std::vector<Label> next, std::vector<Run>& runs) {
    Batch<T> batch;
    batch.head.next = std::move(next);
    const auto end = items_.begin() + static_cast<std::ptrdiff_t>(closed_);
    std::vector<T> present(std::make_move_iterator(end), std::make_move_iterator(items_.end()));
    items_.erase(end, items_.end());
    batch.items = std::exchange(items_, std::move(present));
    items_.reserve(batch.items.size());
    closed_ = 0;
    runs = runs_;
    batch.head.runs = std::exchange(runs_, {});
    return Content::of(std::move(batch));
  }
  // Forgets everything.
  void clear() noexcept { items_.clear(), runs_.clear(), closed_ = 0; }

 private:
  std::vector<T> items_;
  std::vector<Run> runs_;
  std::size_t closed_ = 0;
};

}  // namespace coracle::dispel::detail
