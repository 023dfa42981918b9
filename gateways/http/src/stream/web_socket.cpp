#include "coracle/http/web_socket.hpp"

#include "coracle/errors.hpp"
#include "stream/socket_queue.hpp"

namespace coracle::http {

// The last copy of a WebSocket closes it.
struct WebSocket::Holder {
  explicit Holder(std::shared_ptr<SocketQueue> which) noexcept : queue(std::move(which)) {}
  Holder(const Holder&) = delete;
  ~Holder() { queue->close({CloseCode::normal, {}}); }
  const std::shared_ptr<SocketQueue> queue;
};

WebSocket::WebSocket(std::shared_ptr<SocketQueue> queue) noexcept
    : holder_(queue ? std::make_shared<Holder>(std::move(queue)) : nullptr) {}

bool WebSocket::send_text(std::string_view text) const {
  if (!is_utf8(text))
    throw Error(Errc::bad_encoding,
                "a text for a WebSocket is not UTF-8; send it with send_binary()");
  return holder_ && holder_->queue->push(Opcode::text, text);
}

bool WebSocket::send_binary(std::string_view bytes) const {
  return holder_ && holder_->queue->push(Opcode::binary, bytes);
}

void WebSocket::close(CloseCode code, std::string_view reason) const {
  if (holder_) holder_->queue->close({code, std::string(reason)});
}

Task<std::optional<SocketMessage>> WebSocket::receive(Deadline deadline) const {
  const auto holder = holder_;
  if (!holder) co_return std::nullopt;
  Task<std::optional<SocketMessage>> task = holder->queue->receive(deadline);
  co_return co_await task;
}

std::optional<SocketMessage> WebSocket::try_receive() const {
  return holder_ ? holder_->queue->try_receive() : std::nullopt;
}

void WebSocket::on_message(std::function<void(SocketMessage)> take) const {
  if (holder_) holder_->queue->on_message(std::move(take));
}

bool WebSocket::is_open() const noexcept { return holder_ && holder_->queue->is_open(); }

std::size_t WebSocket::unsent() const noexcept { return holder_ ? holder_->queue->unsent() : 0; }

CloseCode WebSocket::close_code() const noexcept {
  return holder_ ? holder_->queue->closing().code : CloseCode::lost;
}

std::string WebSocket::close_reason() const {
  return holder_ ? holder_->queue->closing().reason : std::string();
}

const std::string& WebSocket::protocol() const noexcept {
  static const std::string none;
  return holder_ ? holder_->queue->protocol() : none;
}

void WebSocket::on_close(std::function<void()> what) const {
  if (holder_) holder_->queue->on_close(std::move(what));
  else what();
}

}  // namespace coracle::http
