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
#include <type_traits>
#include <vector>

namespace coracle::net {

namespace {

using boost::asio::const_buffer;

Error ended(const Peer& peer, const error_code& error) {
  if (is_refused_certificate(error)) {
    return Error(Errc::not_permitted,
                 peer.address + " does not accept our certificate (" + error.message() +
                     "); have it signed by an authority that the other side believes");
  }
  if (error == boost::asio::error::eof || error == boost::asio::ssl::error::stream_truncated) {
    return Error(Errc::disconnected,
                 peer.address + " closed the connection; connect again if it is still needed");
  }
  return Error(Errc::disconnected, "the connection to " + peer.address + " broke (" +
                                       error.message() + "); connect again");
}

// A socket that has been given up by its user: sends the rest, then takes and forgets what comes
// until the peer has closed too, because closing over unread bytes would destroy what was sent.
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
  }
  void half_close() {
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

  static constexpr std::size_t most = 16u << 20;  // more than what can be under way

  const SharedPtr shared_;
  std::shared_ptr<void> keep_;  // owns socket_
  Socket& socket_;
  Timer timer_;
  std::size_t drained_ = 0;
  std::array<char, 4096> scratch_;
};

Socket& socket_of(Socket& stream) { return stream; }
Socket& socket_of(TlsStream& stream) { return stream.next_layer(); }

void say_goodbye(Socket&, std::shared_ptr<Farewell> farewell) { farewell->half_close(); }
void say_goodbye(TlsStream& stream, std::shared_ptr<Farewell> farewell) {
  stream.async_shutdown([farewell](const error_code&) { farewell->half_close(); });
}

// The socket and what is under way on it. Completions hold it, so that it outlives its Connection
// while the system still knows about it; they find events_ empty then, and touch nothing else.
template <class Stream>
class Wire final : public std::enable_shared_from_this<Wire<Stream>>, private Looked {
 public:
  Wire(SharedPtr shared, std::shared_ptr<Stream> stream, Peer peer)
      : shared_(std::move(shared)), stream_(std::move(stream)), peer_(std::move(peer)) {}

  void bind(ConnectionEvents& events) { events_ = &events; }
  const Peer& peer() const noexcept { return peer_; }

  void read(std::span<std::byte> into) {
    assert(events_ != nullptr && !reading_ && !into.empty());
    reading_ = true;
    into_ = into;
    if constexpr (is_plain) {
      if (!is_looked_at()) await();
    } else {
      stream_->async_read_some(
          boost::asio::buffer(into.data(), into.size()),
          [self = this->shared_from_this()](const error_code& error, std::size_t bytes) {
            if (self->events_ == nullptr) return;
            self->reading_ = false;
            if (error) return self->fail(error);
            self->events_->on_read(bytes);
          });
    }
  }

  std::size_t try_write(Parts parts) {
    if (events_ == nullptr || writing_) return 0;
    const int handle = socket_of(*stream_).native_handle();
    constexpr int flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    if (parts.size() == 1) {  // as most are, and cheaper
      const ssize_t bytes = ::send(handle, parts.front().data(), parts.front().size(), flags);
      return static_cast<std::size_t>(std::max<ssize_t>(bytes, 0));
    }
    std::array<iovec, most_parts> vectors;
    msghdr message{};
    message.msg_iov = vectors.data();
    for (const auto part : parts.first(std::min(parts.size(), most_parts))) {
      vectors[message.msg_iovlen++] = {const_cast<std::byte*>(part.data()), part.size()};
    }
    // What was wrong is met again by the write that follows.
    const ssize_t bytes = ::sendmsg(handle, &message, flags);
    return static_cast<std::size_t>(std::max<ssize_t>(bytes, 0));
  }

  void write(Parts parts) {
    assert(events_ != nullptr && !writing_);
    writing_ = true;
    set_rest(parts);
    if (rest_.empty()) {
      boost::asio::post(shared_->context,
                        [self = this->shared_from_this()] { self->wrote({}, 0); });
    } else {
      write_rest();
    }
  }

  void close() noexcept {
    if (closed_) return;
    closed_ = true;
    events_ = nullptr;
    shared_->looking.remove(*this);
    Socket& socket = socket_of(*stream_);
    error_code ignored;
    if (shared_->lingering >= shared_->options.lingering) {
      socket.close(ignored);
      return;
    }
    socket.cancel(ignored);
    auto farewell = std::make_shared<Farewell>(shared_, this->shared_from_this(), socket);
    farewell->begin();
    say_goodbye(*stream_, std::move(farewell));
  }

