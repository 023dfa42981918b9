// A connection into a service from a node of its own process. Nobody else can connect there, and it
// needs neither a file in a folder nor a port of the machine.
#pragma once

#include "realizations/net/src/byte_network.hpp"

#include <memory>

namespace boost::asio {
class io_context;
}

namespace coracle::net {

class Doorway {
 public:
  Doorway();
  ~Doorway();

  // The endpoint of the service: only these two networks know it.
  static Endpoint place();
  // The network of the service: `beside` with one more endpoint to listen at. Its events come on
  // the thread that runs `context`.
  std::unique_ptr<Network> inner(boost::asio::io_context& context, const Clock& clock,
                                 std::unique_ptr<Network> beside) const;
  // The network of the node: it connects to the service and nowhere else.
  std::unique_ptr<Network> outer(boost::asio::io_context& context, const Clock& clock) const;

 private:
  struct Door;
  class Inner;
  class Outer;
  std::shared_ptr<Door> door_;
};

}  // namespace coracle::net
