#include "connectivity.hpp"

#include "realizations/net/src/society/beacon/endpoints_here.hpp"

#include <algorithm>
#include <utility>

namespace coracle::society {

namespace {

// Listens at all `places`; returns the endpoints.
std::vector<std::string> listen(net::Links& links, const std::vector<net::Endpoint>& places) {
  std::vector<std::string> endpoints;
  for (const net::Endpoint& place : places) {
    for (const net::Endpoint& announced : announced_endpoints(links.listen(place).value()))
      endpoints.push_back(announced.text());
  }
  const bool has_socket = std::any_of(places.begin(), places.end(), [](const net::Endpoint& place) {
    return place.scheme == net::Endpoint::Scheme::unix_socket;
  });
  if (has_socket && !this_host().empty()) endpoints.push_back(host_text());
  return endpoints;
}

}  // namespace

NodeConnectivity::NodeConnectivity(Environment environment, net::Identity self,
                                   net::LinkOptions options,
                                   const std::vector<net::Endpoint>& listen_at)
    : environment_(std::move(environment)),
      faults_(environment_.alarms, environment_.clock, environment_.log),
      flush_queue_({}, environment_.batch_bytes),
      links_(environment_.network, environment_.alarms, environment_.clock, environment_.random,
             std::move(self), std::move(options), *this),
      frame_transport_(environment_.frame_transport(*this)),
      directory_(*this, *frame_transport_, listen(links_, listen_at)) {}

void NodeConnectivity::leave() {
  frame_transport_->leave();
  directory_.attachment().candidates().leave();
}

void NodeConnectivity::run(std::function<void()> what) {
  if (is_here()) return what();
  environment_.post(std::move(what));
}

void NodeConnectivity::on_fault(const std::string& peer, const net::Closing& why,
                                const net::Link* link) {
  directory_.attachment().on_fault(why, link);
  faults_.note("link to " + peer, why);
}

}  // namespace coracle::society
