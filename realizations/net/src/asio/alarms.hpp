// Alarms on the machine's steady clock.
#pragma once

#include "realizations/net/src/link.hpp"

#include <memory>

namespace boost::asio {
class io_context;
}

namespace coracle::net {

// They ring from whoever runs `context`, which outlives them.
std::unique_ptr<Alarms> asio_alarms(boost::asio::io_context& context);

}  // namespace coracle::net
