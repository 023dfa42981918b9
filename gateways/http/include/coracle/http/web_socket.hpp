// A WebSocket: messages in both directions, of a server or of a client.
// Tests: gateways/http/tests/web_socket_test.cpp, and others' programs in
// gateways/http/tests/foreign
#pragma once

#include "coracle/clock.hpp"
#include "coracle/http/close_code.hpp"
#include "coracle/task.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coracle::http {

// A message.
struct SocketMessage {
  std::string data;
  bool is_text = true;  // then it is UTF-8
};

// The options of a WebSocket.
struct SocketOptions {
  // The longest message that is accepted.
  std::size_t message_bytes = std::size_t{1} << 20;
  // The messages that may wait to be received; while there are that many, none is read from the
  // connection, so the other side has to wait.
  std::size_t received = 64;
  // The messages that may wait to be sent, and their bytes. A message beyond these closes the
  // WebSocket with CloseCode::try_again_later.
  std::size_t queue = 256;
  std::size_t queue_bytes = std::size_t{4} << 20;
  // The interval at which a ping is sent when nothing comes. If nothing comes during the next one,
  // either, the other side is taken for gone. Zero sends none.
  Duration ping = std::chrono::seconds(20);
  // The time that the other side may take to reply to a close frame.
  Duration close_time = std::chrono::seconds(5);
  // The protocols that this side understands, the preferred one first. A client offers them; a
  // server chooses one that the client has offered, or none.
  std::vector<std::string> protocols = {};
};

class SocketQueue;

// One side of a WebSocket. Copies are the same; it is closed when the last copy is destroyed. May
// be used from any thread; nothing here waits but receive().
class WebSocket {
 public:
  // A WebSocket that is closed.
  WebSocket() noexcept = default;
  explicit WebSocket(std::shared_ptr<SocketQueue> queue) noexcept;

  // Sends a message; returns false if the WebSocket is closed, or now is, since the queue was full.
  // Fails with Errc::bad_encoding if a text is not UTF-8.
  bool send_text(std::string_view text) const;
  bool send_binary(std::string_view bytes) const;
  // Closes it after everything that was sent before. A reason may have up to 123 bytes.
  void close(CloseCode code = CloseCode::normal, std::string_view reason = {}) const;

  // Waits for a message in a coroutine of a node; nothing when the WebSocket is closed, or the
  // deadline has passed. One coroutine at a time. Fails with Errc::stopped.
  Task<std::optional<SocketMessage>> receive(Deadline deadline = Deadline::never()) const;
  // Receives a message if there is one.
  std::optional<SocketMessage> try_receive() const;
  // From now on gives each message to `take` instead, on the thread of the loop.
  void on_message(std::function<void(SocketMessage)> take) const;

  // Returns whether messages can still be sent.
  bool is_open() const noexcept;
  // The number of messages that wait to be sent, since the other side takes them slowly.
  std::size_t unsent() const noexcept;
  // The code and the reason of the end; CloseCode::lost without a close frame.
  CloseCode close_code() const noexcept;
  std::string close_reason() const;
  // The protocol that both sides use; empty if there is none.
  const std::string& protocol() const noexcept;
  // Calls `what` once, when the WebSocket has ended, on the thread of the loop; at once on this
  // thread, if it has ended already.
  void on_close(std::function<void()> what) const;

 private:
  struct Holder;
  std::shared_ptr<Holder> holder_;
};

}  // namespace coracle::http
