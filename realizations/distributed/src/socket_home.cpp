#include "socket_home.hpp"

#include "runtime/log.hpp"
#include "settings.hpp"

#include <boost/asio/post.hpp>

#include <chrono>
#include <utility>

namespace coracle::distributed {

namespace {

// How long a node that ends waits for its farewells to have gone.
constexpr Duration farewells = std::chrono::milliseconds(100);
constexpr Duration look_again = std::chrono::milliseconds(1);

}  // namespace

SocketHome::SocketHome(const Options& options, net::Identity self,
                       std::vector<net::Endpoint> services,
                       const std::vector<net::Endpoint>& listen_at,
                       std::unique_ptr<Carried> carried)
    : network_(net::asio_network(context_, steady_clock())),
      alarms_(net::asio_alarms(context_)),
      carried_(std::move(carried)),
      station_(parts(), std::move(self), link_options(peer_patience, options.idle), listen_at,
               options.content_limit + largest_piece),
      services_(std::move(services)) {}

SocketHome::~SocketHome() = default;

Station::Parts SocketHome::parts() {
  return {.network = *network_,
          .alarms = *alarms_,
          .clock = steady_clock(),
          .random = machine_random(),
          .post = [this](std::function<void()> what) { boost::asio::post(context_, what); },
          .end = [this] { end(); },
          .look =
              [this] {
                if (carried_) carried_->carry();
              },
          .log = &detail::log_warning,
          .is_here = {}};
}

bool SocketHome::poll() { return context_.poll() != 0; }

void SocketHome::wait(Duration longest) {
  flush();
  if (longest == Duration::max()) {
    context_.run_one();
  } else {
    context_.run_one_for(longest);
  }
}

void SocketHome::wake() {
  boost::asio::post(context_, [] {});
}

void SocketHome::flush() {
  if (!begun_) {
    begun_ = true;
    station_.settle_here();
    station_.begin(std::move(services_));
  }
  station_.flush();
}

// Called by the worker, between two turns.
void SocketHome::end() noexcept {
  station_.leave();
  const Time until = steady_clock().now() + farewells;
  while (!station_.is_silent() && steady_clock().now() < until) {
    context_.run_one_for(look_again);
    station_.flush();
  }
}

}  // namespace coracle::distributed
