#include "realizations/net/src/asio/memory_offer.hpp"
#include "realizations/net/src/asio/sockets.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>

#include <unistd.h>

namespace coracle::net {

namespace {

using Scheme = Endpoint::Scheme;
using Resolver = boost::asio::ip::basic_resolver<boost::asio::ip::tcp, Executor>;

// Tries one address after another. Each gets an equal share of the time that is left, so that an
// address that never answers does not take the turn of the next.
class Connecting final : public std::enable_shared_from_this<Connecting> {
 public:
  Connecting(SharedPtr shared, std::vector<Endpoint> endpoints, Time until, ConnectEvents& events)
      : shared_(std::move(shared)),
        endpoints_(std::move(endpoints)),
        until_(until),
        events_(&events),
        resolver_(shared_->context),
        timer_(shared_->context),
        look_again_(shared_->context) {}

  void begin() {
    boost::asio::post(shared_->context, [self = shared_from_this()] { self->next(); });
  }

  void give_up() {
    events_ = nullptr;
    ++turn_;
    stop();
  }

 private:
  void stop() {
    error_code ignored;
    resolver_.cancel();
    timer_.cancel();
    look_again_.cancel();
    if (socket_) socket_->close(ignored);
    if (stream_) stream_->next_layer().close(ignored);
  }

  // Wraps `done` so that a completion is ignored when the turn that started it is over.
  template <class Function>
  auto in_turn(Function done) {
    return
        [self = shared_from_this(), turn = turn_, done](const error_code& error, auto&&... more) {
          if (self->events_ != nullptr && self->turn_ == turn)
            done(*self, error, std::forward<decltype(more)>(more)...);
        };
  }

  void next() {
    if (events_ == nullptr) return;
    ++turn_;
    stop();
    if (next_address_ < addresses_.size()) return try_address(addresses_[next_address_++]);
    if (next_endpoint_ == endpoints_.size()) return fail();
    endpoint_ = endpoints_[next_endpoint_++];
    addresses_.clear();
    next_address_ = 0;
    was_unanswered_ = false;
    find_addresses();
  }

  void find_addresses() {
    if (endpoint_.scheme == Scheme::sim ||
        (endpoint_.scheme == Scheme::tls && !shared_->credentials)) {
      note(Errc::unsupported, endpoint_.scheme == Scheme::sim
                                  ? "there are only sockets here; use the simulator"
                                  : "neither a key nor a certificate was given");
      return next();
    }
    if (endpoint_.scheme == Scheme::unix_socket) {
      addresses_.emplace_back(boost::asio::local::stream_protocol::endpoint(endpoint_.path));
      return next();
    }
    error_code error;
    const auto address = boost::asio::ip::make_address(endpoint_.host, error);
    if (!error) {
      addresses_.emplace_back(boost::asio::ip::tcp::endpoint(address, endpoint_.port));
      return next();
    }
    if (!limit_turn()) return;
    look_for_answer();
    resolver_.async_resolve(
        endpoint_.host, std::to_string(endpoint_.port),
        in_turn([](Connecting& self, const error_code& failure, const auto& found) {
          self.look_again_.cancel();
          if (failure) self.note(Errc::unreachable, failure.message() + "; check the name");
          constexpr std::size_t most = 16;
          for (const auto& each : found)
            if (self.addresses_.size() < most) self.addresses_.emplace_back(each.endpoint());
          self.next();
        }));
  }

  // The resolver's thread does not make the descriptor of the context readable, at which a loop may
  // wait (descriptor_of()), so an alarm does, every few milliseconds.
  void look_for_answer() {
    look_again_.expires_after(std::chrono::milliseconds(5));
    look_again_.async_wait(in_turn([](Connecting& self, const error_code& error) {
      if (!error) self.look_for_answer();
    }));
  }

  // Gives this turn its share of the time; ends the attempt when no time is left.
  bool limit_turn() {
    const Duration left = until_ == Time::max() ? Duration::max() : until_ - shared_->clock.now();
    if (left <= Duration::zero()) {
      note(Errc::expired,
           "the deadline has passed; allow more time, or check that the other side runs");
      fail();
      return false;
    }
    if (left == Duration::max()) return true;
    const auto turns =
        1 + (addresses_.size() - next_address_) + (endpoints_.size() - next_endpoint_);
    timer_.expires_after(left / static_cast<Duration::rep>(turns));
    timer_.async_wait([self = shared_from_this(), turn = turn_](const error_code& error) {
      if (error || self->events_ == nullptr || self->turn_ != turn) return;
      self->note(Errc::expired,
                 "no answer in time; allow more time, or check that the other side runs");
      self->next();
    });
    return true;
  }

  void try_address(const SocketAddress& address) {
    if (endpoint_.scheme == Scheme::tcp && !shared_->options.insecure &&
        !stays_on_this_host(address)) {
      note(Errc::not_permitted, plain_text_is_refused(endpoint_));
      return next();
    }
    if (!limit_turn()) return;
    socket_.emplace(shared_->context);
    socket_->async_connect(address, in_turn([](Connecting& self, const error_code& error) {
                             if (error) {
                               self.note(Errc::unreachable,
                                         error.message() + "; check that a server listens there");
                               return self.next();
                             }
                             self.connected();
                           }));
  }

