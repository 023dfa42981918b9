#include "realizations/net/src/asio/sockets.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cassert>
#include <cerrno>
#include <vector>

namespace coracle::net {

Error ended(const Peer& peer, const error_code& error) {
  if (is_refusal(error)) {
    return Error(Errc::not_permitted, peer.address + " " + refusal_text(error));
  }
  if (error == boost::asio::error::eof || error == boost::asio::ssl::error::stream_truncated) {
    return Error(Errc::disconnected,
                 peer.address + " closed the connection; connect again if it is still needed");
  }
  return Error(Errc::disconnected, "the connection to " + peer.address + " broke (" +
                                       error.message() + "); connect again");
}

namespace {

using boost::asio::const_buffer;

// A socket that its user has given up. It sends the rest, then reads and discards what comes until
// the peer has closed too, because closing over unread bytes would destroy what was sent.
class Farewell final : public std::enable_shared_from_this<Farewell> {
 public:
  Farewell(SharedPtr shared, std::shared_ptr<void> keep, Socket& socket)
      : shared_(std::move(shared)),
        keep_(std::move(keep)),
        socket_(socket),
        timer_(shared_->context, shared_->options.linger) {
    ++shared_->lingering;
  }
  ~Farewell() { --shared_->lingering; }

  void begin() {
    timer_.async_wait([self = shared_from_this()](const error_code& error) {
      if (!error) self->close();
    });
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
    drain();
  }

 private:
  void drain() {
    socket_.async_read_some(
        boost::asio::buffer(scratch_),
        [self = shared_from_this()](const error_code& error, std::size_t bytes) {
          self->drained_ += bytes;
          if (error || self->drained_ > most) return self->close();
          self->drain();
        });
  }
  void close() {
    error_code ignored;
    socket_.close(ignored);
    timer_.cancel();
  }

  static constexpr std::size_t most = 16u << 20;  // more than can be in flight

