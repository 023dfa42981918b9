// A client of our contracts that acts for initiators of FIPA's contract net: an agent of JADE or of
// another platform sends this agent a call for proposals, and each caf::Bidder can bid and do the
// work. Tests: tests/contract_nets/foreign_agents_test.cpp.
#pragma once

#include "coracle/acl/protocols/participations.hpp"
#include "coracle/acl/settings.hpp"
#include "coracle/agent.hpp"
#include "coracle/caf/client.hpp"
#include "coracle/clock.hpp"
#include "coracle/endings.hpp"
#include "coracle/fipa/contracts/contents.hpp"

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace coracle::fipa {

class ClientBridge;

struct ForeignClientOptions {
  // The bidders of each call: by name, registered with this agent, or found by a search.
  caf::Invitation bidders = {};
  // The choice of the bids that are proposed to the initiator, by default the lowest; `pricing` and
  // `keep_bids` have no effect.
  caf::Procedure procedure = lowest();
  std::shared_ptr<const ContractContents> contents = text_contents();
  // The names of agents: fipa::settings(), or the default for initiators of the society.
  acl::Settings settings = {};
  // The most time for bids, and the time that an initiator has to accept a proposal.
  Duration bid_within = std::chrono::seconds(5);
  Duration accept_within = std::chrono::seconds(30);
  acl::Participations::Limits limits = {};
  // The properties by which initiators find it, also in a directory facilitator: "service".
  Properties properties = {};

  static caf::Procedure lowest() {
    caf::Procedure procedure;
    procedure.rule = caf::Best::lowest;
    return procedure;
  }
};

// One agent for any number of initiators. It proposes the best bids together, as one proposal. With
// one bidder in `bidders`, that bidder is a participant of its own, and initiators choose. An
// initiator of another platform needs a gateway in the society, to which this agent is exposed.
class ForeignClient final : public Agent {
 public:
  // `random` outlives the agent.
  explicit ForeignClient(ForeignClientOptions options, Random& random = machine_random());
  ~ForeignClient() override;

  Task<> run() override;

 private:
  Task<> take(Message message);
  Task<> on_registration(const Message& message);
  Task<std::vector<Name>> invited();
  Task<> send();
  void attend(const Name& awardee);
  Task<> look_for(Name awardee);
  Task<> listen();

  ForeignClientOptions options_;
  Random& random_;
  std::unique_ptr<ClientBridge> bridge_;
  std::vector<std::pair<Name, Properties>> registered_;
  std::unique_ptr<Endings> endings_;
  std::deque<Name> watched_;
};

}  // namespace coracle::fipa
