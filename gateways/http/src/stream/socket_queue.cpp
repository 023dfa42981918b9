#include "stream/socket_queue.hpp"

namespace coracle::http {

// The channel looks at the queue soon.
void SocketQueue::announce_unlocked(std::unique_lock<std::mutex>& lock) {
  if (std::exchange(is_announced_, true)) return;
  const auto channel = channel_;
  lock.unlock();
  loop_->post([channel] {
    if (const auto there = channel.lock()) there->work_soon();
  });
}

void SocketQueue::bind(std::weak_ptr<Channel> channel) {
  const std::lock_guard lock(mutex_);
  channel_ = std::move(channel);
}

bool SocketQueue::push(Opcode opcode, std::string_view payload) {
  std::unique_lock lock(mutex_);
  if (wanted_ || ended_) return false;
  const bool fits =
      outgoing_.size() < options_.queue && payload.size() <= options_.queue_bytes - outgoing_bytes_;
  if (fits) {
    outgoing_.push_back({opcode, std::string(payload)});
    outgoing_bytes_ += payload.size();
  } else {
    outgoing_.clear();
    outgoing_bytes_ = 0;
    wanted_ = Closing{CloseCode::try_again_later, "too many messages wait to be sent"};
  }
  announce_unlocked(lock);
  return fits;
}

void SocketQueue::close(const Closing& closing) {
  std::unique_lock lock(mutex_);
  if (wanted_ || ended_) return;
  wanted_ = closing;
  announce_unlocked(lock);
}

std::optional<SocketQueue::Outgoing> SocketQueue::pop() {
  const std::lock_guard lock(mutex_);
  is_announced_ = false;
  if (outgoing_.empty()) return std::nullopt;
  Outgoing one = std::move(outgoing_.front());
  outgoing_.pop_front();
  outgoing_bytes_ -= one.payload.size();
  return one;
}

std::optional<Closing> SocketQueue::wanted_closing() const {
  const std::lock_guard lock(mutex_);
  return outgoing_.empty() ? wanted_ : std::nullopt;
}

bool SocketQueue::deliver(SocketMessage message) {
  std::unique_lock lock(mutex_);
  if (const auto take = take_) {
    lock.unlock();
    (*take)(std::move(message));
    return true;
  }
  received_.push_back(std::move(message));
  const auto arrival = std::exchange(arrival_, std::nullopt);
  is_full_ = received_.size() >= options_.received;
  const bool has_more_room = !is_full_;
  lock.unlock();
  if (arrival) arrival->set();
  return has_more_room;
}

bool SocketQueue::has_room() const {
  const std::lock_guard lock(mutex_);
  return take_ || received_.size() < options_.received;
}

std::optional<SocketMessage> SocketQueue::take_unlocked() {
  if (received_.empty()) return std::nullopt;
  SocketMessage message = std::move(received_.front());
  received_.pop_front();
  return message;
}

std::optional<SocketMessage> SocketQueue::try_receive() {
  std::unique_lock lock(mutex_);
  auto message = take_unlocked();
  if (message && std::exchange(is_full_, false)) announce_unlocked(lock);
  return message;
}

Task<std::optional<SocketMessage>> SocketQueue::receive(Deadline deadline) {
  const Time until = deadline.at(loop_->now());
  for (;;) {
    auto message = try_receive();
    if (message) co_return message;
    std::optional<detail::Signal> arrival;
    {
      const std::lock_guard lock(mutex_);
      if (ended_ && received_.empty()) co_return std::nullopt;
      if (!received_.empty()) continue;
      arrival_.emplace();
      arrival = arrival_;
    }
    auto waiting = arrival->wait(until == Time::max() ? Deadline() : Deadline(until));
    if (!co_await waiting) co_return std::nullopt;
  }
}

void SocketQueue::on_message(std::function<void(SocketMessage)> take) {
  auto shared = std::make_shared<const Take>(std::move(take));
  loop_->post([self = shared_from_this(), shared = std::move(shared)] {
    while (auto message = self->try_receive()) (*shared)(*std::move(message));
    const std::lock_guard lock(self->mutex_);
    if (!self->ended_) self->take_ = shared;
  });
}

bool SocketQueue::is_open() const {
  const std::lock_guard lock(mutex_);
  return !wanted_ && !ended_;
}

std::size_t SocketQueue::unsent() const {
  const std::lock_guard lock(mutex_);
  return outgoing_.size();
}

Closing SocketQueue::closing() const {
  const std::lock_guard lock(mutex_);
  return ended_.value_or(Closing{CloseCode::lost, {}});
}

void SocketQueue::on_close(std::function<void()> what) {
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) {
      on_close_ = std::move(what);
      return;
    }
  }
  what();
}

void SocketQueue::end(const Closing& closing) {
  std::function<void()> what;
  std::shared_ptr<const Take> take;  // destroyed without the mutex
  std::optional<detail::Signal> arrival;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = closing;
    outgoing_.clear();
    outgoing_bytes_ = 0;
    what = std::exchange(on_close_, nullptr);
    take = std::exchange(take_, nullptr);
    arrival = std::exchange(arrival_, std::nullopt);
  }
  if (arrival) arrival->set();
  if (what) what();
}

}  // namespace coracle::http
