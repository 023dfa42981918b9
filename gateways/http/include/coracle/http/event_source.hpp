// A stream of events that a client reads.
// Tests: gateways/http/tests/streams_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/http/events.hpp"
#include "coracle/http/message.hpp"
#include "coracle/result.hpp"
#include "coracle/task.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace coracle::http {

class EventInbox;

// The response to a request that may be a stream of events. Copies are the same; the connection is
// closed when the last copy is destroyed. May be used from any thread.
class EventSource {
 public:
  // A stream that has ended.
  EventSource() noexcept = default;
  explicit EventSource(std::shared_ptr<EventInbox> inbox) noexcept;

  // Waits for the head of the response, in a coroutine of a node. If the response is no stream of
  // events, it has its body, and the stream has ended. Fails as Client::fetch() does.
  Task<Response> head() const;
  // Waits for the next event, in a coroutine of a node; nothing when the stream has ended, or the
  // deadline has passed. Fails with Errc::disconnected if the connection broke, Errc::too_large,
  // and as head() does.
  Task<std::optional<Event>> next(Deadline deadline = Deadline::never()) const;
  // Instead of both: calls the functions on the thread of the loop, `end` once at the end, with an
  // error unless the server has ended the stream.
  void listen(std::function<void(const Response&)> head, std::function<void(Event)> event,
              std::function<void(const std::optional<Error>&)> end) const;

  // Ends the stream.
  void close() const noexcept;
  // Returns whether more can come.
  bool is_open() const noexcept;
  // The id of the last event that had one, for the header Last-Event-ID.
  std::string last_id() const;
  // The time that the server wants a client to wait before it connects again.
  std::optional<Duration> retry() const;

 private:
  struct Holder;
  std::shared_ptr<Holder> holder_;
};

}  // namespace coracle::http
