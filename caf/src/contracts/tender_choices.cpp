// The progress of a contract: time passes, awards are made and end.
#include "coracle/caf/tender.hpp"

#include <algorithm>

namespace coracle::caf {

void Tender::on_time(Time now) {
  if (phase_ == TenderPhase::over) return;
  if (now >= deadline_) {
    if (phase_ == TenderPhase::bidding) {
      note_silent(now);
      close();
    } else if (phase_ == TenderPhase::waiting) {
      announce(now);
    }
  }
  bool changed = false;
  for (std::size_t i = 0; i < due_.size(); ++i) {
    MadeAward& award = record_.awards[i];
    const Due due = due_[i];
    if (now >= due.accept) {
      finish(award, AwardState::lapsed, "it did not answer in time", now);
      changed = true;
    } else if (now >= due.lease) {
      const bool is_revoked = award.state == AwardState::revoking;
      const std::string text = is_revoked ? award.text : "its lease has expired";
      finish(award, is_revoked ? AwardState::released : AwardState::expired, text, now);
      changed = true;
    } else if (now >= due.report) {
      revoke(award, "it took too long", 0);
    }
  }
  if (changed) go_on(now);
}

void Tender::close() {
  if (phase_ != TenderPhase::bidding) return;
  phase_ = TenderPhase::choosing;
  deadline_ = Time::max();
}

Standing Tender::standing() const {
  return standing_at(record_, static_cast<std::uint32_t>(record_.choices.size() + 1));
}

bool Tender::choose(Time now) {
  const Standing standing = this->standing();
  if (standing.offers.empty()) return false;
  record_.choices.push_back(record_.contract.round);
  const std::vector<std::uint32_t> chosen =
      procedure_.rule.choose(standing.offers, standing.free, procedure_.reserve);
  std::vector<Amount> prices;
  if (procedure_.pricing == Pricing::vickrey) {
    prices = vickrey_prices(standing.offers, standing.free, {chosen, true},
                            {*procedure_.rule.best(), procedure_.reserve});
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Offer& offer = standing.offers[chosen[i]];
    MadeAward made;
    made.number = static_cast<AwardNumber>(record_.awards.size() + 1);
    made.choice = static_cast<std::uint32_t>(record_.choices.size());
    made.bidder = offer.bidder;
    made.items = offer.items;
    made.amount = offer.amount;
    made.price = prices.empty() ? offer.amount : prices[i];
    made.made = now - begin_;
    add_outgoing(offer.bidder, Award{record_.contract.id, record_.contract.round, made.number,
                                     made.items, made.amount, made.price});
    record_.awards.push_back(std::move(made));
    due_.emplace_back().accept = now + procedure_.accept_within;
  }
  return !chosen.empty();
}

bool Tender::award(Time now) {
  if (phase_ != TenderPhase::choosing || !choose(now)) return false;
  phase_ = TenderPhase::awarded;
  return true;
}

void Tender::finish(MadeAward& award, AwardState state, std::string_view text, Time now) {
  award.state = state;
  award.text = std::string(text);
  award.ended = now - begin_;
  award.until = static_cast<std::uint32_t>(record_.choices.size());
  due_[award.number - 1] = Due();
}

// Continues after an award has ended: with the next best bid, or with a choice by the client.
void Tender::go_on(Time now) {
  if (phase_ != TenderPhase::awarded) return;
  if (fulfilled() == record_.contract.all()) return over(Ended::fulfilled, {});
  if (choose(now) || has_live()) return;
  phase_ = TenderPhase::choosing;
}

void Tender::revoke(MadeAward& award, std::string reason, Amount penalty) {
  award.state = AwardState::revoking;
  award.text = reason;
  award.client_owes = penalty;
  record_.settlement.client_owes += penalty;
  Due& due = due_[award.number - 1];
  due.accept = due.report = Time::max();
  add_outgoing(award.bidder,
               Termination{record_.contract.id, award.number, std::move(reason), penalty});
}

bool Tender::terminate(AwardNumber number, std::string reason, Time now) {
  on_time(now);
  if (number == 0 || number > record_.awards.size()) return false;
  MadeAward& award = record_.awards[number - 1];
  if (award.state == AwardState::offered) {
    // The bidder has no lease, and will not get one.
    add_outgoing(award.bidder, Termination{record_.contract.id, number, reason, 0});
    finish(award, AwardState::terminated, reason, now);
    go_on(now);
    return true;
  }
  if (award.state != AwardState::running) return false;
  const Duration ran = now - begin_ - award.begun;
  revoke(award, std::move(reason), record_.contract.client_penalty.after(ran));
  return true;
}

void Tender::reject_losers(std::string reason) {
  Outgoing message{{}, Rejection{record_.contract.id, record_.contract.round, std::move(reason)}};
  message.to.reserve(record_.bids.size());
  for (TakenBid& each : record_.bids) {
    if (each.until != never) continue;
    const bool has_won =
        std::any_of(record_.awards.begin(), record_.awards.end(), [&](const MadeAward& award) {
          return award.bidder == each.bidder &&
                 (is_live(award.state) || award.state == AwardState::fulfilled);
        });
    each.until = static_cast<std::uint32_t>(record_.choices.size());
    if (!has_won) message.to.push_back(each.bidder);
  }
  if (!message.to.empty()) outgoing_.push_back(std::move(message));
}

void Tender::announce_again(Contract terms, Duration after, Time now) {
  if (phase_ != TenderPhase::choosing) return;
  if (const std::string fault = fault_of_terms(terms); !fault.empty())
    return end(false, fault, now);
  reject_losers("all bids are rejected, and there will be another call");
  const Contract& old = record_.contract;
  terms.id = old.id;
  terms.items = old.items;
  terms.ancestry = old.ancestry;
  terms.round = old.round + 1;
  terms.bid_within = std::max(terms.bid_within, Duration(1));
  terms.lease = std::max(terms.lease, Duration(1));
  record_.contract = std::move(terms);
  if (after <= Duration::zero()) return announce(now);
  phase_ = TenderPhase::waiting;
  deadline_ = now + after;
}

Ended Tender::how_it_ended() const noexcept {
  const Items done = fulfilled();
  if (done == record_.contract.all()) return Ended::fulfilled;
  if (done != 0) return Ended::partly;
  if (!record_.awards.empty()) return Ended::failed;
  return record_.bids.empty() ? Ended::no_bids : Ended::rejected;
}

void Tender::end(bool cancelled, std::string why, Time now) {
  if (phase_ == TenderPhase::over) return;
  for (MadeAward& each : record_.awards) {
    if (!is_live(each.state)) continue;
    if (each.state == AwardState::running) {
      each.client_owes = record_.contract.client_penalty.after(now - begin_ - each.begun);
      record_.settlement.client_owes += each.client_owes;
    }
    const Amount penalty = each.state == AwardState::running ? each.client_owes : 0;
    if (each.state != AwardState::revoking) {
      add_outgoing(each.bidder, Termination{record_.contract.id, each.number, why, penalty});
    }
    finish(each, AwardState::terminated, why, now);
  }
  over(cancelled ? Ended::cancelled : how_it_ended(), std::move(why));
}

void Tender::over(Ended how, std::string why) {
  Settlement& settlement = record_.settlement;
  settlement.ended = how;
  settlement.why = std::move(why);
  for (const MadeAward& each : record_.awards) {
    if (each.state != AwardState::fulfilled) continue;
    settlement.parts.push_back({record_.invited[each.bidder], each.items, each.price, each.text});
  }
  reject_losers("the contract is over");
  if (phase_ == TenderPhase::bidding) {
    // Bidders that have not replied need not do so any more.
    Outgoing message{{}, Rejection{record_.contract.id, record_.contract.round, settlement.why}};
    for (std::uint32_t i = 0; i < has_answered_.size(); ++i) {
      if (!has_answered_[i]) message.to.push_back(i);
    }
    if (!message.to.empty()) outgoing_.push_back(std::move(message));
  }
  phase_ = TenderPhase::over;
  deadline_ = Time::max();
}

}  // namespace coracle::caf
