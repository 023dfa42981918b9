// The messages of a WebSocket between the thread of the loop and its user. Safe to use from every
// thread.
#pragma once

#include "coracle/http/web_socket.hpp"
#include "coracle/support/signal.hpp"
#include "io/channel.hpp"
#include "io/loop_state.hpp"
#include "message/frames.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace coracle::http {

class SocketQueue : public std::enable_shared_from_this<SocketQueue> {
 public:
  SocketQueue(SocketOptions options, std::shared_ptr<LoopState> loop)
      : options_(std::move(options)), loop_(std::move(loop)) {}

  // --- for the user ---
  bool push(Opcode opcode, std::string_view payload);
  void close(const Closing& closing);
  Task<std::optional<SocketMessage>> receive(Deadline deadline);
  std::optional<SocketMessage> try_receive();
  void on_message(std::function<void(SocketMessage)> take);
  bool is_open() const;
  std::size_t unsent() const;
  Closing closing() const;
  void on_close(std::function<void()> what);
  const std::string& protocol() const noexcept { return protocol_; }

  // --- for the channel ---
  // Before anybody has the WebSocket.
  void set_protocol(std::string protocol) { protocol_ = std::move(protocol); }
  void bind(std::weak_ptr<Channel> channel);
  const SocketOptions& options() const noexcept { return options_; }
  struct Outgoing {
    Opcode opcode;
    std::string payload;
  };
  std::optional<Outgoing> pop();
  std::optional<Closing> wanted_closing() const;  // once everything was popped
  // Returns whether there is room for more.
  bool deliver(SocketMessage message);
  bool has_room() const;
  void end(const Closing& closing);

 private:
  using Take = std::function<void(SocketMessage)>;
  void announce_unlocked(std::unique_lock<std::mutex>& lock);
  std::optional<SocketMessage> take_unlocked();

  const SocketOptions options_;
  const std::shared_ptr<LoopState> loop_;
  std::string protocol_;
  mutable std::mutex mutex_;  // guards the members below
  std::weak_ptr<Channel> channel_;
  std::deque<Outgoing> outgoing_;
  std::size_t outgoing_bytes_ = 0;
  std::deque<SocketMessage> received_;
  std::shared_ptr<const Take> take_;
  std::function<void()> on_close_;
  std::optional<detail::Signal> arrival_;  // of something for the coroutine that waits
  std::optional<Closing> wanted_;          // the user's close frame
  std::optional<Closing> ended_;           // nothing more comes or goes
  bool is_announced_ = false;
  bool is_full_ = false;  // the channel waits for room
};

}  // namespace coracle::http
