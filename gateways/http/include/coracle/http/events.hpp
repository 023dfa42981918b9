// Events of a server as text (server-sent events): how they are written, and how they are read.
// Tests: gateways/http/tests/events_test.cpp, tests/fuzz/events_fuzz.cpp
#pragma once

#include "coracle/clock.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace coracle::http {

// One event. A client that comes back states the id of the last event that it got, in the header
// Last-Event-ID.
struct Event {
  std::string data;
  std::string name = {};  // "message" if it is empty
  std::string id = {};    // no id if it is empty
};

// Writes an event. Each line of the data becomes a line of its own; CR and CR LF end a line, too.
// Fails with Errc::bad_options if the name or the id has an end of line or a zero byte.
std::string write_event(const Event& event);
// Writes a line that clients ignore, so that both sides learn that the connection is alive.
std::string write_comment(std::string_view text);
// Writes the time after which a client that has lost its connection connects again.
std::string write_retry(Duration after);

// The limits of a stream of events.
struct EventLimits {
  std::size_t event_bytes = std::size_t{1} << 20;  // of the data, name and id of one event
};

// Reads a stream of events, however it is cut into pieces.
class EventReader {
 public:
  explicit EventReader(const EventLimits& limits = {}) : limits_(limits) {}

  // Reads the next bytes, and calls `take` for each event that they complete. Fails with
  // Errc::too_large beyond a limit; then nothing more can be read.
  void read(std::string_view bytes, const std::function<void(Event)>& take);

  // The id of the last event that had one; it stays for events without.
  const std::string& last_id() const noexcept { return last_id_; }
  // The time that the server has asked for last.
  std::optional<Duration> retry() const noexcept { return retry_; }

 private:
  void end_line(const std::function<void(Event)>& take);
  void end_event(const std::function<void(Event)>& take);
  void check_size() const;

  EventLimits limits_;
  std::string line_;
  Event event_;
  bool has_data_ = false;
  bool has_id_ = false;
  bool after_return_ = false;  // a line feed would belong to the end of line before it
  bool is_first_line_ = true;
  std::string last_id_;
  std::optional<Duration> retry_;
};

}  // namespace coracle::http
