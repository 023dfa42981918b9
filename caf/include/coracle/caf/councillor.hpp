// Councils of councils (Figure 11 of the paper): a councillor is a peer of one council and
// represents another council there. Tests: tests/voting/council_test.cpp.
#pragma once

#include "coracle/caf/council.hpp"
#include "coracle/caf/peer.hpp"

namespace coracle::caf {

// A peer that votes by the decisions of its own council. It offers the decision of its own council
// among that council's own alternatives. It votes by that council's decision on the agenda: the
// winner first, then the others that won before the tie strategy. It abstains where its own council
// makes no decision.
class Councillor : public Peer {
 public:
  // `own` is the council that the councillor represents. It should take less time than the upper
  // council allows; a councillor waits for it for at most three quarters of that time.
  explicit Councillor(Name own, Random& random = machine_random())
      : Peer(random), own_(std::move(own)) {}

 protected:
  Task<std::vector<std::string>> consider_call(const Call& call) override;
  Task<Ballot> consider_agenda(const Agenda& agenda) override;

 private:
  Task<std::optional<Decision>> ask_own(Motion motion, Duration within);

  Name own_;
};

}  // namespace coracle::caf
