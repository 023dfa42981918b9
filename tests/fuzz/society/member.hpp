// A hostile member of a simulated society: it greets as every node does, and then says what an
// input makes it say, to the service and to the other nodes.
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
    unsigned host = 0;       // its own, on which nothing else is
    unsigned directory = 0;  // that of the society's service
    test::Linked kind = test::Linked::central;
    std::string prefix{};  // of names that it may register
    bool answers = true;   // what others ask it, as honest nodes do
  };
  // Told of the content of each frame that comes.
  using Reads = std::function<void(std::string_view content)>;

  // `world` outlives it.
  Member(sim::World& world, Place place, Reads reads);
  ~Member();

  // Whether it has a lease, and can say something.
  bool is_ready() const;
  // Begins anew, on the same host, as a program does that was killed.
  void restart();
  // Says what the choices say; returns how many frames that were.
  unsigned act(Choices& choose);

 private:
  struct Life;

  sim::World& world_;
  const Place place_;
  const Reads reads_;
  std::unique_ptr<Life> life_;
};

}  // namespace coracle::fuzzed
