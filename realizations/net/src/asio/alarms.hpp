// Alarms on the machine's steady clock.
#pragma once

#include "realizations/net/src/link.hpp"

#include <memory>

namespace boost::asio {
class io_context;
}

namespace coracle::net {

// The thread that runs `context` calls the alarms; `context` outlives them.
std::unique_ptr<Alarms> asio_alarms(boost::asio::io_context& context);

}  // namespace coracle::net
