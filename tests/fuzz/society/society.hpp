// A small society in a simulated world, in which two members are hostile: a service with a policy,
// its custodian if it is a clearinghouse, and two honest nodes with their agents. All of it is real
// but the sockets and the time, so what an input does is done again by the same input.
#pragma once

#include "choices.hpp"
#include "linked_hosts.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace coracle::fuzzed {

class Society {
 public:
  struct Settings {
    test::Linked kind = test::Linked::central;
    std::uint64_t seed = 1;
    bool answers = true;  // the hostile members answer what they are asked
  };
  explicit Society(const Settings& settings);
  ~Society();

  // A hostile member does what the choices say, and some time passes; returns how many frames it
  // said.
  unsigned step(Choices& choose);
  // The hostile members are gone: the honest ones can still talk to each other, and their accounts
  // are in order. Ends the process if not.
  void check();

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace coracle::fuzzed
