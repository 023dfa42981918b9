// One contract on its client's side, as a state machine: what bidders say and the time go in, what
// to tell them and at last a Settlement come out. It sends nothing and knows no clock; Client
// drives it. Contract: caf/tests/tender_test.cpp.
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

// How a client goes about a contract; bidders do not see it.
struct Procedure {
  Procedure() = default;

  // Who wins, and for what price.
  AwardRule rule = Best::highest;
  Pricing pricing = Pricing::first_price;
  // Bids that are worse than this for each item are as good as none.
  std::optional<Amount> reserve;
  // Equal bids: zero takes the one that came first; otherwise they are drawn by this number.
  std::uint64_t seed = 0;
  // How often it is announced at most, and the time between.
  std::uint32_t rounds = 1;
  Duration back_off{};
  // How long the winner of a bid has to accept.
  Duration accept_within = std::chrono::seconds(2);
  // How long an awardee may take until its last report; zero: as long as it likes.
  Duration fulfil_within{};
  // Whether the bids of those who have lost stay open while somebody is at work, to take its place.
  bool keep_bids = false;
};

// Where a contract stands.
enum class Stage : std::uint8_t {
  waiting,   // before it is announced again
  bidding,   // bids are taken
  choosing,  // the client chooses: award(), announce_again() or end()
  awarded,   // somebody has it, or is asked to accept
  over,
};

// Something to be sent.
struct Saying {
  // To those numbers among the bidders.
  std::vector<std::uint32_t> to;
  std::variant<Contract, Award, Lease, Rejection, Termination, Settled> what;
};

// A contract under way. Bidders are numbers among those invited. What somebody says returns why it
// has no effect; empty: it has.
class Tender {
 public:
  // Announces it. Fails with Errc::bad_options for more than 64 items, times that are not positive,
  // bids that do not hold longer than they are taken, or Vickrey's prices by a rule of one's own.
  Tender(Contract contract, Procedure procedure, std::string client,
         std::vector<std::string> invited, Time now);

  // Where it stands, and until when at the latest.
  Stage stage() const noexcept { return stage_; }
  Time deadline() const noexcept;
  const Contract& contract() const noexcept { return record_.contract; }
  const Procedure& procedure() const noexcept { return procedure_; }
  // What has been so far; complete when it is over.
  const ContractRecord& record() const noexcept { return record_; }
  // Whether nothing is to be sent or decided, and no time has changed but for the worse.
  bool is_quiet() const noexcept {
    return sayings_.empty() && (stage_ == Stage::bidding || stage_ == Stage::awarded);
  }
  // What is to be sent, once.
  std::vector<Saying> take_sayings() noexcept { return std::exchange(sayings_, {}); }
  // Whether that award is the bidder's, and not revoked.
  bool is_current(std::uint32_t bidder, AwardNumber number) const noexcept;
  // Who has that item now; nothing: nobody.
  std::optional<AwardNumber> holder(std::size_t item) const noexcept;

  // What bidders say.
  std::string hear(std::uint32_t bidder, const Bid& bid, Time now);
  std::string hear(std::uint32_t bidder, const Decline& decline, Time now);
  std::string hear(std::uint32_t bidder, const Acceptance& acceptance, Time now);
  std::string hear(std::uint32_t bidder, const Withdrawal& withdrawal, Time now);
  std::string hear(std::uint32_t bidder, const Report& report, Time now);
  std::string hear(std::uint32_t bidder, const Released& released, Time now);
  // Something has no effect for a reason that the driver knows: a stranger said it.
  std::string refuse(std::string_view who, std::string_view what, std::string reason, Time now);
  // A bidder cannot be reached, or does not bid for this client any more.
  void give_up(std::uint32_t bidder, std::string_view why, Time now);
  // An agent of a bidder's name has ended. An award that it had accepted is free at once if it has
  // stopped or crashed. If only its node was lost it may be at work still, until its lease ends.
  void ended(std::uint32_t bidder, const Ending& ending, Time now);
  // Does what is due.
  void on_time(Time now);

  // What the client can choose from now.
  Standing standing() const;
  // Ends the call for bids early; what comes later is late.
  void close();
  // In Stage::choosing: awards by the rule. False when it rejects all there is.
  bool award(Time now);
  // In Stage::choosing: rejects all bids, and asks for new ones, maybe for changed terms (number,
  // items and round stay what they must be) after some time. It is over instead if bids for these
  // terms would not hold longer than they are taken.
  void announce_again(Contract terms, Duration after, Time now);
  // An awardee is told to stop, and paid the penalty; somebody else may get its items. False when
  // it has no such award.
  bool terminate(AwardNumber award, std::string reason, Time now);
  // In any stage: it is over; how, follows from what has been done, unless it is cancelled. Those
  // who hold an award are told to stop, and paid the penalty.
  void end(bool cancelled, std::string why, Time now);

 private:
  MadeAward* find_award(std::uint32_t bidder, AwardNumber number) noexcept;
  void announce(Time now);
  void say(std::uint32_t to, decltype(Saying::what) what);
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
  // Who has not answered the present call, which is over.
  void note_silent(Time now);
  // Why it cannot be announced again on such terms; empty: it can.
  static std::string fault_of_terms(const Contract& terms);

  // When something of an award is due.
  struct Due {
    Time accept = Time::max();
    Time lease = Time::max();
    Time report = Time::max();
    Incarnation life = {};  // of the bidder's name, in which it was accepted
  };

  Procedure procedure_;
  ContractRecord record_;
  Stage stage_ = Stage::bidding;
  Time begin_;
  Time deadline_ = Time::max();     // of waiting and bidding
  std::vector<bool> has_answered_;  // in this round
  std::uint32_t waiting_for_ = 0;
  std::vector<Due> due_;  // of each award
  std::vector<Saying> sayings_;
};

}  // namespace coracle::caf
