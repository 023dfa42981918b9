// The beginning of a pipeline (the paper's Source): derive, and put items.
#pragma once

#include "coracle/dispel/detail/batch.hpp"
#include "coracle/dispel/pipeline_agent.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace coracle::dispel {

// Makes items of type Out.
template <class Out>
class Source : public PipelineAgent {
 public:
  std::string_view takes() const noexcept override { return {}; }
  std::string_view gives() const noexcept override { return content_type_of<Out>(); }

 protected:
  // The awaitable result of put(); it waits while the consumers have as much as they may have.
  class [[nodiscard]] Putting {
   public:
    // `task` waits for room; without a task there was room.
    explicit Putting(Task<> task) noexcept : task_(std::move(task)) {}
    bool await_ready() const noexcept { return !task_; }
    bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
      return task_.await_suspend(awaiting);
    }
    void await_resume() {
      if (task_) task_.await_resume();
    }

   private:
    Task<> task_;
  };

  // Puts all items, in their order, beginning with item number `first`: zero or, for a source that
  // was begun again, the first item that is not done with. The stream ends when this returns.
  virtual Task<> produce(std::uint64_t first) = 0;

  // Puts the next item. Fails with Errc::cancelled when no consumer wants it; you need not catch
  // that.
  Putting put(Out item) {
    if (stops_) return Putting(put_slowly(true));
    const std::size_t track = track_of(next_);
    detail::Outbox<Out>& box = outboxes_[track];
    box.put(std::move(item));
    box.close(0, next_);
    ++next_;
    if (box.size() != 1 && box.size() < batch_) return Putting({});
    return Putting(put_slowly(box.size() >= batch_));
  }

 private:
  Task<> produce_from(std::uint64_t first) final {
    outboxes_.resize(tracks_);
    next_ = first;
    co_await produce(first);
  }
  bool is_source() const noexcept final { return true; }
  std::uint32_t work_quickly(const detail::Work&) final { return 0; }
  Task<> work_slowly(const detail::Work&) final { co_return; }
  const detail::Head* head_of(const Content&, std::size_t&) const final { return nullptr; }
  bool take_output(std::size_t track, std::vector<std::uint64_t>, std::vector<detail::Run>& runs,
                   Content& batch) final {
    produced(next_);  // with the items that the tracks before and after this one hold
    if (track >= outboxes_.size() || outboxes_[track].closed() == 0) return false;
    batch = outboxes_[track].take(std::vector<std::uint64_t>{next_}, runs);
    return true;
  }
  Task<> at_end(const std::string&, std::uint64_t) final { co_return; }

  std::vector<detail::Outbox<Out>> outboxes_;
  std::uint64_t next_ = 0;
};

}  // namespace coracle::dispel
