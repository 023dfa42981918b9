#include "client/event_inbox.hpp"

#include <utility>

namespace coracle::http {

namespace {

// While so many wait, nothing is read from the connection.
constexpr std::size_t most_events = 256;
// The largest body of a response that is no stream of events.
constexpr std::size_t longest_body = std::size_t{16} << 20;

std::size_t bytes_of(const Event& event) noexcept {
  return event.data.size() + event.name.size() + event.id.size();
}

bool is_stream(const Response& response) {
  const auto type = response.headers.find("Content-Type");
  return response.status == 200 && type && media_type(*type) == "text/event-stream";
}

}  // namespace

// --- for the thread of the loop ---

void EventInbox::set_canceller(std::function<void()> what) {
  const std::lock_guard lock(mutex_);
  canceller_ = std::move(what);
}

void EventInbox::set_channel(std::weak_ptr<Channel> channel) {
  const std::lock_guard lock(mutex_);
  channel_ = std::move(channel);
}

bool EventInbox::has_room() const {
  const std::lock_guard lock(mutex_);
  return has_room_unlocked();
}

bool EventInbox::has_room_unlocked() const noexcept {
  return events_.size() < most_events && event_bytes_ < most_bytes_;
}

Event EventInbox::pop_unlocked() {
  Event event = std::move(events_.front());
  events_.pop_front();
  event_bytes_ -= bytes_of(event);
  return event;
}

void EventInbox::clear_unlocked() noexcept {
  events_.clear();
  event_bytes_ = 0;
}

void EventInbox::arrive(ClientSession::Arrival arrival) {
  using Kind = ClientSession::Arrival::Kind;
  switch (arrival.kind) {
    case Kind::whole:
      break;
    case Kind::head: {
      const std::lock_guard lock(mutex_);
      has_head_ = is_stream(arrival.response);
      response_ = std::move(arrival.response);
      break;
    }
    case Kind::piece:
      return read(arrival.response.body);
    case Kind::end:
      return end(std::nullopt);
  }
  report();
}

void EventInbox::read(const std::string& bytes) {
  std::optional<Error> error;
  {
    const std::lock_guard lock(mutex_);
    try {
      if (has_head_) {
        reader_.read(bytes, [this](Event event) {
          event_bytes_ += bytes_of(event);
          events_.push_back(std::move(event));
        });
      } else if (bytes.size() > longest_body - response_->body.size()) {
        throw Error(Errc::too_large, "a response that is no stream of events is too large");
      } else {
        response_->body += bytes;
      }
    } catch (const Error& failure) {
      error = failure;
    }
    is_full_ = !has_room_unlocked();
  }
  if (!error) return report();
  end(error);
  close();
}

void EventInbox::fail(const Error& error) { end(error); }

void EventInbox::end(std::optional<Error> error) {
  {
    const std::lock_guard lock(mutex_);
    if (has_ended_) return;
    has_ended_ = true;
    has_head_ = has_head_ || (response_ && !error);
    if (!is_closed_) error_ = std::move(error);
  }
  report();
}

// Gives what has come to the coroutine that waits, or to the listener.
void EventInbox::report() {
  std::unique_lock lock(mutex_);
  const auto arrival = std::exchange(arrival_, std::nullopt);
  const auto listener = listener_;
  const bool head = listener && has_head_ && !std::exchange(has_reported_head_, has_head_);
  const auto events = listener ? std::exchange(events_, {}) : std::deque<Event>();
  if (listener) event_bytes_ = 0;
  const auto there = listener && std::exchange(is_full_, false) ? channel_.lock() : nullptr;
  const bool ends = listener && has_ended_ && !std::exchange(has_reported_end_, true);
  const std::optional<Response> response = head ? response_ : std::nullopt;
  const std::optional<Error> error = ends ? error_ : std::nullopt;
  lock.unlock();
  if (arrival) arrival->set();
  if (response && listener->head) listener->head(*response);
  for (const Event& each : events) {
    if (listener->event) listener->event(each);
  }
  if (there) there->work_soon();
  if (!ends) return;
  if (listener->end) listener->end(error);
  lock.lock();
  const auto dropped = std::exchange(listener_, nullptr);
  lock.unlock();
}

// --- for the reader ---

// Returns a signal for the next thing that comes. Called with the mutex.
std::optional<detail::Signal> EventInbox::expect() {
  arrival_.emplace();
  return arrival_;
}

Task<Response> EventInbox::head() {
  for (;;) {
    std::optional<detail::Signal> arrival;
    {
      const std::lock_guard lock(mutex_);
      if (has_head_) co_return *response_;
      if (error_) throw Error(*error_);
      if (has_ended_) throw Error(Errc::cancelled, "the stream of events was closed here");
      arrival = expect();
    }
    auto waiting = arrival->wait();
    co_await waiting;
  }
}

Task<std::optional<Event>> EventInbox::next(Deadline deadline) {
  const Time until = deadline.at(loop_->now());
  for (;;) {
    std::optional<detail::Signal> arrival;
    std::optional<Event> event;
    std::weak_ptr<Channel> channel;
    {
      const std::lock_guard lock(mutex_);
      if (!events_.empty()) {
        event = pop_unlocked();
        if (is_full_ && has_room_unlocked()) {
          is_full_ = false;
          channel = channel_;
        }
      } else if (error_) {
        throw Error(*error_);
      } else if (has_ended_ || is_closed_) {
        co_return std::nullopt;
      } else {
        arrival = expect();
      }
    }
    if (const auto there = channel.lock()) loop_->post([there] { there->work_soon(); });
    if (event) co_return event;
    auto waiting = arrival->wait(until == Time::max() ? Deadline() : Deadline(until));
    if (!co_await waiting) co_return std::nullopt;
  }
}

void EventInbox::listen(std::function<void(const Response&)> head, std::function<void(Event)> event,
                        std::function<void(const std::optional<Error>&)> end) {
  auto listener =
      std::make_shared<Listener>(Listener{std::move(head), std::move(event), std::move(end)});
  loop_->post([self = shared_from_this(), listener = std::move(listener)] {
    {
      const std::lock_guard lock(self->mutex_);
      self->listener_ = listener;
    }
    self->report();
  });
}

void EventInbox::close() {
  std::function<void()> canceller;
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    clear_unlocked();
    canceller = std::exchange(canceller_, nullptr);
  }
  if (canceller) loop_->post(std::move(canceller));
}

