#include "store_node.hpp"

#include "realizations/net/src/society/home/socket_home.hpp"
#include "relayed_peers.hpp"

#include <utility>

namespace coracle::central {

namespace {

// The name is the same after the server has started again, so other nodes know at once that the
// earlier incarnation is over.
constexpr const char* store_node_name = "message-store";

}  // namespace

Realization store_node_realization(const std::string& society, const net::Doorway& doorway,
                                   std::shared_ptr<StoreBackend> backend) {
  HomeSettings home;
  home.service = "clearinghouse";
  home.services = {net::Doorway::place()};
  // A client of the doorway is in this process; no key or certificate is needed to prove that.
  home.self = identity_of(society, {}, store_node_name, {});
  home.self.anybody = false;
  home.doorway = &doorway;
  home.links = link_options(peer_patience);
  home.frame_transport = [](NodeConnectivity& connectivity) {
    return std::make_unique<RelayedPeers>(connectivity);
  };
  Realization made = realization_at(std::make_shared<SocketHome>(std::move(home)), nullptr);
  made.name = "central:";
  made.backend = std::move(backend);
  return made;
}

}  // namespace coracle::central
