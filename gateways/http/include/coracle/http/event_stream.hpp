// A stream of events that a server sends to one client.
// Tests: gateways/http/tests/streams_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/http/events.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::http {

// The treatment of a text for which the queue of a stream has no room, because the client takes
// them slowly.
enum class Overflow : std::uint8_t {
  close,        // ends the stream: a client that comes back asks for what it has missed
  drop_oldest,  // drops the oldest text that waits
  drop_newest,  // drops the new text
};

// A limit of the bytes that wait in several streams together. May be used from any thread.
class StreamBudget {
 public:
  // With `whole`, the bytes count there, too.
  explicit StreamBudget(std::size_t bytes, std::shared_ptr<StreamBudget> whole = nullptr) noexcept
      : limit_(bytes), whole_(std::move(whole)) {}
  StreamBudget(const StreamBudget&) = delete;

  // Takes so many bytes; returns false, and takes none, if there is no room.
  bool take(std::size_t bytes) noexcept;
  // Takes so many bytes even if there is no room.
  void take_anyway(std::size_t bytes) noexcept;
  void give_back(std::size_t bytes) noexcept;
  // The bytes that are taken now.
  std::size_t used() const noexcept { return used_.load(); }

 private:
  const std::size_t limit_;
  const std::shared_ptr<StreamBudget> whole_;
  std::atomic<std::size_t> used_{0};
};

// The options of a stream.
struct StreamOptions {
  // The texts that may wait for the client, and their bytes.
  std::size_t queue = 256;
  std::size_t queue_bytes = std::size_t{1} << 20;
  Overflow overflow = Overflow::close;
  // A limit that several streams have together; nothing: there is none. A text for which it has no
  // room is treated as one for which the queue has none, but no older one is dropped for it.
  std::shared_ptr<StreamBudget> budget = nullptr;
  // The interval at which a comment is sent when nothing else is, so that a client that has
  // vanished is noticed. Zero sends none.
  Duration heartbeat = std::chrono::seconds(15);
  // The type of the response. Texts of another type than events are sent by send_text().
  std::string type = "text/event-stream";
};

class StreamQueue;

// A stream. Copies are the same; it ends when the last copy is destroyed. May be used from any
// thread; nothing here waits.
class EventStream {
 public:
  // A stream that is closed.
  EventStream() noexcept = default;
  explicit EventStream(std::shared_ptr<StreamQueue> queue) noexcept;

  // Sends an event. Returns false if it was dropped, or the stream is closed. Fails as
  // write_event() does.
  bool send(const Event& event) const;
  // Sends a text as it is.
  bool send_text(std::string text) const;
  // Ends the stream after everything that was sent before.
  void close() const noexcept;
  // The same, with a last event, for which there is always room. Returns false if the stream is
  // closed. Fails as write_event() does.
  bool close_with(const Event& last) const;

  // Returns whether the client is still there, as far as is known, and nobody has closed the
  // stream.
  bool is_open() const noexcept;
  // The number of texts that were dropped.
  std::uint64_t dropped() const noexcept;
  // Calls `what` once, when the stream has ended for any reason, on the thread of the loop; at once
  // on this thread, if it has ended already.
  void on_close(std::function<void()> what) const;

 private:
  struct Holder;
  std::shared_ptr<Holder> holder_;
};

}  // namespace coracle::http
