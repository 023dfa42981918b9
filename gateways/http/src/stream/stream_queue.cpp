#include "stream/stream_queue.hpp"

namespace coracle::http {

// The channel looks at the queue soon.
void StreamQueue::announce() {
  loop_->post([channel = channel_] {
    if (const auto there = channel.lock()) there->work_soon();
  });
}

bool StreamQueue::push(std::string text) {
  std::unique_lock lock(mutex_);
  if (is_closed_ || has_ended_) return false;
  if (options_.overflow == Overflow::drop_oldest && text.size() <= options_.queue_bytes) {
    while (!texts_.empty() && !has_room(text.size())) {
      bytes_ -= texts_.front().size();
      texts_.pop_front();
      ++dropped_;
    }
  }
  const bool fits = has_room(text.size());
  if (fits) {
    bytes_ += text.size();
    texts_.push_back(std::move(text));
  } else {
    ++dropped_;
    if (options_.overflow != Overflow::close) return false;
    texts_.clear();
    bytes_ = 0;
    is_closed_ = true;
  }
  if (std::exchange(is_announced_, true)) return fits;
  lock.unlock();
  announce();
  return fits;
}

void StreamQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_ || has_ended_) return;
    is_closed_ = true;
    if (std::exchange(is_announced_, true)) return;
  }
  announce();
}

bool StreamQueue::close_with(std::string last) {
  {
    const std::lock_guard lock(mutex_);
    if (is_closed_ || has_ended_) return false;
    is_closed_ = true;
    bytes_ += last.size();
    texts_.push_back(std::move(last));
    if (std::exchange(is_announced_, true)) return true;
  }
  announce();
  return true;
}

bool StreamQueue::is_open() const {
  const std::lock_guard lock(mutex_);
  return !is_closed_ && !has_ended_;
}

std::uint64_t StreamQueue::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

void StreamQueue::on_close(std::function<void()> what) {
  {
    const std::lock_guard lock(mutex_);
    if (!has_ended_) {
      on_close_ = std::move(what);
      return;
    }
  }
  what();
}

std::optional<std::string> StreamQueue::pop() {
  const std::lock_guard lock(mutex_);
  is_announced_ = false;
  if (texts_.empty()) return std::nullopt;
  std::string text = std::move(texts_.front());
  texts_.pop_front();
  bytes_ -= text.size();
  return text;
}

bool StreamQueue::is_over() const {
  const std::lock_guard lock(mutex_);
  return is_closed_ && texts_.empty();
}

void StreamQueue::end() {
  std::function<void()> what;
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(has_ended_, true)) return;
    texts_.clear();
    bytes_ = 0;
    what = std::exchange(on_close_, nullptr);
  }
  if (what) what();
}

}  // namespace coracle::http
