#include "socket_home.hpp"

#include "runtime/log.hpp"

#include <boost/asio/post.hpp>

#include <chrono>
#include <utility>

namespace coracle::society {

namespace {

// How long a node that ends waits for its farewells to have gone.
constexpr Duration farewells = std::chrono::milliseconds(100);
constexpr Duration look_again = std::chrono::milliseconds(1);

}  // namespace

SocketHome::SocketHome(HomeSettings settings)
    : settings_(std::move(settings)),
      network_(settings_.doorway != nullptr
                   ? settings_.doorway->outer(context_, steady_clock())
                   : net::asio_network(context_, steady_clock(), settings_.sockets)),
      alarms_(net::asio_alarms(context_)),
      station_(parts(), std::move(settings_.self), std::move(settings_.links),
               settings_.listen_at) {}

SocketHome::~SocketHome() = default;

Station::Parts SocketHome::parts() {
  return {.network = *network_,
          .alarms = *alarms_,
          .clock = steady_clock(),
          .random = machine_random(),
          .post = [this](std::function<void()> what) { boost::asio::post(context_, what); },
          .end = [this] { end(); },
          .look = [this] { look(); },
          .heard =
              [this](const HeardOf& older) {
                if (seeker_) seeker_->hear_of(older);
              },
          .service = settings_.service,
          .traffic = settings_.traffic,
          .log = detail::warnings_of(detail::LogPart::link),
          .is_here = {},
          .lets_take_over = settings_.lets_take_over};
}

void SocketHome::look() {
  if (settings_.look) settings_.look();
  if (!settings_.beacon) return;
  if (!seeker_) {
    BeaconSeeker::Settings settings = *settings_.beacon;
    settings.tell = [this](const std::vector<net::Endpoint>& places) {
      station_.directory().look_at(places);
    };
    settings.heard = [this](const net::Endpoint& place) {
      station_.directory().try_again(place);
    };
    seeker_ = std::make_unique<BeaconSeeker>(context_, std::move(settings),
                                             detail::warnings_of(detail::LogPart::beacon));
  }
  seeker_->search();
}

bool SocketHome::poll() { return lookout_.poll(); }

void SocketHome::wait(Duration longest) {
  flush();
  lookout_.wait(longest);
}

void SocketHome::wake() {
  boost::asio::post(context_, [] {});
}

void SocketHome::flush() {
  if (!begun_) {
    begun_ = true;
    station_.settle_here();
    station_.begin(settings_.services);
  }
  station_.flush();
}

// Called by the worker, between two turns.
void SocketHome::end() noexcept {
  station_.leave();
  const Time until = steady_clock().now() + farewells;
  while (!station_.is_silent() && steady_clock().now() < until) {
    lookout_.wait(look_again);
    station_.flush();
  }
}

Realization realization_at(std::shared_ptr<SocketHome> home, std::shared_ptr<Clock> clock) {
  Realization made;
  made.transport = local_transport(std::shared_ptr<Links>(home, &home->station().traffic()), home);
  made.directory = std::shared_ptr<Directory>(home, &home->station().directory());
  made.queue = mail_queues();
  made.clock = std::move(clock);
  return made;
}

}  // namespace coracle::society
