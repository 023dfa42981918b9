// Moves the messages of a WebSocket between its user and its connection.
#pragma once

#include "io/channel.hpp"
#include "stream/socket_queue.hpp"
#include "stream/socket_session.hpp"

#include <functional>
#include <memory>

namespace coracle::http {

class SocketChannel final : public Channel {
 public:
  // Takes over a connection. `first` are bytes that have come already; `on_over` is called at the
  // end, once. A client masks its frames.
  static std::shared_ptr<SocketChannel> begin(LoopState& loop, std::unique_ptr<Wire> wire,
                                              std::shared_ptr<SocketQueue> queue, bool is_client,
                                              Output before, const std::string& first,
                                              std::function<void()> on_over);
  SocketChannel(LoopState& loop, std::unique_ptr<Wire> wire, std::shared_ptr<SocketQueue> queue,
                bool is_client, std::function<void()> on_over);

  // Sends a close frame.
  void close_with(const Closing& closing);

 private:
  bool wants_bytes() const override { return session_.wants_bytes() && queue_->has_room(); }
  Output& output() override { return before_.empty() ? session_.output() : before_; }
  void on_bytes(std::string_view bytes) override;
  void on_end() override { session_.on_end(); }
  void on_written() override { session_.on_written(now()); }
  void on_failed(const std::string&) override { session_.on_end(); }
  void on_closed() override;
  void produce() override;
  void decide() override;
  Time next_deadline() const override { return session_.deadline(); }
  void on_deadline(Time now) override;
  bool take(SocketMessage message);

  const std::shared_ptr<SocketQueue> queue_;
  std::function<void()> on_over_;
  Output before_;  // what was to be written before the frames
  SocketSession session_;
};

}  // namespace coracle::http
