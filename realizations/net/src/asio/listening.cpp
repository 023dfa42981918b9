#include "realizations/net/src/asio/first_words.hpp"
#include "realizations/net/src/asio/memory_offer.hpp"
#include "realizations/net/src/asio/sockets.hpp"
#include "realizations/net/src/plain_words.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl/error.hpp>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <map>
#include <span>

namespace coracle::net {

namespace {

using Acceptor = boost::asio::basic_socket_acceptor<Protocol, Executor>;

Error cannot_listen(const Endpoint& at, const std::string& why, const std::string& advice) {
  return Error(Errc::cannot_listen, "cannot listen at " + at.text() + " (" + why + "); " + advice);
}

// A client that has connected and has not yet proved its identity. The state for encryption is
// created when the client has begun TLS.
struct Greeting {
  Greeting(Socket from, Peer who, Shared& shared)
      : socket(std::move(from)),
        peer(std::move(who)),
        timer(shared.context, shared.options.handshake) {}
  ~Greeting() { close(); }
  void close() {
    error_code ignored;
    (stream ? stream->next_layer() : socket).close(ignored);
    timer.cancel();
  }
  void encrypt(boost::asio::ssl::context& tls) {
    stream = std::make_shared<TlsStream>(std::move(socket), tls);
  }

  Socket socket;  // empty once there is a stream
  std::shared_ptr<TlsStream> stream;
  Peer peer;
  Timer timer;
  FirstWords first_words;
  bool late = false;
};
using GreetingPtr = std::shared_ptr<Greeting>;

// The work of a listener; this object lives while the system still uses it.
class Listening final : public std::enable_shared_from_this<Listening> {
 public:
  Listening(SharedPtr shared, ListenEvents& events)
      : shared_(std::move(shared)),
        events_(&events),
        acceptor_(shared_->context),
        pause_(shared_->context) {}

