#include "coracle/realizations/distributed.hpp"

#include "carried.hpp"
#include "endpoints_here.hpp"
#include "settings.hpp"
#include "socket_home.hpp"

#include <fmt/format.h>

#include <utility>

namespace coracle::distributed {

namespace {

using Scheme = net::Endpoint::Scheme;

std::string random_name() {
  return fmt::format("node-{:016x}{:016x}", machine_random().next(), machine_random().next());
}

net::Endpoint unix_endpoint(const std::string& path) {
  net::Endpoint endpoint;
  endpoint.scheme = Scheme::unix_socket;
  endpoint.path = path;
  return endpoint;
}

// Where the node listens, if nobody says so.
std::vector<net::Endpoint> places_for(const std::vector<net::Endpoint>& services,
                                      const std::string& socket) {
  std::vector<net::Endpoint> places = {unix_endpoint(socket)};
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
  const std::string folder =
      options.folder.empty() ? folder_of(options.society) : std::move(options.folder);
  const std::string node = random_name();
  std::vector<net::Endpoint> services = endpoints_of(options.directories);
  std::unique_ptr<Carried> carried;
  if (services.empty()) {
    const std::string path = folder + "/directory";
    carried = std::make_unique<Carried>(path, options.society, options.key);
    services.push_back(unix_endpoint(path));
  }
  const auto places = options.listen.empty() ? places_for(services, folder + "/" + node)
                                             : endpoints_of(options.listen);
  std::vector<net::Endpoint> all = services;
  all.insert(all.end(), places.begin(), places.end());
  const auto home =
      std::make_shared<SocketHome>(options, identity_of(options.society, options.key, node, all),
                                   std::move(services), places, std::move(carried));
  Realization made;
  made.name = "distributed:";
  made.transport = local_transport(std::shared_ptr<Links>(home, &home->station().peers()), home);
  made.directory = std::shared_ptr<Directory>(home, &home->station().directory());
  made.queue = mail_queues();
  made.clock = options.clock;
  return made;
}

}  // namespace coracle::distributed
