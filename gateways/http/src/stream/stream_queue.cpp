#include "stream/stream_queue.hpp"

namespace coracle::http {

// The channel looks at the queue soon.
void StreamQueue::announce() {
  loop_->post([channel = channel_] {
    if (const auto there = channel.lock()) there->work_soon();
  });
}

bool StreamQueue::take_room(std::size_t bytes) noexcept {
  if (!has_room(bytes) || (options_.budget && !options_.budget->take(bytes))) return false;
  bytes_ += bytes;
  return true;
}

std::string StreamQueue::take_text() {
  std::string text = std::move(texts_.front());
  texts_.pop_front();
  bytes_ -= text.size();
  if (options_.budget) options_.budget->give_back(text.size());
  return text;
}

void StreamQueue::drop_texts() noexcept {
  if (options_.budget) options_.budget->give_back(bytes_);
  texts_.clear();
  bytes_ = 0;
}

bool StreamQueue::push(std::string text) {
  std::unique_lock lock(mutex_);
  if (is_closed_ || has_ended_) return false;
  if (options_.overflow == Overflow::drop_oldest && text.size() <= options_.queue_bytes) {
    while (!texts_.empty() && !has_room(text.size())) {
      (void)take_text();
      ++dropped_;
    }
  }
  const bool fits = take_room(text.size());
  if (fits) {
    texts_.push_back(std::move(text));
  } else {
    ++dropped_;
    if (options_.overflow != Overflow::close) return false;
    drop_texts();
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
    if (options_.budget) options_.budget->take_anyway(last.size());
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
  return take_text();
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
    drop_texts();
    what = std::exchange(on_close_, nullptr);
  }
  if (what) what();
}

}  // namespace coracle::http