  // Returns the error.
  error_code open(Endpoint& at, const SocketAddress& address) {
    error_code error;
    acceptor_.open(address.protocol(), error);
    if (error) return error;
    if (at.scheme == Endpoint::Scheme::unix_socket) {
      // Sets the mode of the file that bind() will create; a change afterwards would leave a moment
      // in between.
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
    for (Greetings* all : {&knocking_, &proving_}) {
      for (const auto& [id, greeting] : *all) greeting->close();
      all->clear();
    }
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

  // Accepting fails for as long as there are no descriptors; trying again at once would only waste
  // CPU time.
  void pause(const error_code& error) {
    if (error == boost::asio::error::connection_aborted) return accept();
    pause_.expires_after(shared_->options.accept_pause);
    pause_.async_wait([self = shared_from_this()](const error_code&) {
      if (self->events_ != nullptr) self->accept();
    });
    events_->on_refuse(Error(Errc::limit_reached, "a client that connects to " + at_.text() +
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
          Errc::not_permitted, "user " + std::to_string(peer.user) + " was refused at " +
                                   at_.text() + "; a Unix socket is for processes of one user"));
    }
    if (at_.scheme == Endpoint::Scheme::unix_socket)
      return greet(std::move(socket), std::move(peer));
    events_->on_accept(plain_connection(shared_, std::move(socket), std::move(peer)));
  }

  // The oldest entry comes first.
  using Greetings = std::map<std::uint64_t, GreetingPtr>;

  void greet(Socket socket, Peer peer) {
    auto greeting = std::make_shared<Greeting>(std::move(socket), std::move(peer), *shared_);
    greeting->timer.async_wait([weak = std::weak_ptr(greeting)](const error_code& error) {
      const auto late = weak.lock();
      if (error || !late) return;
      late->late = true;
      late->close();
    });
    const std::uint64_t id = next_greeting_++;
    if (at_.scheme == Endpoint::Scheme::tls) {
      greeting->first_words.begin(greeting->socket);
      await_first_words(id, greeting);
    } else {
      await_offer(id, greeting);
    }
    add(knocking_, id, std::move(greeting));
  }

  void await_offer(std::uint64_t id, const GreetingPtr& greeting) {
    greeting->socket.async_wait(
        Socket::wait_read, [self = shared_from_this(), greeting, id](const error_code& error) {
          if (self->events_ == nullptr) return;
          if (error) return self->knocking_.erase(id), self->refuse(*greeting, error);
          const FirstWord said = hear_first_word(greeting->socket);
          if (said == FirstWord::not_yet) return self->await_offer(id, greeting);
          self->knocking_.erase(id);
          greeting->timer.cancel();
          std::optional<SharedMemory> memory;
          if (said == FirstWord::offer)
            memory = take_offer(greeting->socket, self->shared_->options.shared_memory);
          auto connection =
              memory ? shared_connection(self->shared_, std::move(greeting->socket),
                                         *std::move(memory), false, std::move(greeting->peer))
                     : plain_connection(self->shared_, std::move(greeting->socket),
                                        std::move(greeting->peer));
          self->events_->on_accept(std::move(connection));
        });
  }

  // When there are too many, the client that has taken longest is disconnected.
  void add(Greetings& all, std::uint64_t id, GreetingPtr greeting) {
    all.emplace(id, std::move(greeting));
    if (all.size() <= shared_->options.handshakes) return;
    all.begin()->second->close();
    all.erase(all.begin());
  }

  void await_first_words(std::uint64_t id, const GreetingPtr& greeting) {
    greeting->socket.async_wait(
        Socket::wait_read, [self = shared_from_this(), greeting, id](const error_code& error) {
          if (self->events_ == nullptr) return;
          const auto verdict =
              error ? FirstWords::Verdict::other : greeting->first_words.look(greeting->socket);
          if (verdict == FirstWords::Verdict::not_yet) return self->await_first_words(id, greeting);
          self->knocking_.erase(id);
          if (verdict == FirstWords::Verdict::tls) return self->encrypt(id, greeting);
          const bool is_gone = !error && verdict == FirstWords::Verdict::gone;
          if (!error && !is_gone) self->tell_what_is_needed(greeting->socket);
          self->refuse(*greeting, is_gone ? boost::asio::error::eof : error);
        });
  }

  // A node that has neither key nor certificate sends its HELLO in plain text, and would try for
  // ever. It gets a refusal if it has sent a HELLO; other clients get none. The bytes that it sent
  // are read, or the system would not deliver the refusal.
  void tell_what_is_needed(Socket& socket) const {
    std::array<std::byte, 1024> first;  // no HELLO is longer
    const auto seen = ::recv(socket.native_handle(), first.data(), first.size(), MSG_DONTWAIT);
    if (seen <= 0 || !begins_hello(std::span(first).first(static_cast<std::size_t>(seen)))) return;
    const auto said = not_permitted(
        shared_->credentials->is_by_key()
            ? "all connections here use TLS, with the society's key; set CORACLE_KEY as the server "
              "has it, or key=..."
            : "all connections here use TLS, with certificates; set CORACLE_TLS, or tls=..., to a "
              "folder that `coracle keys` has made");
    (void)::send(socket.native_handle(), said.data(), said.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    error_code ignored;
    socket.shutdown(Socket::shutdown_send, ignored);
  }

  void encrypt(std::uint64_t id, const GreetingPtr& greeting) {
    greeting->encrypt(shared_->credentials->context());
    greeting->stream->async_handshake(
        TlsStream::server, [self = shared_from_this(), greeting, held = greeting->stream,
                            id](const error_code& error) {
          self->proving_.erase(id);
          if (self->events_ == nullptr) return;
          error ? self->refuse(*greeting, error) : self->greeted(*greeting);
        });
    add(proving_, id, greeting);
  }

  // The handshake has failed; without an error, because of the client's first bytes.
  void refuse(Greeting& greeting, const error_code& error) {
    greeting.timer.cancel();
    const bool sent_away = error == boost::asio::error::operation_aborted;
    const bool ssl = !error || error.category() == boost::asio::error::get_ssl_category();
    const Errc errc = greeting.late ? Errc::expired
                      : sent_away   ? Errc::limit_reached
                      : ssl         ? Errc::not_permitted
                                    : Errc::disconnected;
    refuse(greeting, errc,
           greeting.late      ? "it sent no complete greeting in time"
           : sent_away        ? "too many clients are in their greeting"
           : !error           ? "it does not speak TLS"
           : !greeting.stream ? error.message()
                              : shared_->credentials->failure(*greeting.stream, error));
  }
  void refuse(const Greeting& greeting, Errc errc, const std::string& why) {
    const char* const advice =
        at_.scheme != Endpoint::Scheme::tls ? "check that it is a node"
        : shared_->credentials->is_by_key()
            ? "it needs the society's key"
            : "it needs a certificate that one of our authorities has signed";
    events_->on_refuse(Error(errc, greeting.peer.address + " was refused at " + at_.text() + " (" +
                                       why + "); " + advice));
  }

  void greeted(Greeting& greeting) {
    greeting.timer.cancel();
    if (const auto why =
            shared_->credentials->prove(greeting.stream->native_handle(), greeting.peer)) {
      refuse(greeting, Errc::not_permitted, *why);
      return greeting.close();
    }
    events_->on_accept(tls_connection(shared_, *greeting.stream, std::move(greeting.peer)));
  }

  SharedPtr shared_;
  ListenEvents* events_;
  Acceptor acceptor_;
  Timer pause_;
  Endpoint at_;
  Greetings knocking_, proving_;  // clients that have sent nothing yet, and the others
  std::uint64_t next_greeting_ = 0;
  std::string file_;  // the file of the Unix socket, removed at the end
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

// Removes the file that a listener which no longer exists has left. Returns why the endpoint cannot
// be used.
const char* clear_stale(const Endpoint& at, boost::asio::io_context& context) {
  struct stat there {};
  if (::lstat(at.path.c_str(), &there) != 0) return nullptr;
  if (!S_ISSOCK(there.st_mode)) return "there is a file of that name that is no socket";
  error_code error;
  Socket probe(context);
  probe.connect(boost::asio::local::stream_protocol::endpoint(at.path), error);
  if (error != boost::asio::error::connection_refused)
    return "another process listens there already";
  ::unlink(at.path.c_str());
  return nullptr;
}

// Returns the advice for a user whose node cannot listen at `at`.
std::string advice_on(const error_code& error, const Endpoint& at) {
  using boost::asio::error::basic_errors;
  const std::string folder = at.path.substr(0, at.path.find_last_of('/'));
  if (at.scheme == Endpoint::Scheme::unix_socket && error == std::errc::no_such_file_or_directory)
    return "make the folder " + folder + ", or choose another path";
  if (error == basic_errors::access_denied)
    return at.scheme == Endpoint::Scheme::unix_socket
               ? "choose a path in a folder that this user may write to"
               : "choose a port above 1023, or run the program as a user who may use this one";
  return "choose another endpoint, or end the process that has it";
}

}  // namespace

Result<std::unique_ptr<Listener>> make_listener(SharedPtr shared, const Endpoint& at,
                                                ListenEvents& events) {
  using Scheme = Endpoint::Scheme;
  if (at.scheme == Scheme::sim || (at.scheme == Scheme::tls && !shared->credentials)) {
    return Error(Errc::unsupported,
                 "cannot listen at " + at.text() +
                     (at.scheme == Scheme::sim ? ": there are only sockets here; use the simulator"
                                               : ": neither a key nor a certificate was given"));
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
  if (at.scheme == Scheme::tcp && !shared->options.insecure && !stays_on_this_host(address))
    return Error(Errc::not_permitted, "cannot listen: " + plain_text_is_refused(at));
  auto listening = std::make_shared<Listening>(shared, events);
  Endpoint truly = at;
  if (const error_code error = listening->open(truly, address)) {
    listening->close();
    return cannot_listen(at, error.message(), advice_on(error, at));
  }
  return std::unique_ptr<Listener>(std::make_unique<AsioListener>(std::move(listening), truly));
}

}  // namespace coracle::net
