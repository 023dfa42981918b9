// A bidder of caf whose bids and whose work are those of a participant of FIPA, as a state machine:
// messages of clients, of the participant, and the time go in; messages to both come out. It sends
// nothing and has no clock; ForeignBidder drives it.
//
//   client           participant           client
//   Contract      -> cfp
//                    propose            -> Bid
//                    refuse, silence    -> Decline
//   Rejection     -> reject-proposal
//   Award                               -> Acceptance
//   Lease         -> accept-proposal       (the first one; the bridge renews it)
//                    inform, failure    -> Report
//   Termination   -> cancel             -> Released, when the participant has answered
//
// The participant is told that it has won only when the client has given a lease, so a contract is
// never accepted twice. A proposal that comes too late is rejected.
// Tests: gateways/fipa/tests/contracts/bidder_bridge_test.cpp.
#pragma once

#include "coracle/acl/protocols/session.hpp"
#include "coracle/caf/contracts/commitments.hpp"
#include "coracle/ending.hpp"
#include "coracle/fipa/contracts/bridge_message.hpp"
#include "coracle/fipa/contracts/contents.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace coracle::fipa {

class BidderBridge {
 public:
  // The two sides, and the means.
  struct Parts {
    // The bridge itself, and the participant, as agents of FIPA; and the bridge's name in the
    // society.
    acl::AgentId self;
    acl::AgentId participant;
    Name name;
    std::shared_ptr<const ContractContents> contents;
    acl::MessageIds ids;
    acl::Calendar calendar = {};
    // The units of Contract::size that the participant is trusted to do at a time.
    std::uint64_t capacity = 1000;
    // The contracts about which it is asked at a time; further ones are declined.
    std::size_t calls = 1000;
    // A number that no other agent has: Acceptance::holder.
    std::uint64_t holder = 1;
  };

  explicit BidderBridge(Parts parts);

  // The incarnation of the bridge's agent, for acceptances.
  void set_life(Incarnation life) noexcept { life_ = life; }
  // Takes a message of a client. Returns false if it has nothing to do with contracts.
  bool hear(const Name& client, const Content& content, Time now);
  // Takes a message of FIPA.
  void hear(const acl::Message& message, Time now);
  // Notes that this message to the participant was not delivered.
  void lost(const acl::Message& message, Time now);
  // Does everything that is due.
  void on_time(Time now);
  // The time at which on_time() is to be called; Time::max() if never.
  Time deadline() const noexcept;
  // Returns the messages that are to be sent. Each is returned once.
  BridgeMessages take_outgoing() noexcept { return std::exchange(outgoing_, {}); }
  // The number of conversations with the participant.
  std::size_t size() const noexcept { return cases_.size(); }

 private:
  using Key = caf::Commitments::Key;
  // A conversation about one call.
  struct Case {
    Key key;
    Content call;
    acl::Session session;
    // For a contract that was lost while the participant worked: the award, whether the client
    // waits for its release, and the time at which the participant is waited for no more.
    caf::AwardNumber left_award = 0;
    bool is_to_be_released = false;
    Time until = Time::max();
  };
  using Cases = std::map<std::string, Case>;  // by conversation-id

  void on_call(const Name& client, const Content& call, Time now);
  void on_award(const Name& client, const caf::Award& award, Time now);
  void on_lease(const Name& client, const caf::Lease& lease, Time now);
  void on_rejection(const Name& client, const caf::Rejection& rejection, Time now);
  void on_loss(const Name& client, caf::ContractId id, caf::AwardNumber award,
               const std::string& reason, bool is_to_be_released, Time now);

  Cases::iterator find(const Key& key);
  void begin(const Key& key, const Content& call, Time now);
  void on_proposal(Cases::iterator one, Time now);
  // The participant's side is over, by a message or in silence.
  void on_end(Cases::iterator one, bool is_heard);
  // The client's side is over before the participant has the contract.
  void reject(Cases::iterator one, const std::string& reason, Time now);
  // The client's side is over while the participant works.
  void cancel(Cases::iterator one, caf::AwardNumber award, Time now);
  void forget(Cases::iterator one);
  void accept(const Key& key, caf::AwardNumber award, Time now);
  void give_back(const Key& key, caf::AwardNumber award, std::string reason);
  void decline(const Key& key, std::uint32_t round, std::string reason);
  std::string reason_of(const acl::Session& session) const;
  void report(const Key& key, caf::AwardNumber award, const acl::Session& session);
  template <class Said>
  void tell(const Name& to, Said said);
  void say(Cases::iterator one, acl::Speech speech, Time now);

  const Parts parts_;
  caf::Commitments commitments_;
  Incarnation life_ = {};
  Cases cases_;
  std::map<std::pair<Name, caf::ContractId>, std::string> by_contract_;
  BridgeMessages outgoing_;
};

}  // namespace coracle::fipa
