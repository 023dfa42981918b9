// A member of a council (the paper's Peer, section 2.3). Derive from it and define its proposals
// and its votes. Tests: tests/voting/council_test.cpp.
#pragma once

#include "coracle/caf/participant.hpp"
#include "coracle/caf/voting/decision.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::caf {

// An agent that takes part in decisions of councils, of several at once if they call it. It may
// have further roles. Then its run() passes each message to attend_in_turn(), or a handler of
// another role passes the message to attend().
class Peer : public virtual Participant {
 public:
  // `random` gives the random numbers that a council requires of some of its voters. It outlives
  // the peer.
  explicit Peer(Random& random = machine_random()) : random_(random) {}

  // Takes part until retire() is called, or until its node stops.
  Task<> run() override;

 protected:
  // Returns the alternatives that this peer proposes. An empty result proposes none.
  virtual std::vector<std::string> propose(const Call& call);
  // Returns the ballot of this peer; candidates are indices in agenda.alternatives. An empty ballot
  // abstains.
  virtual Ballot vote(const Agenda& agenda);
  // The same two, for a peer that must request something of others or computes for long. By default
  // they call propose() and vote(). Neither is called once the council does not wait for this peer
  // any more; on_refusal() is called then.
  virtual Task<std::vector<std::string>> consider_call(const Call& call);
  virtual Task<Ballot> consider_agenda(const Agenda& agenda);
  // Called with each result that the council announces to its members.
  virtual void on_decision(const Decision& decision);
  // Called when a message that this peer sent has no effect, with the reason.
  virtual void on_refusal(const Refusal& refusal);

  // Takes a council's message, which is handled when its turn has come. Returns false, and does
  // nothing, when the message is not from a council's protocol.
  bool attend_in_turn(Message& message);
  // Handles a council's message now, and returns when that is done.
  Task<bool> attend(const Message& message);

 private:
  // A reply that was sent, so that the same request gets the same reply again.
  struct Given {
    Address council;
    DecisionId id = 0;
    std::uint32_t round = 0;  // 0 for proposals
    Content answer;
    Content opening;          // the vote behind a commitment
    bool is_opening = false;  // true if the opening is being sent
  };
  static constexpr std::size_t remembered = 64;

  // A request of a council, and the time at which it was read.
  struct Asked {
    Address council;
    Content content;
    Time at;
  };
  static Kind kind_of(std::string_view type) noexcept;
  bool is_late(const Asked& asked, Duration within, DecisionId id, std::uint32_t round,
               const char* what);
  Task<> handle(Message kept, Asked asked);
  Task<> answer_call(const Asked& asked, const Call& call);
  Task<> answer_agenda(const Asked& asked, const Agenda& agenda);
  Task<> open_vote(Address council, Content content);
  Given* given(Address council, DecisionId id, std::uint32_t round) noexcept;
  Given& remember(Address council, DecisionId id, std::uint32_t round);

  Random& random_;
  std::vector<Given> given_;
  std::size_t next_ = 0;
};

}  // namespace coracle::caf
