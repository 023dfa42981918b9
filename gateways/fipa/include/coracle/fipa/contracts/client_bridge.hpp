// A client of caf that acts for initiators of FIPA, as a state machine: messages of initiators, of
// bidders, and the time go in; messages to both come out. It sends nothing and has no clock;
// ForeignClient drives it.
//
//   initiator           bidders              initiator
//   cfp              -> Contract
//                       Bid, Decline      -> propose the best bids, or refuse
//   accept-proposal  -> Award, Lease
//                       Report            -> inform, failure
//   reject-proposal  -> Rejection
//   cancel           -> Termination       -> inform: it is cancelled
//
// No bidder has an award before the initiator has accepted. An award costs what was proposed: if a
// bid was taken back meanwhile, the initiator gets a failure. An acceptance that comes too late
// gets one, too. Tests: gateways/fipa/tests/contracts/client_bridge_test.cpp.
#pragma once

#include "coracle/acl/protocols/participations.hpp"
#include "coracle/caf/contracts/tender.hpp"
#include "coracle/fipa/contracts/bridge_message.hpp"
#include "coracle/fipa/contracts/contents.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::fipa {

class ClientBridge {
 public:
  // The bridge's side of the contracts, and the means.
  struct Parts {
    // The bridge as an agent of FIPA, and its name in the society.
    acl::AgentId self;
    Name name;
    std::shared_ptr<const ContractContents> contents;
    // The choice among the bids; `pricing` and `keep_bids` have no effect.
    caf::Procedure procedure = {};
    // The most time for bids, also for a call without a reply-by; three quarters of the time of a
    // shorter one. And the time that an initiator has to accept.
    Duration bid_within = std::chrono::seconds(5);
    Duration accept_within = std::chrono::seconds(30);
    acl::MessageIds ids;
    acl::Calendar calendar = {};
    acl::Participations::Limits limits = {};
    // The number of the first contract, which no other client under that name has used.
    caf::ContractId first = 1;
  };

  explicit ClientBridge(Parts parts);

  // Takes a message of FIPA. If it is a call, `bidders` are invited to bid.
  void hear(const acl::Message& message, const std::vector<Name>& bidders, Time now);
  // Takes a message of a bidder. Returns false if it has nothing to do with contracts.
  bool hear(const Name& bidder, const Content& content, Time now);
  // Notes that messages to a bidder or to an initiator do not arrive.
  void unreachable(const Name& bidder, std::string_view why, Time now);
  void lost(const acl::Message& message, Time now);
  // Handles the end of an agent with a bidder's name.
  void ended(const Ending& ending, Time now);
  // Does everything that is due.
  void on_time(Time now);
  // The time at which on_time() is to be called; Time::max() if never.
  Time deadline() const noexcept;
  // Returns the messages that are to be sent. Each is returned once.
  BridgeMessages take_outgoing() noexcept { return std::exchange(outgoing_, {}); }
  // The number of contracts under way.
  std::size_t size() const noexcept { return cases_.size(); }

 private:
  // The amount that an initiator was asked for; nothing before.
  struct Agreed {
    std::optional<caf::Amount> amount;
  };
  struct Case {
    acl::Session* session;  // until it is closed
    caf::Tender tender;
    std::vector<Name> bidders;
    std::shared_ptr<Agreed> agreed;
  };
  using Cases = std::map<caf::ContractId, Case>;

  void open(acl::Session& session, const std::vector<Name>& bidders, Time now);
  caf::Contract contract_for(const acl::Session& session, Time now) const;
  caf::AwardRule rule(std::shared_ptr<const Agreed> agreed) const;
  void on_taken(Cases::iterator one, const std::vector<Name>& bidders, Time now);
  // Does what follows from the state of both sides, until nothing does.
  void go_on(Cases::iterator one, Time now);
  void go_on(caf::ContractId id, Time now);
  void choose(Case& the, Time now);
  void propose(Case& the, Time now);
  void finish(Case& the, Time now);
  void flush(Case& the);
  void stop(Cases::iterator one, const std::string& why, Time now);
  Cases::iterator find(const acl::Session& session);
  template <class Said>
  void hear(const Name& bidder, const Said& said, caf::AwardNumber award, std::string_view what,
            Time now);
  void say(acl::Session& session, acl::Performative act, std::string_view text, Time now);
  void answer(const acl::Message& message, acl::Performative act, std::string_view text);

  const Parts parts_;
  acl::Participations sessions_;
  Cases cases_;
  caf::ContractId last_;
  BridgeMessages outgoing_;
};

}  // namespace coracle::fipa
