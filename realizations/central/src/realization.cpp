#include "coracle/realizations/central.hpp"

#include "realizations/net/src/society/home/settings.hpp"
#include "realizations/net/src/society/home/socket_home.hpp"
#include "relayed_peers.hpp"

#include <utility>

namespace coracle::central {

namespace {

void check(const Delivery& delivery) {
  if (delivery.interval <= Duration::zero())
    throw Error(Errc::bad_options, "Delivery::interval is not above 0; give it at least 1us");
  if (delivery.most == 0) throw Error(Errc::bad_options, "Delivery::most is 0; give at least 1");
}

}  // namespace

Realization realization(Options options) {
  if (options.server.empty())
    throw Error(Errc::bad_options,
                "a node of a Central society needs a server; give Options::server a place such as "
                "127.0.0.1:4410");
  check(options.delivery);
  HomeSettings home;
  home.service = "clearinghouse";
  const Proof proof{options.key, options.tls, options.insecure};
  refuse_two_proofs(proof);
  home.services = {endpoint_of(options.server, proof)};
  home.self = identity_of(options.society, proof, random_node_name(), home.services);
  home.sockets = socket_options(options.society, proof, options.shared_memory);
  home.links = link_options(peer_patience);
  home.lets_take_over = options.takeover;
  home.frame_transport = [delivery = options.delivery](NodeConnectivity& connectivity) {
    return std::make_unique<RelayedPeers>(connectivity, delivery);
  };
  Realization made =
      realization_at(std::make_shared<SocketHome>(std::move(home)), std::move(options.clock));
  made.name = "central:";
  made.stores = options.durable;
  made.matching = options.matching;
  return made;
}

}  // namespace coracle::central