  void reset() noexcept {
    if (closed_) return;
    closed_ = true;
    events_ = nullptr;
    shared_->looking.remove(*this);
    error_code ignored;
    Socket& socket = socket_of(*stream_);
    socket.set_option(boost::asio::socket_base::linger(true, 0), ignored);
    socket.close(ignored);
  }

 private:
  static constexpr std::size_t most_parts = 64;  // what Asio gives to one system call
  static constexpr bool is_plain = std::is_same_v<Stream, Socket>;

  // Not of encrypted bytes: only the encryption knows whether there is something to be had.
  bool look() override {
    if (!reading_ || events_ == nullptr) return false;
    const auto self = this->shared_from_this();
    const int handle = socket_of(*stream_).native_handle();
    const ssize_t bytes = ::recv(handle, into_.data(), into_.size(), MSG_DONTWAIT);
    if (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
    reading_ = false;
    if (bytes < 0) return fail({errno, boost::system::system_category()}), true;
    if (bytes == 0) return fail(boost::asio::error::eof), true;
    shared_->looking.add(*this);
    events_->on_read(static_cast<std::size_t>(bytes));
    return true;
  }

  void await() override {
    if (awaiting_ || !reading_ || events_ == nullptr) return;
    awaiting_ = true;
    socket_of(*stream_).async_wait(Socket::wait_read,
                                   [self = this->shared_from_this()](const error_code& error) {
                                     self->awaiting_ = false;
                                     if (self->events_ == nullptr || !self->reading_) return;
                                     if (error) return self->fail(error);
                                     if (!self->look() && !self->is_looked_at()) self->await();
                                   });
  }

  void set_rest(Parts parts) {
    parts_.clear();
    for (const auto part : parts)
      if (!part.empty()) parts_.emplace_back(part.data(), part.size());
    rest_ = parts_;
  }
  std::span<const_buffer> next_parts() const {
    return rest_.first(std::min(rest_.size(), most_parts));
  }

  void write_rest() {
    stream_->async_write_some(
        std::span<const const_buffer>(next_parts()),
        [self = this->shared_from_this()](const error_code& error, std::size_t bytes) {
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

  // What the peer has said before it went tells more than that it takes nothing any more.
  void fail_writing(const error_code& error) {
    if constexpr (is_plain) {
      while (events_ != nullptr && look()) {
      }
    }
    if (events_ != nullptr) fail(error);
  }

  void fail(const error_code& error) {
    ConnectionEvents& events = *std::exchange(events_, nullptr);
    closed_ = true;
    shared_->looking.remove(*this);
    error_code ignored;
    socket_of(*stream_).close(ignored);
    events.on_closed(ended(peer_, error));
  }

  SharedPtr shared_;
  std::shared_ptr<Stream> stream_;
  Peer peer_;
  ConnectionEvents* events_ = nullptr;
  std::vector<const_buffer> parts_;
  std::span<const_buffer> rest_;  // of parts_: what is still to be written
  std::span<std::byte> into_;
  bool reading_ = false;
  bool awaiting_ = false;  // the system will tell
  bool writing_ = false;
  bool closed_ = false;
};

template <class Stream>
class AsioConnection final : public Connection {
 public:
  AsioConnection(SharedPtr shared, std::shared_ptr<Stream> stream, Peer peer)
      : wire_(std::make_shared<Wire<Stream>>(std::move(shared), std::move(stream),
                                             std::move(peer))) {}
  ~AsioConnection() override { wire_->close(); }

  void bind(ConnectionEvents& events) override { wire_->bind(events); }
  void read(std::span<std::byte> into) override { wire_->read(into); }
  void write(Parts parts) override { wire_->write(parts); }
  std::size_t try_write(Parts parts) override {
    // Encrypted, it would need memory that stays until all is taken.
    if constexpr (std::is_same_v<Stream, Socket>) return wire_->try_write(parts);
    return Connection::try_write(parts);
  }
  void close() noexcept override { wire_->close(); }
  void reset() noexcept override { wire_->reset(); }
  const Peer& peer() const noexcept override { return wire_->peer(); }

 private:
  std::shared_ptr<Wire<Stream>> wire_;
};

}  // namespace

std::unique_ptr<Connection> plain_connection(SharedPtr shared, Socket socket, Peer peer) {
  error_code ignored;
  socket.non_blocking(true, ignored);
  return std::make_unique<AsioConnection<Socket>>(
      std::move(shared), std::make_shared<Socket>(std::move(socket)), std::move(peer));
}

std::unique_ptr<Connection> tls_connection(SharedPtr shared, std::shared_ptr<TlsStream> stream,
                                           Peer peer) {
  return std::make_unique<AsioConnection<TlsStream>>(std::move(shared), std::move(stream),
                                                     std::move(peer));
}

}  // namespace coracle::net
