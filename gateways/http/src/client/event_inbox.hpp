// The events of a stream between the thread of the loop and their reader. Safe to use from every
// thread.
#pragma once

#include "client/session.hpp"
#include "coracle/http/event_source.hpp"
#include "coracle/support/signal.hpp"
#include "io/channel.hpp"
#include "io/loop_state.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace coracle::http {

class EventInbox : public std::enable_shared_from_this<EventInbox> {
 public:
  EventInbox(std::shared_ptr<LoopState> loop, const EventLimits& limits)
      : loop_(std::move(loop)), most_bytes_(2 * limits.event_bytes), reader_(limits) {}

  // --- for the reader ---
  Task<Response> head();
  Task<std::optional<Event>> next(Deadline deadline);
  void listen(std::function<void(const Response&)> head, std::function<void(Event)> event,
              std::function<void(const std::optional<Error>&)> end);
  void close();
  bool is_open() const;
  std::string last_id() const;
  std::optional<Duration> retry() const;

  // --- for the thread of the loop ---
  // Asks `what` to end the stream when the reader closes it.
  void set_canceller(std::function<void()> what);
  // The connection of the stream waits for room.
  void set_channel(std::weak_ptr<Channel> channel);
  void arrive(ClientSession::Arrival arrival);
  void fail(const Error& error);
  bool has_room() const;

 private:
  struct Listener {
    std::function<void(const Response&)> head;
    std::function<void(Event)> event;
    std::function<void(const std::optional<Error>&)> end;
  };

  void read(const std::string& bytes);
  void end(std::optional<Error> error);
  void report();
  bool has_room_unlocked() const noexcept;
  Event pop_unlocked();
  void clear_unlocked() noexcept;
  std::optional<detail::Signal> expect();

  const std::shared_ptr<LoopState> loop_;
  const std::size_t most_bytes_;  // while so many wait, nothing is read from the connection
  mutable std::mutex mutex_;  // guards the members below
  EventReader reader_;
  std::optional<Response> response_;
  bool has_head_ = false;  // the response is complete, as far as head() gives it
  std::deque<Event> events_;
  std::size_t event_bytes_ = 0;
  bool has_ended_ = false, is_closed_ = false, is_full_ = false;
  std::optional<Error> error_;
  std::optional<detail::Signal> arrival_;  // of something for the coroutine that waits
  std::shared_ptr<Listener> listener_;
  bool has_reported_head_ = false, has_reported_end_ = false;
  std::function<void()> canceller_;
  std::weak_ptr<Channel> channel_;
};

}  // namespace coracle::http
