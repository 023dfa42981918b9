#include "realizations/net/src/asio/sockets.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl/error.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <map>

namespace coracle::net {

namespace {

using Acceptor = boost::asio::basic_socket_acceptor<Protocol, Executor>;

Error cannot_listen(const Endpoint& at, const std::string& why, const std::string& advice) {
  return Error(Errc::cannot_listen, "cannot listen at " + at.text() + " (" + why + "); " + advice);
}

// A stranger that has connected and is proving who it is.
struct Greeting {
  Greeting(Socket socket, Shared& shared)
      : stream(std::make_shared<TlsStream>(std::move(socket), *shared.tls)),
        timer(shared.context, shared.options.handshake) {}
  ~Greeting() { close(); }
  void close() {
    error_code ignored;
    if (stream) stream->next_layer().close(ignored);
    timer.cancel();
  }

  std::shared_ptr<TlsStream> stream;
  Timer timer;
  bool late = false;
};

// What a listener does, alive while the system knows about it.
class Listening final : public std::enable_shared_from_this<Listening> {
 public:
  Listening(SharedPtr shared, ListenEvents& events)
      : shared_(std::move(shared)),
        events_(&events),
        acceptor_(shared_->context),
        pause_(shared_->context) {}

  // Returns what went wrong.
  error_code open(Endpoint& at, const SocketAddress& address) {
    error_code error;
    acceptor_.open(address.protocol(), error);
    if (error) return error;
    if (at.scheme == Endpoint::Scheme::unix_socket) {
      // The mode of what bind() makes; changing it afterwards would leave a moment in between.
      if (::fchmod(acceptor_.native_handle(), 0600) != 0)
        return {errno, boost::system::system_category()};
    } else {
      acceptor_.set_option(boost::asio::socket_base::reuse_address(true), error);
    }
    if (!error) acceptor_.bind(address, error);
    if (error) return error;
    if (at.scheme == Endpoint::Scheme::unix_socket) remember_file(at.path);
    acceptor_.listen(boost::asio::socket_base::max_listen_connections, error);
    if (error) return error;
    const SocketAddress true_address = acceptor_.local_endpoint(error);
    if (error) return error;
    if (at.port == 0 && at.scheme != Endpoint::Scheme::unix_socket)
      at.port = Endpoint::parse(address_text(true_address, at.scheme)).value().port;
    at_ = at;
    accept();
    return {};
  }

  void close() {
    events_ = nullptr;
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    greetings_.clear();
    struct stat now {};
    if (file_.empty() || ::lstat(file_.c_str(), &now) != 0) return;
    if (now.st_ino == inode_ && now.st_dev == device_) ::unlink(file_.c_str());
  }

 private:
  void remember_file(const std::string& path) {
    struct stat made {};
    if (::lstat(path.c_str(), &made) != 0) return;
    file_ = path;
    inode_ = made.st_ino;
    device_ = made.st_dev;
  }

  void accept() {
    acceptor_.async_accept([self = shared_from_this()](const error_code& error, Socket socket) {
      if (self->events_ == nullptr) return;
      if (error) return self->pause(error);
      self->accept();
      self->admit(std::move(socket));
    });
  }

  // Accepting fails for as long as there are no descriptors; trying at once would only burn time.
  void pause(const error_code& error) {
    if (error == boost::asio::error::connection_aborted) return accept();
    pause_.expires_after(shared_->options.accept_pause);
    pause_.async_wait([self = shared_from_this()](const error_code&) {
      if (self->events_ != nullptr) self->accept();
    });
    events_->on_refuse(Error(Errc::limit_reached, "somebody who connects to " + at_.text() +
                                                      " has to wait (" + error.message() +
                                                      "); raise the limit of open files"));
  }

  void admit(Socket socket) {
    prepare(socket, shared_->options);
    Peer peer = peer_of(socket, at_.scheme);
    if (at_.scheme == Endpoint::Scheme::tls) return greet(std::move(socket), std::move(peer));
    const bool stranger = at_.scheme == Endpoint::Scheme::unix_socket &&
                          !shared_->options.other_users && peer.user != ::geteuid();
    if (stranger ||
        (at_.scheme == Endpoint::Scheme::unix_socket && peer.proof != Peer::Proof::user)) {
      return events_->on_refuse(Error(
          Errc::not_permitted, "user " + std::to_string(peer.user) + " was not let in at " +
                                   at_.text() + "; a Unix socket is for processes of one user"));
    }
    events_->on_accept(plain_connection(shared_, std::move(socket), std::move(peer)));
  }

