// A hostile member of a simulated society: it greets as every node does, and then sends the frames
// that an input makes, to the service and to the other nodes.
#pragma once

#include "linked_hosts.hpp"
#include "sayings.hpp"

#include <functional>
#include <memory>
#include <string>

namespace coracle::fuzzed {

class Member {
 public:
  struct Place {
    unsigned host = 0;       // a host of its own
    unsigned directory = 0;  // the host of the society's service
    test::Linked kind = test::Linked::central;
    std::string prefix{};  // of the names that it may register
    bool answers = true;   // replies to others, as honest nodes do
  };
  // Receives the content of each frame that arrives.
  using Reads = std::function<void(std::string_view content)>;

  // `world` outlives it.
  Member(sim::World& world, Place place, Reads reads);
  ~Member();

  // Returns whether it has a lease, and can send frames.
  bool is_ready() const;
  // Restarts on the same host, as a program does that was killed.
  void restart();
  // Sends the frames that the choices make; returns their number.
  unsigned act(Choices& choose);

 private:
  struct Life;

  sim::World& world_;
  const Place place_;
  const Reads reads_;
  std::unique_ptr<Life> life_;
};

}  // namespace coracle::fuzzed
