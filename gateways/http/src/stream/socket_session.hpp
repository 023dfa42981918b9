// One side of a WebSocket as a state machine: bytes, messages and the time go in; messages, bytes
// and deadlines come out. Tests: gateways/http/tests/socket_session_test.cpp
#pragma once

#include "coracle/clock.hpp"
#include "coracle/http/web_socket.hpp"
#include "io/output.hpp"
#include "message/frames.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace coracle::http {

class SocketSession {
 public:
  // A client masks its frames with numbers from `masks`; a server has none.
  SocketSession(const SocketOptions& options, Random* masks, Time now);

  // --- events ---
  // Bytes have come. Each message is given to `take`, which returns false when it wants no more for
  // now; the rest is kept.
  void on_bytes(std::string_view bytes, const std::function<bool(SocketMessage)>& take, Time now);
  // `take` wants more again.
  void go_on(const std::function<bool(SocketMessage)>& take, Time now) { on_bytes({}, take, now); }
  void on_end();
  void on_time(Time now);
  // Some bytes were written.
  void on_written(Time now);
  // The other side could send nothing until now.
  void rest(Time now) noexcept { received_at_ = now, is_pinged_ = false; }

  // --- requests ---
  void send(Opcode opcode, std::string_view payload, Time now);
  void close(const Closing& closing, Time now);

  // --- decisions ---
  Output& output() noexcept { return output_; }
  bool wants_bytes() const noexcept { return !has_ended_ && unread_.empty() && !is_over(); }
  Time deadline() const noexcept;
  // Returns whether messages can be sent.
  bool is_open() const noexcept { return !sent_closing_ && !has_ended_; }
  // Returns whether the connection is to be closed once the output is empty.
  bool is_over() const noexcept { return is_over_; }
  // The end, as far as it is known.
  const Closing& closing() const noexcept { return closing_; }
  std::size_t held() const noexcept { return reader_.buffered() + unread_.size() + output_.size(); }

 private:
  bool on_incoming(Incoming incoming, const std::function<bool(SocketMessage)>& take, Time now);
  void on_closing(const std::string& payload, Time now);
  void write(Opcode opcode, std::string_view payload, Time now);

  const Duration ping_, close_time_;
  Random* const masks_;
  FrameReader reader_;
  std::string unread_;
  Output output_;
  Closing closing_{CloseCode::lost, {}};
  bool sent_closing_ = false, has_ended_ = false, is_over_ = false;
  bool is_pinged_ = false;  // nothing has come since the last ping
  Time received_at_;
  Time closes_at_ = Time::max();
  Time written_by_ = Time::max();
};

}  // namespace coracle::http