  void connected() {
    prepare(*socket_, shared_->options);
    Peer peer = peer_of(*socket_, endpoint_.scheme);
    peer.address = endpoint_.text();
    if (endpoint_.scheme == Scheme::unix_socket && !shared_->options.other_users &&
        peer.user != ::geteuid()) {
      note(Errc::not_permitted, "it belongs to user " + std::to_string(peer.user) +
                                    "; a Unix socket is for processes of one user");
      return next();
    }
    if (endpoint_.scheme == Scheme::unix_socket) return offer(peer);
    if (endpoint_.scheme != Scheme::tls)
      return succeed(plain_connection(shared_, std::move(*socket_), std::move(peer)));
    encrypt(std::move(peer));
  }

  void encrypt(Peer peer) {
    stream_ = std::make_shared<TlsStream>(std::move(*socket_), shared_->credentials->context());
    socket_.reset();
    if (!shared_->credentials->is_by_key()) expect_certificate_for(*stream_, endpoint_.host);
    stream_->async_handshake(
        TlsStream::client,
        in_turn([peer, held = stream_](Connecting& self, const error_code& error) {
          Peer proven = peer;
          const Credentials& ours = *self.shared_->credentials;
          const std::optional<std::string> fault =
              error ? ours.failure(*self.stream_, error)
                    : ours.prove(self.stream_->native_handle(), proven);
          if (fault) {
            // A peer that merely closed the connection may be tried again.
            const bool is_refused =
                !error || error.category() == boost::asio::error::get_ssl_category();
            const bool has_advice = fault->find("; ") != std::string::npos;
            const long verdict = SSL_get_verify_result(self.stream_->native_handle());
            self.note(is_refused ? Errc::not_permitted : Errc::unreachable,
                      *fault + (has_advice ? std::string()
                                           : std::string("; ") + advice_on_certificate(verdict)));
            return self.next();
          }
          self.succeed(tls_connection(self.shared_, *self.stream_, std::move(proven)));
          self.stream_.reset();
        }));
  }

  // An older node does not understand the offer of memory, and closes the connection. The client
  // then connects once more, without an offer.
  void offer(const Peer& peer) {
    const bool offers = !was_unanswered_ && shared_->options.shared_memory;
    if (offers) memory_ = offer_memory(*socket_);
    if (!memory_) {
      if (!was_unanswered_) offer_nothing(*socket_);
      return succeed(plain_connection(shared_, std::move(*socket_), peer));
    }
    const auto on_answer = [peer](Connecting& self, const error_code&) {
      self.answered(answer_to_offer(*self.socket_), peer);
    };
    socket_->async_wait(Socket::wait_read, in_turn(on_answer));
  }

  void answered(std::optional<bool> is_taken, const Peer& peer) {
    SharedMemory memory = *std::exchange(memory_, std::nullopt);
    was_unanswered_ = !is_taken;
    if (was_unanswered_) return try_address(addresses_[next_address_ - 1]);
    Socket socket = std::move(*socket_);
    succeed(*is_taken ? shared_connection(shared_, std::move(socket), std::move(memory), true, peer)
                      : plain_connection(shared_, std::move(socket), peer));
  }

  void note(Errc errc, const std::string& why) {
    failure_ = Error(errc, "cannot connect to " + endpoint_.text() + ": " + why);
  }

  void succeed(std::unique_ptr<Connection> connection) {
    ConnectEvents& events = *std::exchange(events_, nullptr);
    ++turn_;
    timer_.cancel();
    events.on_connect(std::move(connection));
  }

  void fail() {
    ConnectEvents& events = *std::exchange(events_, nullptr);
    ++turn_;
    stop();
    events.on_connect(failure_);
  }

  SharedPtr shared_;
  std::vector<Endpoint> endpoints_;
  Time until_;
  ConnectEvents* events_;  // nullptr when the attempt is over
  Resolver resolver_;
  Timer timer_, look_again_;
  std::size_t next_endpoint_ = 0;
  Endpoint endpoint_;  // the endpoint that is being tried
  std::vector<SocketAddress> addresses_;
  std::size_t next_address_ = 0;
  std::uint64_t turn_ = 0;  // the number of the current try; others are late
  std::optional<Socket> socket_;
  bool was_unanswered_ = false;  // an offer of memory had no reply: the peer is an older node
  std::optional<SharedMemory> memory_;
  std::shared_ptr<TlsStream> stream_;
  Error failure_{Errc::unreachable, "there is no endpoint to connect to; give at least one"};
};

class AsioAttempt final : public Attempt {
 public:
  explicit AsioAttempt(std::shared_ptr<Connecting> connecting)
      : connecting_(std::move(connecting)) {}
  ~AsioAttempt() override { connecting_->give_up(); }

 private:
  std::shared_ptr<Connecting> connecting_;
};

}  // namespace

std::unique_ptr<Attempt> make_attempt(SharedPtr shared, std::vector<Endpoint> endpoints, Time until,
                                      ConnectEvents& events) {
  auto connecting =
      std::make_shared<Connecting>(std::move(shared), std::move(endpoints), until, events);
  connecting->begin();
  return std::make_unique<AsioAttempt>(std::move(connecting));
}

}  // namespace coracle::net
