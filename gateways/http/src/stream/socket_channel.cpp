#include "stream/socket_channel.hpp"

#include <utility>

namespace coracle::http {

namespace {

// As much is taken from the queue at once; the rest stays where it is counted.
constexpr std::size_t taken_at_once = 64 * 1024;
constexpr Duration socket_linger = std::chrono::seconds(2);

}  // namespace

SocketChannel::SocketChannel(LoopState& loop, std::unique_ptr<Wire> wire,
                             std::shared_ptr<SocketQueue> queue, bool is_client,
                             std::function<void()> on_over)
    : Channel(loop, std::move(wire)),
      queue_(std::move(queue)),
      on_over_(std::move(on_over)),
      session_(queue_->options(), is_client ? &machine_random() : nullptr, now()) {}

std::shared_ptr<SocketChannel> SocketChannel::begin(LoopState& loop, std::unique_ptr<Wire> wire,
                                                    std::shared_ptr<SocketQueue> queue,
                                                    bool is_client, Output before,
                                                    const std::string& first,
                                                    std::function<void()> on_over) {
  auto made =
      std::make_shared<SocketChannel>(loop, std::move(wire), queue, is_client, std::move(on_over));
  made->before_ = std::move(before);
  queue->bind(made);
  if (!first.empty()) made->on_bytes(first);
  made->work_soon();
  return made;
}

bool SocketChannel::take(SocketMessage message) { return queue_->deliver(std::move(message)); }

void SocketChannel::on_bytes(std::string_view bytes) {
  session_.on_bytes(
      bytes, [this](SocketMessage message) { return take(std::move(message)); }, now());
}

void SocketChannel::produce() {
  if (queue_->has_room()) on_bytes({});
  while (session_.is_open() && session_.output().size() < taken_at_once) {
    auto next = queue_->pop();
    if (!next) break;
    session_.send(next->opcode, next->payload, now());
  }
  if (const auto wanted = queue_->wanted_closing()) session_.close(*wanted, now());
}

void SocketChannel::on_deadline(Time now) {
  // Nothing comes because nothing is read.
  if (!queue_->has_room()) session_.rest(now);
  session_.on_time(now);
}

void SocketChannel::decide() {
  if (session_.is_over() && output().empty()) end(socket_linger);
}

void SocketChannel::close_with(const Closing& closing) {
  session_.close(closing, now());
  work_soon();
}

void SocketChannel::on_closed() {
  queue_->end(session_.closing());
  if (const auto over = std::exchange(on_over_, nullptr)) over();
}

}  // namespace coracle::http
