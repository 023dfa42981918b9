// One contract on its client's side, as a state machine. Its inputs are messages of bidders and the
// time; its outputs are messages to bidders and finally a Settlement. It sends nothing and has no
// clock; Client drives it. Tests: caf/tests/tender_test.cpp.
#pragma once

#include "coracle/caf/contract_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace coracle::caf {

// The procedure of a client for a contract; bidders do not see it.
struct Procedure {
  Procedure() = default;

  // The rule by which winners are chosen, and the prices that they pay or are paid.
  AwardRule rule = Best::highest;
  Pricing pricing = Pricing::first_price;
  // Bids that are worse than this amount for each item are ignored.
  std::optional<Amount> reserve;
  // The order of equal bids: with zero, the bid that came first wins; otherwise the seed draws
  // among them.
  std::uint64_t seed = 0;
  // The greatest number of announcements, and the time between them.
  std::uint32_t rounds = 1;
  Duration back_off{};
  // The time that the winner of a bid has to accept.
  Duration accept_within = std::chrono::seconds(2);
  // The time that an awardee has until its last report; zero: no limit.
  Duration fulfil_within{};
  // True if the bids of losers stay open while an awardee is at work, so that a loser can replace
  // it.
  bool keep_bids = false;
};

// The phase of a contract.
enum class TenderPhase : std::uint8_t {
  waiting,   // before the contract is announced again
  bidding,   // bids are taken
  choosing,  // the client chooses: award(), announce_again() or end()
  awarded,   // a bidder has an award, or is to accept one
  over,
};

// A message that is to be sent.
struct Outgoing {
  // The numbers of the bidders that receive it.
  std::vector<std::uint32_t> to;
  std::variant<Contract, Award, Lease, Rejection, Termination, Settled> what;
};

// A contract in progress. Bidders are indices among the invited. A function that takes a message
// returns the reason why the message has no effect; empty if it has an effect.
class Tender {
 public:
  // Announces a contract. Fails with Errc::bad_options for more than 64 items, times that are not
  // positive, bids that do not hold longer than they are taken, or Vickrey's prices by a rule of
  // the user's own.
  Tender(Contract contract, Procedure procedure, std::string client,
         std::vector<std::string> invited, Time now);

  // The phase, and the time at which something is due at the latest.
  TenderPhase phase() const noexcept { return phase_; }
  Time deadline() const noexcept;
  const Contract& contract() const noexcept { return record_.contract; }
  const Procedure& procedure() const noexcept { return procedure_; }
  // The record so far; complete when the contract is over.
  const ContractRecord& record() const noexcept { return record_; }
  // Returns true if nothing is to be sent or decided, and no time has changed except to a later
  // one.
  bool is_quiet() const noexcept {
    return outgoing_.empty() && (phase_ == TenderPhase::bidding || phase_ == TenderPhase::awarded);
  }
  // Returns the messages that are to be sent. Each is returned once.
  std::vector<Outgoing> take_outgoing() noexcept { return std::exchange(outgoing_, {}); }
  // Returns true if that award is the bidder's, and not revoked.
  bool is_current(std::uint32_t bidder, AwardNumber number) const noexcept;
  // The award that has that item now; empty if there is none.
  std::optional<AwardNumber> holder(std::size_t item) const noexcept;

  // Handle messages of bidders.
  std::string hear(std::uint32_t bidder, const Bid& bid, Time now);
  std::string hear(std::uint32_t bidder, const Decline& decline, Time now);
  std::string hear(std::uint32_t bidder, const Acceptance& acceptance, Time now);
  std::string hear(std::uint32_t bidder, const Withdrawal& withdrawal, Time now);
  std::string hear(std::uint32_t bidder, const Report& report, Time now);
  std::string hear(std::uint32_t bidder, const Released& released, Time now);
  // Notes a message that has no effect for a reason that the driver knows: a stranger sent it.
  std::string refuse(std::string_view who, std::string_view what, std::string reason, Time now);
  // Notes that a bidder cannot be reached, or does not bid for this client any more.
  void give_up(std::uint32_t bidder, std::string_view why, Time now);
  // Handles the end of an agent with a bidder's name. An award that the agent had accepted is free
  // at once if the agent has stopped or crashed. If only its node was lost, the agent may still be
  // at work until its lease ends.
  void ended(std::uint32_t bidder, const Ending& ending, Time now);
  // Does everything that is due.
  void on_time(Time now);

  // The offers among which the client can choose now.
  Standing standing() const;
  // Ends the call for bids early; later bids are late.
  void close();
  // In TenderPhase::choosing: awards by the rule. Returns false when the rule rejects all offers.
  bool award(Time now);
  // In TenderPhase::choosing: rejects all bids, and calls for new ones after some time. The terms
  // may change, except number, items, ancestry and round, which the tender sets. If bids for these
  // terms would not hold longer than they are taken, the contract is over instead.
  void announce_again(Contract terms, Duration after, Time now);
  // Terminates an award that is offered or running: the bidder receives a termination, with the
  // penalty if the award was running. Another bidder may get the items. Returns false when there is
  // no such award.
  bool terminate(AwardNumber award, std::string reason, Time now);
  // Ends the contract in any phase. The result follows from the work that has been done, unless the
  // contract is cancelled. Bidders with an award receive a termination, with the penalty if the
  // award was running.
  void end(bool cancelled, std::string why, Time now);

 private:
  MadeAward* find_award(std::uint32_t bidder, AwardNumber number) noexcept;
  void announce(Time now);
  void add_outgoing(std::uint32_t to, decltype(Outgoing::what) what);
  void answered(std::uint32_t bidder);
  void take_back(std::uint32_t bidder);
  bool choose(Time now);
  void finish(MadeAward& award, AwardState state, std::string_view text, Time now);
  void go_on(Time now);
  void revoke(MadeAward& award, std::string reason, Amount penalty);
  void reject_losers(std::string reason);
  Items fulfilled() const noexcept;
  bool has_live() const noexcept;
  void over(Ended how, std::string why);
  Ended how_it_ended() const noexcept;
  void note(std::string_view who, std::string_view what, std::string reason, Time now);
  // Notes the bidders that have not replied to the present call, which is over.
  void note_silent(Time now);
  // Returns why the contract cannot be announced again on such terms; empty if it can.
  static std::string fault_of_terms(const Contract& terms);

  // The times at which something of an award is due.
  struct Due {
    Time accept = Time::max();
    Time lease = Time::max();
    Time report = Time::max();
    Incarnation life = {};  // the incarnation of the bidder's name that accepted
  };

  Procedure procedure_;
  ContractRecord record_;
  TenderPhase phase_ = TenderPhase::bidding;
  Time begin_;
  Time deadline_ = Time::max();     // for waiting and bidding
  std::vector<bool> has_answered_;  // in this round
  std::uint32_t waiting_for_ = 0;
  std::vector<Due> due_;  // for each award
  std::vector<Outgoing> outgoing_;
};

}  // namespace coracle::caf
