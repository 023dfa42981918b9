#include "coracle/realizations/distributed.hpp"

#include "carried.hpp"
#include "named_node.hpp"
#include "peers.hpp"
#include "realizations/net/src/society/home/settings.hpp"
#include "realizations/net/src/society/home/socket_home.hpp"

#include <optional>
#include <utility>

namespace coracle::distributed {

namespace {

using Scheme = net::Endpoint::Scheme;

net::Endpoint unix_endpoint(const std::string& path) {
  net::Endpoint endpoint;
  endpoint.scheme = Scheme::unix_socket;
  endpoint.path = path;
  return endpoint;
}

// The place where a node listens whose directory is found by a beacon. There is a key, because
// without a key there is no beacon.
net::Endpoint lan_place(const BeaconPlace& beacon) {
  net::Endpoint place;
  place.scheme = Scheme::tls;
  place.host = beacon.interface.empty() ? "0.0.0.0" : beacon.interface;
  return place;
}

// The places where the node listens, if the options give none.
std::vector<net::Endpoint> places_for(const std::vector<net::Endpoint>& services,
                                      const std::string& socket,
                                      const std::optional<net::Endpoint>& lan) {
  std::vector<net::Endpoint> places = {unix_endpoint(socket)};
  if (lan) places.push_back(*lan);
  for (const net::Endpoint& service : services) {
    if (service.scheme == Scheme::unix_socket) continue;
    net::Endpoint place;
    place.scheme = service.scheme;
    place.host = stays_here(service) ? service.host : "0.0.0.0";
    places.push_back(place);
    break;
  }
  return places;
}

}  // namespace

Realization realization(Options options) {
  return realization_named(std::move(options), random_node_name());
}

Realization realization_named(Options options, const std::string& node) {
  const std::string folder =
      options.folder.empty() ? folder_of(options.society) : std::move(options.folder);
  HomeSettings home;
  home.service = "directory";
  const Proof proof{options.key, options.tls, options.insecure};
  home.services = endpoints_of(options.directories, proof);
  std::optional<net::Endpoint> lan;
  if (home.services.empty()) {
    const std::string path = folder + "/directory";
    const auto beacon = beacon_at(options.beacon, options.key);
    DirectoryOptions own;
    own.society = options.society;
    own.key = options.key;
    own.tls = options.tls;
    own.insecure = options.insecure;
    own.beacon = beacon ? options.beacon : "off";
    if (beacon) lan = lan_place(*beacon);
    if (lan) own.listen = {lan->text()};
    const auto carried = std::make_shared<Carried>(path, std::move(own));
    const auto carry = [carried] { carried->carry(); };
    if (beacon) {
      home.beacon = {.place = *beacon,
                     .keys = net::KeySource(options.key, options.society),
                     .own = unix_endpoint(path),
                     .carry = carry,
                     .on_found = {},
                     .on_reply = {}};
    } else {
      home.look = carry;
      home.services.push_back(unix_endpoint(path));
    }
  }
  const std::string socket = folder + "/" + random_node_name();
  home.listen_at = options.listen.empty() ? places_for(home.services, socket, lan)
                                          : endpoints_of(options.listen, proof);
  std::vector<net::Endpoint> all = home.services;
  all.insert(all.end(), home.listen_at.begin(), home.listen_at.end());
  home.self = identity_of(options.society, proof, node, all);
  home.sockets = socket_options(options.society, proof, options.shared_memory);
  home.links = link_options(peer_patience, options.idle);
  home.lets_take_over = options.takeover;
  home.frame_transport = [](NodeConnectivity& connectivity) {
    return std::make_unique<Peers>(connectivity);
  };
  Realization made =
      realization_at(std::make_shared<SocketHome>(std::move(home)), std::move(options.clock));
  made.name = "distributed:";
  return made;
}

}  // namespace coracle::distributed
