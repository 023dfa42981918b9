// A foreign agent among the peers of councils: it proposes alternatives and votes, if its card has
// the extension that docs/a2a-roles.md describes.
// Tests: gateways/a2a/tests/roles/foreign_roles_test.cpp
#pragma once

#include "coracle/caf/peer.hpp"

#include <string>
#include <vector>

namespace coracle::a2a {

// A call and an agenda become a task of the foreign agent each. If its answer cannot be used, it
// proposes nothing, and abstains.
class ForeignPeer : public caf::Peer {
 public:
  // `agent` is the name of a ForeignAgent. `random` outlives the peer.
  explicit ForeignPeer(Name agent, Random& random = machine_random());

 protected:
  coracle::Task<std::vector<std::string>> consider_call(const caf::Call& call) override;
  coracle::Task<caf::Ballot> consider_agenda(const caf::Agenda& agenda) override;

 private:
  const Name agent_;
};

}  // namespace coracle::a2a
