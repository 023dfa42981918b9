// The end of a pipeline (the paper's Sink): derive, and consume the items.
#pragma once

#include "coracle/dispel/detail/batch.hpp"
#include "coracle/dispel/pipeline_agent.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::dispel {

// Takes items of type In.
template <class In>
class Sink : public PipelineAgent {
 public:
  std::string_view takes() const noexcept override { return content_type_of<In>(); }
  std::string_view gives() const noexcept override { return {}; }

 protected:
  // Processes one item, in the order of the stream.
  virtual void consume(const In&) { slow_ = true; }
  // The same for a sink that must wait for something; then do not override consume().
  virtual Task<> consider(const In&) { co_return; }
  // Called when the stream has ended; `error` is the reason if it ended badly.
  virtual void on_end(const std::string&) {}

 private:
  std::uint32_t work_quickly(const detail::Work& work) final {
    const Content content = *work.batch;
    const std::vector<In>& items = content.template as<detail::Batch<In>>().items;
    std::size_t item = work.first;
    for (std::uint32_t unit = 0; unit < work.run.labels; ++unit) {
      begin_unit(unit);
      for (std::uint32_t i = 0; i < work.run.each && !stops_; ++i) consume(items[item++]);
      if (slow_ || has_failed()) return unit;
      if (stops_) return unit + 1;
    }
    return work.run.labels;
  }
  Task<> work_slowly(const detail::Work& work) final {
    const Content content = *work.batch;
    const std::vector<In>& items = content.template as<detail::Batch<In>>().items;
    for (std::uint32_t i = 0; i < work.run.each && !stops_; ++i) {
      co_await consider(items[work.first + i]);
    }
  }
  const detail::Head* head_of(const Content& content, std::size_t& items) const final {
    const auto* batch = content.try_as<detail::Batch<In>>();
    if (batch == nullptr) return nullptr;
    items = batch->items.size();
    return &batch->head;
  }
  bool take_output(std::size_t, std::vector<std::uint64_t>, std::vector<detail::Run>&,
                   Content&) final {
    return false;
  }
  Task<> at_end(const std::string& error, std::uint64_t) final {
    on_end(error);
    co_return;
  }
};

}  // namespace coracle::dispel
