#include "socket_home.hpp"

#include "coracle/support/log.hpp"

#include <boost/asio/post.hpp>

#include <chrono>
#include <utility>

namespace coracle::society {

namespace {

// The time that a node that ends waits until its farewells are sent.
constexpr Duration farewells = std::chrono::milliseconds(100);
constexpr Duration look_again = std::chrono::milliseconds(1);

}  // namespace

SocketHome::SocketHome(HomeSettings settings)
    : settings_(std::move(settings)),
      network_(settings_.doorway != nullptr
                   ? settings_.doorway->outer(context_, steady_clock())
                   : net::asio_network(context_, steady_clock(), settings_.sockets)),
      alarms_(net::asio_alarms(context_)),
      connectivity_(environment(), std::move(settings_.self), std::move(settings_.links),
                    settings_.listen_at) {}

SocketHome::~SocketHome() = default;

NodeConnectivity::Environment SocketHome::environment() {
  return {.network = *network_,
          .alarms = *alarms_,
          .clock = steady_clock(),
          .random = machine_random(),
          .post = [this](std::function<void()> what) { boost::asio::post(context_, what); },
          .end = [this] { end(); },
          .look = [this] { look(); },
          .on_older =
              [this](const DirectoryReport& older) {
                if (seeker_) seeker_->add_reported(older);
              },
          .service = settings_.service,
          .frame_transport = settings_.frame_transport,
          .log = detail::warnings_of(detail::LogPart::link),
          .is_here = {},
          .lets_take_over = settings_.lets_take_over};
}

void SocketHome::look() {
  if (settings_.look) settings_.look();
  if (!settings_.beacon) return;
  if (!seeker_) {
    BeaconSeeker::Settings settings = *settings_.beacon;
    settings.on_found = [this](const std::vector<net::Endpoint>& places) {
      connectivity_.directory().attachment().candidates().set(places);
    };
    settings.on_reply = [this](const net::Endpoint& place) {
      connectivity_.directory().attachment().candidates().try_again(place);
    };
    seeker_ = std::make_unique<BeaconSeeker>(context_, std::move(settings),
                                             detail::warnings_of(detail::LogPart::beacon));
  }
  seeker_->search();
}

bool SocketHome::poll() { return busy_poller_.poll(); }

void SocketHome::wait(Duration longest) {
  flush();
  busy_poller_.wait(longest);
}

void SocketHome::wake() {
  boost::asio::post(context_, [] {});
}

void SocketHome::flush() {
  if (!begun_) {
    begun_ = true;
    connectivity_.settle_here();
    connectivity_.begin(settings_.services);
  }
  connectivity_.flush();
}

bool SocketHome::settle() {
  flush();
  return busy_poller_.settle();
}

// Called by the worker, between two turns.
void SocketHome::end() noexcept {
  connectivity_.leave();
  const Time until = steady_clock().now() + farewells;
  while (!connectivity_.is_silent() && steady_clock().now() < until) {
    busy_poller_.wait(look_again);
    connectivity_.flush();
  }
}

Realization realization_at(std::shared_ptr<SocketHome> home, std::shared_ptr<Clock> clock) {
  Realization made;
  made.transport = std::shared_ptr<Transport>(home, &home->connectivity().frame_transport());
  made.reactor = home;
  made.directory = std::shared_ptr<Directory>(home, &home->connectivity().directory());
  made.queue = mail_queues();
  made.clock = std::move(clock);
  return made;
}

}  // namespace coracle::society