bool EventInbox::is_open() const {
  const std::lock_guard lock(mutex_);
  return !has_ended_ && !is_closed_;
}

std::string EventInbox::last_id() const {
  const std::lock_guard lock(mutex_);
  return reader_.last_id();
}

std::optional<Duration> EventInbox::retry() const {
  const std::lock_guard lock(mutex_);
  return reader_.retry();
}

// --- EventSource ---

// The last copy of a source closes it.
struct EventSource::Holder {
  explicit Holder(std::shared_ptr<EventInbox> which) noexcept : inbox(std::move(which)) {}
  Holder(const Holder&) = delete;
  ~Holder() { inbox->close(); }
  const std::shared_ptr<EventInbox> inbox;
};

EventSource::EventSource(std::shared_ptr<EventInbox> inbox) noexcept
    : holder_(inbox ? std::make_shared<Holder>(std::move(inbox)) : nullptr) {}

Task<Response> EventSource::head() const {
  const auto holder = holder_;
  if (!holder) throw Error(Errc::cancelled, "this stream of events was never opened");
  Task<Response> task = holder->inbox->head();
  co_return co_await task;
}

Task<std::optional<Event>> EventSource::next(Deadline deadline) const {
  const auto holder = holder_;
  if (!holder) co_return std::nullopt;
  Task<std::optional<Event>> task = holder->inbox->next(deadline);
  co_return co_await task;
}

void EventSource::listen(std::function<void(const Response&)> head,
                         std::function<void(Event)> event,
                         std::function<void(const std::optional<Error>&)> end) const {
  if (holder_) holder_->inbox->listen(std::move(head), std::move(event), std::move(end));
  else if (end) end(std::nullopt);
}

void EventSource::close() const noexcept {
  if (holder_) holder_->inbox->close();
}

bool EventSource::is_open() const noexcept { return holder_ && holder_->inbox->is_open(); }

std::string EventSource::last_id() const { return holder_ ? holder_->inbox->last_id() : ""; }

std::optional<Duration> EventSource::retry() const {
  return holder_ ? holder_->inbox->retry() : std::nullopt;
}

}  // namespace coracle::http
