// A small society in a simulated world with two hostile members: a service with a policy, its
// message store if the service is a clearinghouse, and two honest nodes with their agents.
// Everything is real except the sockets and the time, so the same input has the same effect again.
#pragma once

#include "choices.hpp"
#include "tests/simulation/linked/linked_hosts.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace coracle::fuzzed {

class Society {
 public:
  struct Settings {
    test::Linked kind = test::Linked::central;
    std::uint64_t seed = 1;
    bool answers = true;  // the hostile members reply to requests
    bool hurries = false;  // time seldom passes between what they send
  };
  explicit Society(const Settings& settings);
  ~Society();

  // A hostile member sends the frames that the choices make, and some time passes; returns their
  // number.
  unsigned step(Choices& choose);
  // The hostile members are gone: the honest ones must still be able to exchange messages, and
  // their ledgers must be balanced. Otherwise ends the process.
  void check();

 private:
  struct Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace coracle::fuzzed
