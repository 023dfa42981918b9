#include "coracle/caf/tender.hpp"

#include "common/attendance.hpp"

#include "coracle/errors.hpp"

#include <algorithm>

namespace coracle::caf {

namespace {

// The greatest number of incidents, and of interim reports, that are kept.
constexpr std::size_t notes_limit = 1000;
// The greatest number of bids of one bidder in each call, on average.
constexpr std::size_t bids_each = 16;
constexpr std::size_t report_limit = std::size_t{1} << 20;

constexpr const char* another_has_it =
    "another agent under your name has accepted it; it ends with that one's lease";

// Returns why no bid of such a contract could be awarded; empty if one could.
std::string fault_of_holding(const Contract& contract) {
  if (contract.bid_holds > contract.bid_within) return {};
  return "its bids expire no later than the bidding ends, so that no award could be accepted; give "
         "a bid_holds above its bid_within";
}

std::string cannot_be_announced(const Contract& contract, const std::string& fault) {
  return "contract '" + contract.subject.substr(0, 80) + "' cannot be announced: " + fault;
}

void check(const Contract& contract, const Procedure& procedure) {
  std::string fault;
  if (contract.items.size() > items_limit) {
    fault = "it has more than " + std::to_string(items_limit) + " items; split it";
  } else if (contract.bid_within <= Duration::zero() || contract.lease <= Duration::zero() ||
             procedure.accept_within <= Duration::zero()) {
    fault = "one of its times is not above zero; give bid_within, lease and accept_within such";
  } else if (procedure.pricing == Pricing::vickrey && !procedure.rule.best()) {
    fault = "Vickrey's prices go with the rules 'highest' and 'lowest' only; take one of these";
  } else if (procedure.reserve && (*procedure.reserve < 0 || *procedure.reserve > amount_limit)) {
    fault = "its reserve is not from 0 to " + std::to_string(amount_limit) + "; give one that is";
  }
  if (fault.empty()) fault = fault_of_holding(contract);
  if (!fault.empty()) throw Error(Errc::bad_options, cannot_be_announced(contract, fault));
}

}  // namespace

std::string Tender::fault_of_terms(const Contract& terms) {
  const std::string fault = fault_of_holding(terms);
  return fault.empty() ? fault : cannot_be_announced(terms, fault);
}

Tender::Tender(Contract contract, Procedure procedure, std::string client,
               std::vector<std::string> invited, Time now)
    : procedure_(std::move(procedure)), begin_(now) {
  check(contract, procedure_);
  record_.client = std::move(client);
  record_.contract = std::move(contract);
  record_.contract.round = 1;
  record_.rule = procedure_.rule.name();
  record_.pricing = procedure_.pricing;
  record_.reserve = procedure_.reserve;
  record_.seed = procedure_.seed;
  record_.invited = std::move(invited);
  record_.settlement.id = record_.contract.id;
  record_.bids.reserve(record_.invited.size());
  outgoing_.reserve(4);
  announce(now);
}

void Tender::announce(Time now) {
  phase_ = TenderPhase::bidding;
  deadline_ = now + record_.contract.bid_within;
  has_answered_.assign(record_.invited.size(), false);
  waiting_for_ = static_cast<std::uint32_t>(record_.invited.size());
  if (waiting_for_ == 0) return close();
  Outgoing message{{}, record_.contract};
  message.to.resize(waiting_for_);
  for (std::uint32_t i = 0; i < waiting_for_; ++i) message.to[i] = i;
  outgoing_.push_back(std::move(message));
}

Time Tender::deadline() const noexcept {
  Time next = phase_ == TenderPhase::over ? Time::max() : deadline_;
  for (const Due& each : due_) next = std::min({next, each.accept, each.lease, each.report});
  return next;
}

std::optional<AwardNumber> Tender::holder(std::size_t item) const noexcept {
  for (const MadeAward& each : record_.awards) {
    if (is_live(each.state) && (each.items >> item & 1U) != 0) return each.number;
  }
  return std::nullopt;
}

MadeAward* Tender::find_award(std::uint32_t bidder, AwardNumber number) noexcept {
  if (number == 0 || number > record_.awards.size()) return nullptr;
  MadeAward& found = record_.awards[number - 1];
  return found.bidder == bidder ? &found : nullptr;
}

bool Tender::is_current(std::uint32_t bidder, AwardNumber number) const noexcept {
  if (number == 0 || number > record_.awards.size()) return false;
  const MadeAward& award = record_.awards[number - 1];
  return award.bidder == bidder &&
         (award.state == AwardState::offered || award.state == AwardState::running);
}

bool Tender::has_live() const noexcept {
  return std::any_of(record_.awards.begin(), record_.awards.end(),
                     [](const MadeAward& each) { return is_live(each.state); });
}

Items Tender::fulfilled() const noexcept {
  Items items = 0;
  for (const MadeAward& each : record_.awards) {
    if (each.state == AwardState::fulfilled) items |= each.items;
  }
  return items;
}

void Tender::note(std::string_view who, std::string_view what, std::string reason, Time now) {
  if (record_.incidents.size() >= notes_limit) return;
  record_.incidents.push_back(
      {std::string(who), std::string(what), std::move(reason), now - begin_});
}

std::string Tender::refuse(std::string_view who, std::string_view what, std::string reason,
                           Time now) {
  note(who, what, reason, now);
  return reason;
}

void Tender::add_outgoing(std::uint32_t to, decltype(Outgoing::what) what) {
  outgoing_.push_back({{to}, std::move(what)});
}

void Tender::note_silent(Time now) {
  for (std::uint32_t bidder = 0; bidder < has_answered_.size(); ++bidder) {
    if (has_answered_[bidder]) continue;
    note(record_.invited[bidder], "silence",
         "it has not answered call " + std::to_string(record_.contract.round) + " in time", now);
  }
}

void Tender::answered(std::uint32_t bidder) {
  if (phase_ != TenderPhase::bidding || has_answered_[bidder]) return;
  has_answered_[bidder] = true;
  if (--waiting_for_ == 0) close();
}

void Tender::take_back(std::uint32_t bidder) {
  for (TakenBid& each : record_.bids) {
    if (each.bidder == bidder && each.until == never) {
      each.until = static_cast<std::uint32_t>(record_.choices.size());
    }
  }
}

std::string Tender::hear(std::uint32_t bidder, const Bid& bid, Time now) {
  on_time(now);
  const std::string& who = record_.invited[bidder];
  if (phase_ == TenderPhase::over) return refuse(who, "bid", "the contract is over", now);
  if (phase_ != TenderPhase::bidding) {
    return refuse(who, "bid", "it is too late: the bidding is closed", now);
  }
  if (bid.round != record_.contract.round) {
    return refuse(who, "bid",
                  "it answers call " + std::to_string(bid.round) + ", and now it is call " +
                      std::to_string(record_.contract.round),
                  now);
  }
  std::string fault = fault_of(bid, record_.contract);
  if (!fault.empty()) return refuse(who, "bid", std::move(fault), now);
  // Most bidders bid once in each call.
  const bool has_bid = has_answered_[bidder];
  for (std::size_t i = 0; has_bid && i < record_.bids.size(); ++i) {
    const TakenBid& each = record_.bids[i];
    const bool is_same = each.bidder == bidder && each.round == bid.round && each.until == never &&
                         each.offerings == bid.offerings && each.text == bid.text;
    if (is_same) return {};
  }
  if (record_.bids.size() >= bids_each * record_.invited.size() * bid.round) {
    return refuse(who, "bid", "too many bids were changed; the last accepted bid counts", now);
  }
  if (has_bid || bid.round > 1) take_back(bidder);
  record_.bids.push_back({bidder, bid.round, bid.offerings, bid.text, now - begin_, never});
  answered(bidder);
  return {};
}

std::string Tender::hear(std::uint32_t bidder, const Decline& decline, Time now) {
  on_time(now);
  if (phase_ == TenderPhase::over || decline.round != record_.contract.round) return {};
  take_back(bidder);
  answered(bidder);
  return {};
}

std::string Tender::hear(std::uint32_t bidder, const Acceptance& acceptance, Time now) {
  on_time(now);
  const std::string& who = record_.invited[bidder];
  MadeAward* award = find_award(bidder, acceptance.award);
  if (award == nullptr) return refuse(who, "acceptance", "you have no such award", now);
  if (award->state == AwardState::revoking) {
    return refuse(who, "acceptance", "the award is revoked: " + award->text, now);
  }
  if (!is_live(award->state)) {
    return refuse(who, "acceptance",
                  std::string("the award is over: it is ") + to_string(award->state), now);
  }
  if (award->state == AwardState::running && award->holder != acceptance.holder) {
    return refuse(who, "acceptance", another_has_it, now);
  }
  award->holder = acceptance.holder;
  Due& due = due_[award->number - 1];
  due.life = acceptance.life;
  const bool begins = award->state == AwardState::offered;
  // Clocks may run at slightly different speeds, so the client waits somewhat longer than the
  // awardee.
  due.lease = now + record_.contract.lease + record_.contract.lease / 8;
  add_outgoing(bidder, Lease{acceptance.contract, award->number, acceptance.asked});
  if (!begins) return {};
  award->state = AwardState::running;
  award->begun = now - begin_;
  due.accept = Time::max();
  if (procedure_.fulfil_within > Duration::zero()) due.report = now + procedure_.fulfil_within;
  const bool is_asking =
      std::any_of(record_.awards.begin(), record_.awards.end(),
                  [](const MadeAward& each) { return each.state == AwardState::offered; });
  if (!procedure_.keep_bids && !is_asking) reject_losers("others have got it");
  return {};
}

std::string Tender::hear(std::uint32_t bidder, const Withdrawal& withdrawal, Time now) {
  on_time(now);
  MadeAward* award = find_award(bidder, withdrawal.award);
  if (award == nullptr) {
    return refuse(record_.invited[bidder], "withdrawal", "you have no such award", now);
  }
  if (!is_live(award->state)) return {};
  if (award->state != AwardState::offered && award->holder != withdrawal.holder) {
    return refuse(record_.invited[bidder], "withdrawal", another_has_it, now);
  }
  if (award->state == AwardState::running) {
    award->bidder_owes = record_.contract.bidder_penalty.after(now - begin_ - award->begun);
    record_.settlement.bidders_owe += award->bidder_owes;
    add_outgoing(bidder, Settled{withdrawal.contract, award->number, 0, award->bidder_owes});
  }
  const AwardState state = award->state == AwardState::offered   ? AwardState::refused
                           : award->state == AwardState::running ? AwardState::withdrawn
                                                                 : AwardState::released;
  finish(*award, state, withdrawal.reason.substr(0, report_limit), now);
  go_on(now);
  return {};
}

std::string Tender::hear(std::uint32_t bidder, const Report& report, Time now) {
  on_time(now);
  const std::string& who = record_.invited[bidder];
  MadeAward* award = find_award(bidder, report.award);
  if (award == nullptr) return refuse(who, "report", "you have no such award", now);
  if (report.text.size() > report_limit) {
    return refuse(who, "report",
                  "its text has more than " + std::to_string(report_limit) + " bytes", now);
  }
  if (is_live(award->state) && award->holder != report.holder &&
      award->state != AwardState::offered) {
    return refuse(who, "report", another_has_it, now);
  }
  if (award->state == AwardState::revoking) {
    std::string fault = refuse(who, "report", "the award is revoked: " + award->text, now);
    if (report.final) finish(*award, AwardState::released, award->text, now);
    if (report.final) go_on(now);
    return fault;
  }
  if (award->state != AwardState::running) {
    return refuse(who, "report",
                  std::string("the award does not run: it is ") + to_string(award->state), now);
  }
  if (!report.final) {
    if (record_.progress.size() >= notes_limit) {
      return refuse(who, "report", "there were too many interim reports", now);
    }
    record_.progress.push_back({award->number, report.text, now - begin_});
    return {};
  }
  add_outgoing(bidder, Settled{report.contract, award->number, report.done ? award->price : 0, 0});
  finish(*award, report.done ? AwardState::fulfilled : AwardState::failed, report.text, now);
  go_on(now);
  return {};
}

std::string Tender::hear(std::uint32_t bidder, const Released& released, Time now) {
  on_time(now);
  MadeAward* award = find_award(bidder, released.award);
  if (award == nullptr) {
    return refuse(record_.invited[bidder], "release", "you have no such award", now);
  }
  if (award->state != AwardState::revoking) return {};
  if (award->holder != released.holder) {
    return refuse(record_.invited[bidder], "release", another_has_it, now);
  }
  finish(*award, AwardState::released, award->text, now);
  go_on(now);
  return {};
}

void Tender::give_up(std::uint32_t bidder, std::string_view why, Time now) {
  if (phase_ == TenderPhase::over) return;
  note(record_.invited[bidder], "silence", std::string(why), now);
  take_back(bidder);
  answered(bidder);
  for (MadeAward& each : record_.awards) {
    if (each.bidder != bidder || each.state != AwardState::offered) continue;
    finish(each, AwardState::lapsed, why, now);
    go_on(now);
    return;
  }
}

void Tender::ended(std::uint32_t bidder, const Ending& ending, Time now) {
  on_time(now);
  if (phase_ == TenderPhase::over) return;
  const std::string why = why_it_is_gone(ending);
  give_up(bidder, why, now);
  const bool has_ended = ending.reason == EndReason::stopped || ending.reason == EndReason::crashed;
  bool changed = false;
  for (MadeAward& each : record_.awards) {
    const bool is_its_own = each.bidder == bidder && is_live(each.state) &&
                            each.state != AwardState::offered &&
                            due_[each.number - 1].life == ending.incarnation;
    if (!is_its_own || !has_ended) continue;
    const bool is_revoked = each.state == AwardState::revoking;
    const std::string text = is_revoked ? each.text : why;
    finish(each, is_revoked ? AwardState::released : AwardState::gone, text, now);
    changed = true;
  }
  if (changed) go_on(now);
}

}  // namespace coracle::caf
