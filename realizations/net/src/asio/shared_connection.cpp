// A connection through shared memory. The Unix socket by which its ends met stays open: a byte on
// the socket wakes the peer, and the end of the socket is the end of the connection.
#include "realizations/net/src/asio/sockets.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include <sys/socket.h>

#include <array>
#include <cassert>
#include <cerrno>
#include <utility>
#include <vector>

namespace coracle::net {

namespace {

using Direction = SharedMemory::Direction;

// As in connection.cpp, completions hold this object, and find events_ empty when its Connection is
// gone.
class SharedMemoryStream final : public std::enable_shared_from_this<SharedMemoryStream>,
                                 private PolledConnection {
 public:
  SharedMemoryStream(SharedPtr shared, Socket socket, SharedMemory memory, bool is_maker, Peer peer)
      : shared_(std::move(shared)),
        socket_(std::move(socket)),
        memory_(std::move(memory)),
        in_(memory_.reader(is_maker ? Direction::to_maker : Direction::from_maker)),
        out_(memory_.writer(is_maker ? Direction::from_maker : Direction::to_maker)),
        peer_(std::move(peer)) {}

  void bind(ConnectionEvents& events) { events_ = &events; }
  const Peer& peer() const noexcept { return peer_; }

  void read(std::span<std::byte> into) {
    assert(events_ != nullptr && !reading_ && !into.empty());
    reading_ = true;
    into_ = into;
    if (!is_busy()) await();
  }

  std::size_t try_write(ByteSpans parts) {
    if (events_ == nullptr || writing_ || has_ended_ || is_broken_) return 0;
    const std::optional<std::size_t> bytes = out_.write(parts);
    if (!bytes) return break_up(), 0;
    if (out_.must_wake()) wake_peer();
    return *bytes;
  }

  void write(ByteSpans parts) {
    assert(events_ != nullptr && !writing_);
    writing_ = true;
    rest_.clear();
    for (const auto part : parts)
      if (!part.empty()) rest_.push_back(part);
    waits_for_reader_ = rest_.empty();
    if (is_busy()) return;  // somebody looks soon
    boost::asio::post(shared_->context, [self = shared_from_this()] { self->go_on(); });
  }

  void close() noexcept {
    if (closed_) return;
    closed_ = true;
    events_ = nullptr;
    shared_->busy_connections.remove(*this);
    (void)in_.rest();  // so that a peer that goes on writing tries to wake us, and learns of it
    error_code ignored;
    socket_.close(ignored);
  }

 private:
  bool look() override {
    const auto self = shared_from_this();
    const bool has_written = write_rest();
    return read_some() || has_written;
  }

  // Continues the operations in progress, or waits for them.
  void go_on() {
    (void)look();
    if (!is_busy()) await();
  }

  bool read_some() {
    if (!reading_ || events_ == nullptr) return false;
    const std::optional<std::size_t> bytes = in_.read(into_);
    if (!bytes) return fail(nonsense()), true;
    if (*bytes == 0) {
      if (!has_ended_) return false;
      return fail(ended(peer_, boost::asio::error::eof)), true;
    }
    if (in_.must_wake()) wake_peer();
    reading_ = false;
    shared_->busy_connections.add(*this);
    events_->on_read(*bytes);
    return true;
  }

  bool write_rest() {
    if (!writing_ || events_ == nullptr) return false;
    if (has_ended_) {
      // The bytes that the peer has sent are delivered before its end.
      if (reading_ || !in_.is_empty()) return false;
      return fail(ended(peer_, boost::asio::error::eof)), true;
    }
    if (waits_for_reader_ && !out_.is_read()) return false;
    const std::optional<std::size_t> bytes = out_.write(rest_);
    if (!bytes) return fail(nonsense()), true;
    if (*bytes != 0 && out_.must_wake()) wake_peer();
    forget_written(*bytes);
    if (!rest_.empty()) return *bytes != 0;
    writing_ = false;
    events_->on_written();
    return true;
  }

  void forget_written(std::size_t bytes) {
    auto first = rest_.begin();
    while (first != rest_.end() && bytes >= first->size()) bytes -= (first++)->size();
    rest_.erase(rest_.begin(), first);
    if (!rest_.empty()) rest_.front() = rest_.front().subspan(bytes);
  }

  // Ends the connection, but not inside this call.
  void break_up() {
    is_broken_ = true;
    boost::asio::post(shared_->context, [self = shared_from_this()] {
      if (self->events_ != nullptr) self->fail(self->nonsense());
    });
  }

  // The peer is gone. It may still write to the memory, but those bytes are ignored.
  void end() {
    has_ended_ = true;
    in_.end();
  }

  // Has the peer wake this side; continues at once if there is something already.
  void await() override {
    if (events_ == nullptr || (!reading_ && !writing_)) return;
    const bool has_more =
        has_ended_ ? reading_ || in_.is_empty()
                   : (reading_ && !in_.rest()) || (writing_ && !out_.wait(waits_for_reader_));
    if (has_more)
      return boost::asio::post(shared_->context, [self = shared_from_this()] { self->go_on(); });
    if (has_ended_ || std::exchange(awaiting_, true)) return;
    socket_.async_wait(Socket::wait_read, [self = shared_from_this()](const error_code& error) {
      self->awaiting_ = false;
      if (self->events_ == nullptr) return;
      if (error || !self->take_wakes()) self->end();
      self->go_on();
    });
  }

  // The bytes carry no content: only their arrival counts. Returns false when the peer is gone.
  bool take_wakes() {
    std::array<char, 256> wakes;
    const ssize_t bytes = ::recv(socket_.native_handle(), wakes.data(), wakes.size(), MSG_DONTWAIT);
    return bytes > 0 || (bytes < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
  }

  // If the socket has no room for one more byte, it holds some that the peer has not taken.
  void wake_peer() {
    const char wake = 0;
    const ssize_t sent = ::send(socket_.native_handle(), &wake, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent == 1 || errno == EAGAIN || errno == EWOULDBLOCK) return;
    end();
    boost::asio::post(shared_->context, [self = shared_from_this()] { self->go_on(); });
  }

  Error nonsense() const {
    return Error(Errc::disconnected, "the memory that is shared with " + peer_.address +
                                         " holds invalid data; connect again");
  }

  void fail(const Error& why) {
    ConnectionEvents& events = *std::exchange(events_, nullptr);
    close();
    events.on_closed(why);
  }

  SharedPtr shared_;
  Socket socket_;
  const SharedMemory memory_;
  RingReader in_;
  RingWriter out_;
  Peer peer_;
  ConnectionEvents* events_ = nullptr;
  std::vector<std::span<const std::byte>> rest_;  // the part of the write that is not yet done
  std::span<std::byte> into_;
  bool has_ended_ = false;  // the peer is gone
  bool is_broken_ = false;  // the memory holds what makes no sense
  bool reading_ = false;
  bool awaiting_ = false;  // the system will call back
  bool writing_ = false;
  bool waits_for_reader_ = false;  // the write has no parts
  bool closed_ = false;
};

class SharedConnection final : public Connection {
 public:
  explicit SharedConnection(std::shared_ptr<SharedMemoryStream> wire) : wire_(std::move(wire)) {}
  ~SharedConnection() override { wire_->close(); }

  void bind(ConnectionEvents& events) override { wire_->bind(events); }
  void read(std::span<std::byte> into) override { wire_->read(into); }
  void write(ByteSpans parts) override { wire_->write(parts); }
  std::size_t try_write(ByteSpans parts) override { return wire_->try_write(parts); }
  // The written bytes are in the memory, which the peer has, too.
  void close() noexcept override { wire_->close(); }
  void reset() noexcept override { wire_->close(); }
  const Peer& peer() const noexcept override { return wire_->peer(); }

 private:
  std::shared_ptr<SharedMemoryStream> wire_;
};

}  // namespace

std::unique_ptr<Connection> shared_connection(SharedPtr shared, Socket socket, SharedMemory memory,
                                              bool is_maker, Peer peer) {
  error_code ignored;
  socket.non_blocking(true, ignored);
  return std::make_unique<SharedConnection>(std::make_shared<SharedMemoryStream>(
      std::move(shared), std::move(socket), std::move(memory), is_maker, std::move(peer)));
}

}  // namespace coracle::net
