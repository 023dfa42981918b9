// Councils of councils (Figure 11 of the paper): a councillor is a peer of one council and speaks
// there for another. Contract: tests/voting/council_test.cpp.
#pragma once

#include "coracle/caf/council.hpp"
#include "coracle/caf/peer.hpp"

namespace coracle::caf {

// Offers what its own council decides among its own alternatives, and votes as that council decides
// on the agenda: its winner first, and behind it the others that won before the tie strategy.
// It abstains where its own council has no decision.
class Councillor : public Peer {
 public:
  // `own` is the council that it speaks for. That one should take less time than the upper one
  // gives; a councillor asks it for at most three quarters of that.
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
