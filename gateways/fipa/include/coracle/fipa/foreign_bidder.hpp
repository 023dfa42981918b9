// A participant of FIPA's contract net among the bidders of our contracts: a caf::Client invites
// this agent as any other bidder, and an agent of JADE or of another platform bids and does the
// work. Tests: tests/contract_nets/foreign_agents_test.cpp.
#pragma once

#include "coracle/acl/agent_id.hpp"
#include "coracle/acl/settings.hpp"
#include "coracle/agent.hpp"
#include "coracle/clock.hpp"
#include "coracle/fipa/contracts/contents.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace coracle::fipa {

struct ForeignBidderOptions {
  // The participant: an agent of another platform, with its addresses, or of the society.
  acl::AgentId participant;
  std::shared_ptr<const ContractContents> contents = text_contents();
  // The names of agents: fipa::settings(), or the default for a participant of the society.
  acl::Settings settings = {};
  // The units of Contract::size that the participant is trusted to do at a time, and the contracts
  // about which it is asked at a time.
  std::uint64_t capacity = 1000;
  std::size_t calls = 1000;
  // The clients with which it registers, and the properties by which other clients find it.
  std::vector<Name> clients = {};
  Properties properties = {};
};

// One agent for one participant. A client sees the bids, the results and the failures of the
// participant; interim reports and penalties have no place in FIPA. An agent of another platform
// needs a gateway in the society, to which this agent is exposed.
class ForeignBidder final : public Agent {
 public:
  // `random` outlives the agent.
  explicit ForeignBidder(ForeignBidderOptions options, Random& random = machine_random());

  Task<> run() override;

 private:
  ForeignBidderOptions options_;
  Random& random_;
};

}  // namespace coracle::fipa
