// A way into a service from a node of its own process: connections that nobody else can make, and
// that need no place in a folder or among the machine's ports.
#pragma once

#include "realizations/net/src/network.hpp"

#include <memory>

namespace boost::asio {
class io_context;
}

namespace coracle::net {

class Doorway {
 public:
  Doorway();
  ~Doorway();

  // Where it is: both networks know it, and nobody else does.
  static Endpoint place();
  // For the service, whose events come from whoever runs `context`: `beside` with one more place to
  // listen at.
  std::unique_ptr<Network> inner(boost::asio::io_context& context, const Clock& clock,
                                 std::unique_ptr<Network> beside) const;
  // For the node: connects to the service and nowhere else.
  std::unique_ptr<Network> outer(boost::asio::io_context& context, const Clock& clock) const;

 private:
  struct Door;
  class Inner;
  class Outer;
  std::shared_ptr<Door> door_;
};

}  // namespace coracle::net
