// The middle of a pipeline (the paper's Filter): derive, and define what becomes of each item.
#pragma once

#include "coracle/dispel/detail/batch.hpp"
#include "coracle/dispel/pipeline_agent.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::dispel {

// Takes items of type In from its supplier and gives items of type Out to its consumer.
template <class In, class Out>
class Filter : public PipelineAgent {
 public:
  std::string_view takes() const noexcept override { return content_type_of<In>(); }
  std::string_view gives() const noexcept override { return content_type_of<Out>(); }

 protected:
  // Puts the results of one item: none, one, or several. An exception ends the stage.
  virtual void process(const In&) { slow_ = true; }
  // The same for a filter that must wait for something; then do not override process().
  virtual Task<> consider(const In&) { co_return; }
  // Called when all items were processed; items that are put here come last. `error` is the reason
  // if the stream ended too early.
  virtual void finish(const std::string&) {}

  // Puts an item; call this only in the functions above.
  void put(Out item) {
    if (outboxes_.size() < tracks_) outboxes_.resize(tracks_);
    outboxes_[track_].put(std::move(item));
  }

 private:
  std::uint32_t work_quickly(const detail::Work& work) final {
    const Content content = *work.batch;
    const std::vector<In>& items = content.template as<detail::Batch<In>>().items;
    outboxes_.resize(tracks_);
    std::size_t item = work.first;
    bool held = holds_;
    for (std::uint32_t unit = 0; unit < work.run.labels; ++unit) {
      const std::uint64_t label = work.run.label + std::uint64_t{unit} * work.run.step;
      track_ = track_of(label);
      begin_unit(unit);
      for (std::uint32_t i = 0; i < work.run.each && !stops_; ++i) process(items[item++]);
      if (slow_ || has_failed()) return unit;
      held = held || holds_;
      if (holds_ && !stops_) continue;
      if (!holds_) outboxes_[track_].close(work.run.lane, label);
      if (held || stops_ || outboxes_[track_].size() >= batch_) return unit + 1;
    }
    return work.run.labels;
  }
  Task<> work_slowly(const detail::Work& work) final {
    const Content content = *work.batch;
    const std::vector<In>& items = content.template as<detail::Batch<In>>().items;
    track_ = track_of(work.run.label);
    for (std::uint32_t i = 0; i < work.run.each && !stops_; ++i) {
      co_await consider(items[work.first + i]);
    }
    if (!holds_ && !has_failed()) outboxes_[track_].close(work.run.lane, work.run.label);
  }
  const detail::Head* head_of(const Content& content, std::size_t& items) const final {
    const auto* batch = content.try_as<detail::Batch<In>>();
    if (batch == nullptr) return nullptr;
    items = batch->items.size();
    return &batch->head;
  }
  bool take_output(std::size_t track, std::vector<std::uint64_t> next,
                   std::vector<detail::Run>& runs, Content& batch) final {
    if (track >= outboxes_.size() || outboxes_[track].closed() == 0) return false;
    batch = outboxes_[track].take(std::move(next), runs);
    return true;
  }
  Task<> at_end(const std::string& error, std::uint64_t label) final {
    outboxes_.resize(tracks_);
    track_ = track_of(label);
    finish(error);
    if (!has_failed()) outboxes_[track_].close(0, label);
    co_return;
  }

  std::vector<detail::Outbox<Out>> outboxes_;
  std::size_t track_ = 0;
};

}  // namespace coracle::dispel
