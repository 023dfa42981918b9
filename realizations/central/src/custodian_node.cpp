#include "custodian_node.hpp"

#include "realizations/net/src/society/socket_home.hpp"
#include "relayed_peers.hpp"

#include <utility>

namespace coracle::central {

namespace {

// The same after the server has begun again: so others know at once that the earlier one is over.
constexpr const char* custodian_name = "custodian";

}  // namespace

Realization custodian_realization(const std::string& society, const net::Doorway& doorway,
                                  std::shared_ptr<Custody> custody) {
  HomeSettings home;
  home.service = "clearinghouse";
  home.services = {net::Doorway::place()};
  // Who comes by the doorway is of this process; neither a key nor a certificate says so.
  home.self = identity_of(society, {}, custodian_name, {});
  home.self.anybody = false;
  home.doorway = &doorway;
  home.links = link_options(peer_patience);
  home.traffic = [](Station& station) { return std::make_unique<RelayedPeers>(station); };
  Realization made = realization_at(std::make_shared<SocketHome>(std::move(home)), nullptr);
  made.name = "central:";
  made.custody = std::move(custody);
  return made;
}

}  // namespace coracle::central
