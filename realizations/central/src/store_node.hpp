// The server's own node: the message store of its society. It is like any other node, except that
// it connects through the doorway.
#pragma once

#include "coracle/coracle.hpp"
#include "realizations/net/src/asio/doorway.hpp"
#include "realizations/net/src/society/home/settings.hpp"

#include <memory>
#include <string>

namespace coracle::central {

// `doorway` outlives the realization.
Realization store_node_realization(const std::string& society, const net::Doorway& doorway,
                                   std::shared_ptr<StoreBackend> backend);

}  // namespace coracle::central
