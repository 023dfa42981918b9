// The server's own node: the custodian of its society. It is like any other, but that it comes in
// by the back door.
#pragma once

#include "coracle/coracle.hpp"
#include "realizations/net/src/asio/doorway.hpp"
#include "realizations/net/src/society/settings.hpp"

#include <memory>
#include <string>

namespace coracle::central {

// `doorway` outlives it.
Realization custodian_realization(const std::string& society, const net::Doorway& doorway,
                                  std::shared_ptr<Custody> custody);

}  // namespace coracle::central
