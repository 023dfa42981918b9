// A member of a council (the paper's Peer, section 2.3): derive, say what you propose and how you
// vote. Contract: tests/voting/council_test.cpp.
#pragma once

#include "coracle/caf/decision.hpp"
#include "coracle/caf/participant.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coracle::caf {

// An agent that takes part in decisions of councils, of several at once if they ask it. It may play
// further roles beside this one: then its run() gives each message to attend_in_turn(), or a
// handler of another role gives it to attend().
class Peer : public virtual Participant {
 public:
  // Random numbers, where a council wants some of its voters, come from `random`, which outlives
  // the peer.
  explicit Peer(Random& random = machine_random()) : random_(random) {}

  // Takes part until retire(), or until its node stops.
  Task<> run() override;

 protected:
  // The alternatives that this peer wants to be voted on. Nothing: it has none.
  virtual std::vector<std::string> propose(const Call& call);
  // Its ballot; candidates are places in agenda.alternatives. An empty one abstains.
  virtual Ballot vote(const Agenda& agenda);
  // The same, for a peer that must ask others or compute for long. Otherwise they call the two
  // above. Neither is called once the council does not wait for it any more; on_refusal() is then.
  virtual Task<std::vector<std::string>> consider_call(const Call& call);
  virtual Task<Ballot> consider_agenda(const Agenda& agenda);
  // Told of each result, unless the council keeps it to itself.
  virtual void on_decision(const Decision& decision);
  // Told when something that it sent has no effect, and why.
  virtual void on_refusal(const Refusal& refusal);

  // Takes a council's message, which is answered when its turn has come; false, and nothing
  // happens, when it is something else.
  bool attend_in_turn(Message& message);
  // Answers a council's message now, and returns when that is done.
  Task<bool> attend(const Message& message);

 private:
  // What was answered, so that the same question gets the same answer again.
  struct Given {
    Address council;
    DecisionId id = 0;
    std::uint32_t round = 0;  // 0: proposals
    Content answer;
    Content opening;  // the vote behind a commitment
    bool is_opening = false;  // that is on its way
  };
  static constexpr std::size_t remembered = 64;

  // A question, and when it was read.
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
