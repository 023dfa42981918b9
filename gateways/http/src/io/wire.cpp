#include "io/wire.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace coracle::http {

namespace {

using boost::system::error_code;

constexpr std::size_t pieces_at_once = 16;

Moved moved(std::size_t bytes, const error_code& error, Moved::Status wait) {
  if (!error) return {Moved::Status::done, bytes};
  if (error == boost::asio::error::would_block || error == boost::asio::error::try_again)
    return {wait};
  if (error == boost::asio::error::eof) return {Moved::Status::ended};
  return {Moved::Status::failed};
}

}  // namespace

Wire::Wire(Socket socket) : socket_(std::move(socket)) {
  error_code ignored;
  socket_.non_blocking(true, ignored);
  socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
}

Wire::~Wire() { close(); }

void Wire::encrypt(ssl_ctx_st* context, const std::string* host) {
  if (host == nullptr) tls_.emplace(context, socket_.native_handle());
  else tls_.emplace(context, socket_.native_handle(), *host);
}

Moved Wire::read(std::span<char> into) {
  if (tls_) return tls_->read(into);
  const std::size_t bytes =
      socket_.read_some(boost::asio::buffer(into.data(), into.size()), error_);
  return moved(bytes, error_, Moved::Status::wait_read);
}

Moved Wire::write_some(const Output& output) {
  std::array<std::string_view, pieces_at_once> views;
  const std::size_t count = output.front(views);
  if (tls_) return tls_->write(views[0]);
  std::array<boost::asio::const_buffer, pieces_at_once> buffers;
  for (std::size_t i = 0; i < count; ++i) buffers[i] = {views[i].data(), views[i].size()};
  const std::span<const boost::asio::const_buffer> used(buffers.data(), count);
  const std::size_t bytes = socket_.write_some(used, error_);
  return moved(bytes, error_, Moved::Status::wait_write);
}

Moved Wire::write(Output& output) {
  std::size_t all = 0;
  while (!output.empty()) {
    const Moved some = write_some(output);
    if (some.status != Moved::Status::done) return {some.status, all};
    output.drop(some.bytes);
    all += some.bytes;
  }
  return {Moved::Status::done, all};
}

Moved Wire::handshake() { return tls_ ? tls_->handshake() : Moved{Moved::Status::done}; }

void Wire::shut_down() noexcept {
  if (tls_) tls_->shut_down();
  error_code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
}

void Wire::close() noexcept {
  error_code ignored;
  socket_.close(ignored);
}

std::string Wire::failure() const {
  if (tls_) return tls_->failure();
  return error_ ? error_.message() : "the connection was closed";
}

}  // namespace coracle::http
