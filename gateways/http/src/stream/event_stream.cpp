#include "coracle/http/event_stream.hpp"

#include "stream/stream_queue.hpp"

namespace coracle::http {

bool StreamBudget::take(std::size_t bytes) noexcept {
  std::size_t used = used_.load();
  do {
    if (used > limit_ || bytes > limit_ - used) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes));
  if (!whole_ || whole_->take(bytes)) return true;
  used_ -= bytes;
  return false;
}

void StreamBudget::take_anyway(std::size_t bytes) noexcept {
  used_ += bytes;
  if (whole_) whole_->take_anyway(bytes);
}

void StreamBudget::give_back(std::size_t bytes) noexcept {
  used_ -= bytes;
  if (whole_) whole_->give_back(bytes);
}

// The last copy of a stream closes it.
struct EventStream::Holder {
  explicit Holder(std::shared_ptr<StreamQueue> which) noexcept : queue(std::move(which)) {}
  Holder(const Holder&) = delete;
  ~Holder() { queue->close(); }
  const std::shared_ptr<StreamQueue> queue;
};

EventStream::EventStream(std::shared_ptr<StreamQueue> queue) noexcept
    : holder_(queue ? std::make_shared<Holder>(std::move(queue)) : nullptr) {}

bool EventStream::send(const Event& event) const { return send_text(write_event(event)); }

bool EventStream::send_text(std::string text) const {
  return holder_ && holder_->queue->push(std::move(text));
}

void EventStream::close() const noexcept {
  if (holder_) holder_->queue->close();
}

bool EventStream::close_with(const Event& last) const {
  return holder_ && holder_->queue->close_with(write_event(last));
}

bool EventStream::is_open() const noexcept { return holder_ && holder_->queue->is_open(); }

std::uint64_t EventStream::dropped() const noexcept {
  return holder_ ? holder_->queue->dropped() : 0;
}

void EventStream::on_close(std::function<void()> what) const {
  if (holder_) holder_->queue->on_close(std::move(what));
  else what();
}

}  // namespace coracle::http