  const SharedPtr shared_;
  std::shared_ptr<void> keep_;  // owns socket_
  Socket& socket_;
  Timer timer_;
  std::size_t drained_ = 0;
  std::array<char, 4096> scratch_;
};

// The socket and the operations in progress on it. Completions hold this object, so that it
// outlives its Connection while the system still uses it; they find events_ empty then, and touch
// nothing else.
class SocketStream final : public std::enable_shared_from_this<SocketStream>,
                           private PolledConnection {
 public:
  SocketStream(SharedPtr shared, Socket socket, Peer peer)
      : shared_(std::move(shared)), socket_(std::move(socket)), peer_(std::move(peer)) {}

  void bind(ConnectionEvents& events) { events_ = &events; }
  const Peer& peer() const noexcept { return peer_; }

  void read(std::span<std::byte> into) {
    assert(events_ != nullptr && !reading_ && !into.empty());
    reading_ = true;
    into_ = into;
    if (!is_busy()) await();
  }

  std::size_t try_write(ByteSpans parts) {
    if (events_ == nullptr || writing_) return 0;
    const int handle = socket_.native_handle();
    constexpr int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    if (parts.size() == 1) {  // the usual case, and cheaper
      const ssize_t bytes = ::send(handle, parts.front().data(), parts.front().size(), flags);
      return static_cast<std::size_t>(std::max<ssize_t>(bytes, 0));
    }
    std::array<iovec, most_parts> vectors;
    msghdr message{};
    message.msg_iov = vectors.data();
    for (const auto part : parts.first(std::min(parts.size(), most_parts))) {
      vectors[message.msg_iovlen++] = {const_cast<std::byte*>(part.data()), part.size()};
    }
    // An error is ignored here: the write that follows meets it again.
    const ssize_t bytes = ::sendmsg(handle, &message, flags);
    return static_cast<std::size_t>(std::max<ssize_t>(bytes, 0));
  }

  void write(ByteSpans parts) {
    assert(events_ != nullptr && !writing_);
    writing_ = true;
    set_rest(parts);
    if (rest_.empty()) {
      boost::asio::post(shared_->context, [self = shared_from_this()] { self->wrote({}, 0); });
    } else {
      write_rest();
    }
  }

  void close() noexcept {
    if (closed_) return;
    closed_ = true;
    events_ = nullptr;
    shared_->busy_connections.remove(*this);
    error_code ignored;
    if (shared_->lingering >= shared_->options.lingering) {
      socket_.close(ignored);
      return;
    }
    socket_.cancel(ignored);
    std::make_shared<Farewell>(shared_, shared_from_this(), socket_)->begin();
  }

  void reset() noexcept {
    if (closed_) return;
    closed_ = true;
    events_ = nullptr;
    shared_->busy_connections.remove(*this);
    error_code ignored;
    socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
    socket_.close(ignored);
  }

 private:
  static constexpr std::size_t most_parts = 64;  // Asio gives as many to one system call

  bool look() override {
    if (!reading_ || events_ == nullptr) return false;
    const auto self = shared_from_this();
    const int handle = socket_.native_handle();
    const ssize_t bytes = ::recv(handle, into_.data(), into_.size(), MSG_DONTWAIT);
    if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
    reading_ = false;
    if (bytes < 0) return fail({errno, boost::system::system_category()}), true;
    if (bytes == 0) return fail(boost::asio::error::eof), true;
    shared_->busy_connections.add(*this);
    events_->on_read(static_cast<std::size_t>(bytes));
    return true;
  }

  void await() override {
    if (awaiting_ || !reading_ || events_ == nullptr) return;
    awaiting_ = true;
    socket_.async_wait(Socket::wait_read, [self = shared_from_this()](const error_code& error) {
      self->awaiting_ = false;
      if (self->events_ == nullptr || !self->reading_) return;
      if (error) return self->fail(error);
      if (!self->look() && !self->is_busy()) self->await();
    });
  }

  void set_rest(ByteSpans parts) {
    parts_.clear();
    for (const auto part : parts)
      if (!part.empty()) parts_.emplace_back(part.data(), part.size());
    rest_ = parts_;
  }
  std::span<const_buffer> next_parts() const {
    return rest_.first(std::min(rest_.size(), most_parts));
  }

  void write_rest() {
    socket_.async_write_some(
        std::span<const const_buffer>(next_parts()),
        [self = shared_from_this()](const error_code& error, std::size_t bytes) {
          self->wrote(error, bytes);
        });
  }

  void wrote(const error_code& error, std::size_t bytes) {
    if (events_ == nullptr) return;
    if (error) return fail_writing(error);
    while (!rest_.empty() && bytes >= rest_.front().size()) {
      bytes -= rest_.front().size();
      rest_ = rest_.subspan(1);
    }
    if (!rest_.empty()) {
      rest_.front() += bytes;
      return write_rest();
    }
    writing_ = false;
    events_->on_written();
  }

  // Delivers first the bytes that the peer sent before it closed: they explain more than the error
  // of the write.
  void fail_writing(const error_code& error) {
    while (events_ != nullptr && look()) {
    }
    if (events_ != nullptr) fail(error);
  }

  void fail(const error_code& error) {
    ConnectionEvents& events = *std::exchange(events_, nullptr);
    closed_ = true;
    shared_->busy_connections.remove(*this);
    error_code ignored;
    socket_.close(ignored);
    events.on_closed(ended(peer_, error));
  }

  SharedPtr shared_;
  Socket socket_;
  Peer peer_;
  ConnectionEvents* events_ = nullptr;
  std::vector<const_buffer> parts_;
  std::span<const_buffer> rest_;  // the part of parts_ that is still to be written
  std::span<std::byte> into_;
  bool reading_ = false;
  bool awaiting_ = false;  // the system will call back
  bool writing_ = false;
  bool closed_ = false;
};

class AsioConnection final : public Connection {
 public:
  AsioConnection(SharedPtr shared, Socket socket, Peer peer)
      : wire_(std::make_shared<SocketStream>(std::move(shared), std::move(socket),
                                             std::move(peer))) {}
  ~AsioConnection() override { wire_->close(); }

  void bind(ConnectionEvents& events) override { wire_->bind(events); }
  void read(std::span<std::byte> into) override { wire_->read(into); }
  void write(ByteSpans parts) override { wire_->write(parts); }
  std::size_t try_write(ByteSpans parts) override { return wire_->try_write(parts); }
  void close() noexcept override { wire_->close(); }
  void reset() noexcept override { wire_->reset(); }
  const Peer& peer() const noexcept override { return wire_->peer(); }

 private:
  std::shared_ptr<SocketStream> wire_;
};

}  // namespace

std::unique_ptr<Connection> plain_connection(SharedPtr shared, Socket socket, Peer peer) {
  error_code ignored;
  socket.non_blocking(true, ignored);
  return std::make_unique<AsioConnection>(std::move(shared), std::move(socket), std::move(peer));
}

}  // namespace coracle::net
