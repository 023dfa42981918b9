#include "realizations/net/src/asio/doorway.hpp"

#include "realizations/net/src/asio/sockets.hpp"

#include <boost/asio/post.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <utility>

namespace coracle::net {

namespace {

// The listener of the service; its events come on the service's own thread.
struct Waiting {
  SharedPtr shared;
  ListenEvents* events = nullptr;
};

Peer neighbour() {
  Peer peer;
  peer.proof = Peer::Proof::process;
  peer.address = Doorway::place().text();
  return peer;
}

SharedPtr shared_of(boost::asio::io_context& context, const Clock& clock) {
  return std::make_shared<Shared>(Shared{context, clock, {}});
}

Socket socket_of(boost::asio::io_context& context, int descriptor) {
  return Socket(context.get_executor(), Protocol(AF_UNIX, 0), descriptor);
}

std::unique_ptr<Connection> connection_of(SharedPtr shared, Socket socket) {
  return plain_connection(std::move(shared), std::move(socket), neighbour());
}

}  // namespace

// The state that both sides share.
struct Doorway::Door {
  std::mutex mutex;  // guards what follows
  std::shared_ptr<Waiting> waiting;

  // Gives the service one end of a connection, and returns the other.
  Result<int> accept() {
    const std::lock_guard lock(mutex);
    int ends[2] = {-1, -1};
    if (!waiting || ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return Error(Errc::unreachable, "nobody listens at " + Doorway::place().text() +
                                          "; check that the server has started");
    boost::asio::io_context& context = waiting->shared->context;
    boost::asio::post(context, [there = waiting, socket = socket_of(context, ends[1])]() mutable {
      if (there->events != nullptr)
        there->events->on_accept(connection_of(there->shared, std::move(socket)));
    });
    return ends[0];
  }
};

namespace {

class DoorListener final : public Listener {
 public:
  explicit DoorListener(std::shared_ptr<Waiting> waiting) : waiting_(std::move(waiting)) {}
  ~DoorListener() override { waiting_->events = nullptr; }
  const Endpoint& endpoint() const noexcept override { return endpoint_; }

 private:
  const std::shared_ptr<Waiting> waiting_;
  const Endpoint endpoint_ = Doorway::place();
};

struct DoorAttempt final : Attempt {
  explicit DoorAttempt(ConnectEvents& whom) : events(std::make_shared<ConnectEvents*>(&whom)) {}
  ~DoorAttempt() override { *events = nullptr; }
  const std::shared_ptr<ConnectEvents*> events;
};

}  // namespace

class Doorway::Inner final : public Network {
 public:
  Inner(std::shared_ptr<Door> door, SharedPtr shared, std::unique_ptr<Network> beside)
      : door_(std::move(door)), shared_(std::move(shared)), beside_(std::move(beside)) {}

  Result<std::unique_ptr<Listener>> listen(const Endpoint& at, ListenEvents& events) override {
    if (at != Doorway::place()) return beside_->listen(at, events);
    auto waiting = std::make_shared<Waiting>(Waiting{shared_, &events});
    const std::lock_guard lock(door_->mutex);
    door_->waiting = waiting;
    return std::unique_ptr<Listener>(std::make_unique<DoorListener>(std::move(waiting)));
  }
  std::unique_ptr<Attempt> connect(std::span<const Endpoint> endpoints, Deadline deadline,
                                   ConnectEvents& events) override {
    return beside_->connect(endpoints, deadline, events);
  }
  Look look() override { return std::max(shared_->busy_connections.look(), beside_->look()); }
  void rest() override {
    shared_->busy_connections.rest();
    beside_->rest();
  }
  Result<bool> read_keys_again() override { return beside_->read_keys_again(); }
  std::optional<std::uint64_t> certificate_days() const override {
    return beside_->certificate_days();
  }

 private:
  const std::shared_ptr<Door> door_;
  const SharedPtr shared_;
  const std::unique_ptr<Network> beside_;
};

class Doorway::Outer final : public Network {
 public:
  Outer(std::shared_ptr<Door> door, SharedPtr shared)
      : door_(std::move(door)), shared_(std::move(shared)) {}

  Result<std::unique_ptr<Listener>> listen(const Endpoint& at, ListenEvents&) override {
    return Error(Errc::unsupported,
                 "cannot listen at " + at.text() + ": this network only makes connections");
  }
  std::unique_ptr<Attempt> connect(std::span<const Endpoint>, Deadline,
                                   ConnectEvents& events) override {
    auto attempt = std::make_unique<DoorAttempt>(events);
    const Result<int> accepted = door_->accept();
    if (!accepted) {
      boost::asio::post(shared_->context, [whom = attempt->events, error = accepted.error()] {
        if (*whom != nullptr) std::exchange(*whom, nullptr)->on_connect(error);
      });
      return attempt;
    }
    boost::asio::post(
        shared_->context, [whom = attempt->events, shared = shared_,
                           socket = socket_of(shared_->context, *accepted)]() mutable {
          if (*whom == nullptr) return;
          std::exchange(*whom, nullptr)->on_connect(connection_of(shared, std::move(socket)));
        });
    return attempt;
  }
  Look look() override { return shared_->busy_connections.look(); }
  void rest() override { shared_->busy_connections.rest(); }

 private:
  const std::shared_ptr<Door> door_;
  const SharedPtr shared_;
};

Doorway::Doorway() : door_(std::make_shared<Door>()) {}

Doorway::~Doorway() {
  const std::lock_guard lock(door_->mutex);
  door_->waiting.reset();
}

Endpoint Doorway::place() {
  Endpoint place;
  place.scheme = Endpoint::Scheme::sim;
  place.host = "inside";
  place.port = 1;
  return place;
}

std::unique_ptr<Network> Doorway::inner(boost::asio::io_context& context, const Clock& clock,
                                        std::unique_ptr<Network> beside) const {
  return std::make_unique<Inner>(door_, shared_of(context, clock), std::move(beside));
}

std::unique_ptr<Network> Doorway::outer(boost::asio::io_context& context,
                                        const Clock& clock) const {
  return std::make_unique<Outer>(door_, shared_of(context, clock));
}

}  // namespace coracle::net