  void greet(Socket socket, Peer peer) {
    const std::uint64_t id = next_greeting_++;
    auto greeting = std::make_shared<Greeting>(std::move(socket), *shared_);
    greetings_.emplace(id, greeting);
    greeting->timer.async_wait([weak = std::weak_ptr(greeting)](const error_code& error) {
      const auto late = weak.lock();
      if (error || !late) return;
      late->late = true;
      late->close();
    });
    auto& stream = *greeting->stream;
    stream.async_handshake(TlsStream::server,
                           [self = shared_from_this(), greeting, held = greeting->stream, id,
                            peer = std::move(peer)](const error_code& error) mutable {
                             self->greetings_.erase(id);
                             if (self->events_ != nullptr)
                               self->greeted(*greeting, std::move(peer), error);
                           });
    if (greetings_.size() <= shared_->options.handshakes) return;
    greetings_.begin()->second->close();
    greetings_.erase(greetings_.begin());
  }

  void greeted(Greeting& greeting, Peer peer, const error_code& error) {
    greeting.timer.cancel();
    if (error) {
      const bool sent_away = error == boost::asio::error::operation_aborted;
      const bool ssl = error.category() == boost::asio::error::get_ssl_category();
      const Errc errc = greeting.late ? Errc::expired
                        : sent_away   ? Errc::limit_reached
                        : ssl         ? Errc::not_permitted
                                      : Errc::disconnected;
      const std::string why = greeting.late ? "it took too long to prove who it is"
                              : sent_away   ? "too many are proving who they are"
                                            : handshake_failure(*greeting.stream, error);
      return events_->on_refuse(Error(errc, peer.address + " was not let in at " + at_.text() +
                                                " (" + why +
                                                "); it needs a certificate that one "
                                                "of our authorities has signed"));
    }
    peer.proof = Peer::Proof::certificate;
    peer.names = certificate_names(*greeting.stream);
    events_->on_accept(tls_connection(shared_, std::move(greeting.stream), std::move(peer)));
  }

  SharedPtr shared_;
  ListenEvents* events_;
  Acceptor acceptor_;
  Timer pause_;
  Endpoint at_;
  std::map<std::uint64_t, std::shared_ptr<Greeting>> greetings_;  // the oldest first
  std::uint64_t next_greeting_ = 0;
  std::string file_;  // of the Unix socket, to be removed at the end
  ino_t inode_ = 0;
  dev_t device_ = 0;
};

class AsioListener final : public Listener {
 public:
  AsioListener(std::shared_ptr<Listening> listening, Endpoint endpoint)
      : listening_(std::move(listening)), endpoint_(std::move(endpoint)) {}
  ~AsioListener() override { listening_->close(); }
  const Endpoint& endpoint() const noexcept override { return endpoint_; }

 private:
  std::shared_ptr<Listening> listening_;
  Endpoint endpoint_;
};

// Removes the file that a listener has left which is no more. Returns why it cannot be used.
const char* clear_stale(const Endpoint& at, boost::asio::io_context& context) {
  struct stat there {};
  if (::lstat(at.path.c_str(), &there) != 0) return nullptr;
  if (!S_ISSOCK(there.st_mode)) return "there is a file of that name that is no socket";
  error_code error;
  Socket probe(context);
  probe.connect(boost::asio::local::stream_protocol::endpoint(at.path), error);
  if (error != boost::asio::error::connection_refused) return "somebody listens there already";
  ::unlink(at.path.c_str());
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<Listener>> make_listener(SharedPtr shared, const Endpoint& at,
                                                ListenEvents& events) {
  using Scheme = Endpoint::Scheme;
  if (at.scheme == Scheme::sim || (at.scheme == Scheme::tls && !shared->tls)) {
    return Error(Errc::unsupported, "cannot listen at " + at.text() +
                                        (at.scheme == Scheme::sim
                                             ? ": there are only sockets here; use the simulator"
                                             : ": no certificate was given; set AsioOptions::tls"));
  }
  SocketAddress address;
  if (at.scheme == Scheme::unix_socket) {
    if (const char* fault = clear_stale(at, shared->context))
      return cannot_listen(at, fault, "choose another path, or end the other process first");
    address = boost::asio::local::stream_protocol::endpoint(at.path);
  } else {
    error_code error;
    boost::asio::ip::tcp::resolver resolver(shared->context);
    const auto found = resolver.resolve(at.host, std::to_string(at.port), error);
    if (error || found.empty())
      return cannot_listen(at, error.message(), "give an address of this machine");
    address = found.begin()->endpoint();
  }
  auto listening = std::make_shared<Listening>(shared, events);
  Endpoint truly = at;
  if (const error_code error = listening->open(truly, address)) {
    listening->close();
    return cannot_listen(at, error.message(), "choose another endpoint, or end who has it");
  }
  return std::unique_ptr<Listener>(std::make_unique<AsioListener>(std::move(listening), truly));
}

}  // namespace coracle::net
