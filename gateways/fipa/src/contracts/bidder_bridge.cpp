#include "coracle/fipa/contracts/bidder_bridge.hpp"

#include "coracle/errors.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace coracle::fipa {

namespace {

using acl::Heard;
using acl::Outcome;
using acl::State;
using Act = acl::Performative;
using Held = caf::Commitments::State;

// The bytes of a result that a client takes, and those of a reason that it is told.
constexpr std::size_t longest_result = std::size_t{1} << 20;
constexpr std::size_t longest_reason = 1024;

// The part of the time for bids that the participant has: its bid also has to travel.
Duration time_of_participant(const caf::Contract& contract) {
  return contract.bid_within - contract.bid_within / 8;
}

}  // namespace

BidderBridge::BidderBridge(Parts parts)
    : parts_(std::move(parts)), commitments_(parts_.capacity, caf::Promises::at_award) {}

template <class Said>
void BidderBridge::tell(const Name& to, Said said) {
  outgoing_.emplace_back(CafMessage{to, Content::of(std::move(said))});
}

void BidderBridge::say(Cases::iterator one, acl::Speech speech, Time now) {
  if (auto message = one->second.session.say(std::move(speech), now))
    outgoing_.emplace_back(*std::move(message));
}

void BidderBridge::decline(const Key& key, std::uint32_t round, std::string reason) {
  tell(key.client, caf::Decline{key.contract, round, std::move(reason)});
}

// --- messages of clients ---

bool BidderBridge::hear(const Name& client, const Content& content, Time now) {
  on_time(now);
  if (content.try_as<caf::Contract>() != nullptr) {
    on_call(client, content, now);
  } else if (const auto* rejection = content.try_as<caf::Rejection>()) {
    on_rejection(client, *rejection, now);
  } else if (const auto* award = content.try_as<caf::Award>()) {
    on_award(client, *award, now);
  } else if (const auto* lease = content.try_as<caf::Lease>()) {
    on_lease(client, *lease, now);
  } else if (const auto* settled = content.try_as<caf::Settled>()) {
    (void)commitments_.drop({client, settled->contract}, settled->award);
  } else if (const auto* end = content.try_as<caf::Termination>()) {
    on_loss(client, end->contract, end->award, end->reason, true, now);
  } else if (const auto* objection = content.try_as<caf::Objection>()) {
    if (objection->is_lost)
      on_loss(client, objection->contract, objection->award, objection->reason, false, now);
  } else {
    return false;
  }
  return true;
}

void BidderBridge::on_call(const Name& client, const Content& call, Time now) {
  const auto& contract = call.as<caf::Contract>();
  const Key key{client, contract.id};
  const bool is_circle =
      client == parts_.name ||
      std::any_of(contract.ancestry.begin(), contract.ancestry.end(),
                  [&](const auto& each) { return each.client == parts_.name.view(); });
  std::string fault = is_circle ? "it is part of a contract of my own" : std::string();
  if (fault.empty()) fault = commitments_.on_call(key, contract);
  if (!fault.empty()) return decline(key, contract.round, std::move(fault));
  // A later call replaces an earlier one.
  if (const auto earlier = find(key); earlier != cases_.end())
    reject(earlier, "there is another call", now);
  if (cases_.size() >= parts_.calls)
    return decline(key, contract.round, "its agent is asked about too many contracts");
  begin(key, call, now);
}

void BidderBridge::begin(const Key& key, const Content& call, Time now) {
  const auto& contract = call.as<caf::Contract>();
  acl::Message cfp;
  try {
    parts_.contents->write_call(contract, cfp);
  } catch (const Error& error) {
    return decline(key, contract.round, error.sentence());
  }
  cfp.performative = Act::cfp;
  cfp.sender = parts_.self;
  cfp.receivers = {parts_.participant};
  cfp.protocol = acl::contract_net_protocol.name;
  cfp.conversation_id = parts_.ids();
  cfp.reply_with = parts_.ids();
  cfp.reply_by = acl::date_from_now(time_of_participant(contract));
  outgoing_.emplace_back(cfp);
  const std::string id = cfp.conversation_id;
  acl::Session session(acl::contract_net_protocol, std::move(cfp), parts_.calendar, now);
  by_contract_[{key.client, key.contract}] = id;
  cases_.emplace(id, Case{key, call, std::move(session)});
}

void BidderBridge::on_rejection(const Name& client, const caf::Rejection& rejection, Time now) {
  const Key key{client, rejection.contract};
  commitments_.reject(key, rejection.round);
  const auto one = find(key);
  if (one == cases_.end() || commitments_.find(key) != nullptr) return;
  if (one->second.call.as<caf::Contract>().round > rejection.round) return;
  reject(one, rejection.reason, now);
}

void BidderBridge::on_award(const Name& client, const caf::Award& award, Time now) {
  const Key key{client, award.contract};
  std::string fault = commitments_.on_award(key, award, now);
  const auto one = find(key);
  if (fault.empty() &&
      (one == cases_.end() || !one->second.session.can_say(Act::accept_proposal))) {
    (void)commitments_.withdraw(key, award.award);
    fault = "the proposal of its agent does not stand any more";
  }
  if (fault.empty()) return accept(key, award.award, now);
  if (one != cases_.end() && commitments_.find(key) == nullptr) reject(one, fault, now);
  tell(client, caf::Withdrawal{award.contract, award.award, std::move(fault), 0});
}

void BidderBridge::accept(const Key& key, caf::AwardNumber award, Time now) {
  tell(key.client,
       caf::Acceptance{key.contract, award, now.time_since_epoch().count(), parts_.holder, life_});
}

void BidderBridge::on_lease(const Name& client, const caf::Lease& lease, Time now) {
  const Key key{client, lease.contract};
  if (!commitments_.on_lease(key, lease, now)) return;
  const caf::Commitments::Commitment& held = *commitments_.find(key);
  const auto one = find(key);
  if (one == cases_.end() || !one->second.session.can_say(Act::accept_proposal))
    return give_back(key, lease.award, "the proposal of its agent does not stand any more");
  const auto& offerings = held.offer.as<caf::Bid>().offerings;
  const auto won = std::find_if(offerings.begin(), offerings.end(),
                                [&](const auto& each) { return each.items == held.items; });
  say(one,
      {Act::accept_proposal,
       parts_.contents->write_award(held.contract(), {won->items, held.price})},
      now);
}

void BidderBridge::give_back(const Key& key, caf::AwardNumber award, std::string reason) {
  if (!commitments_.withdraw(key, award)) return;
  tell(key.client, caf::Withdrawal{key.contract, award, std::move(reason), parts_.holder});
}

void BidderBridge::on_loss(const Name& client, caf::ContractId id, caf::AwardNumber award,
                           const std::string& reason, bool is_to_be_released, Time now) {
  const Key key{client, id};
  const caf::Commitments::Commitment* const held = commitments_.find(key);
  const bool is_it = held != nullptr && award != 0 && held->award == award;
  const bool is_at_work = is_it && held->state == Held::held;
  const auto one = find(key);
  if (is_it) (void)commitments_.drop(key, award);
  if (is_at_work && one != cases_.end()) cancel(one, award, now);
  else if (is_it && one != cases_.end()) reject(one, reason, now);
  if (!is_to_be_released) return;
  // A participant that has not answered the cancel may still work.
  const auto at_work = std::find_if(cases_.begin(), cases_.end(), [&](const auto& each) {
    return each.second.left_award == award && each.second.key == key;
  });
  if (at_work != cases_.end()) at_work->second.is_to_be_released = true;
  else tell(client, caf::Released{id, award, parts_.holder});
}

// --- messages of the participant ---

void BidderBridge::hear(const acl::Message& message, Time now) {
  on_time(now);
  const auto one = cases_.find(message.conversation_id);
  if (one != cases_.end()) {
    if (one->second.session.hear(message, now) != Heard::taken) return;
    if (one->second.session.state() == State::over) on_end(one, true);
    else if (one->second.session.state() == State::proposed) on_proposal(one, now);
    return;
  }
  const bool is_late =
      message.performative == Act::propose && is_same_agent(message.sender, parts_.participant);
  if (!is_late) return;
  acl::Message answer = acl::reply(message, Act::reject_proposal);
  answer.receivers = {parts_.participant};
  answer.sender = parts_.self;
  answer.content = parts_.contents->write_text("the proposal is too late");
  outgoing_.emplace_back(std::move(answer));
}

void BidderBridge::on_proposal(Cases::iterator one, Time now) {
  const Case& the = one->second;
  const auto& contract = the.call.as<caf::Contract>();
  std::string fault;
  Content offer;
  try {
    caf::Bid bid = parts_.contents->read_bid(contract, the.session.heard());
    fault = caf::fault_of(bid, contract);
    if (fault.empty() && commitments_.bid(the.key, the.call, std::move(bid), now, offer)) {
      outgoing_.emplace_back(CafMessage{the.key.client, std::move(offer)});
      return;
    }
  } catch (const Error& error) {
    fault = error.sentence();
  }
  const bool is_understood = fault.empty();
  if (is_understood) fault = "there is no room for it";
  decline(the.key, contract.round, fault);
  say(one,
      {is_understood ? Act::reject_proposal : Act::not_understood,
       parts_.contents->write_text(fault)},
      now);
  forget(one);
}

void BidderBridge::lost(const acl::Message& message, Time now) {
  on_time(now);
  const auto one = cases_.find(message.conversation_id);
  if (one == cases_.end()) return;
  one->second.session.end(Outcome::lost);
  on_end(one, false);
}

std::string BidderBridge::reason_of(const acl::Session& session) const {
  std::string reason = std::string("its agent's answer: ") + to_string(session.outcome());
  if (session.outcome() == Outcome::expired || !acl::has_content(session.heard())) return reason;
  return reason + ", " + parts_.contents->read_text(session.heard()).substr(0, longest_reason);
}

void BidderBridge::on_end(Cases::iterator one, bool is_heard) {
  const Case the = std::move(one->second);
  cases_.erase(one);
  if (the.left_award != 0) {
    // In silence, nobody knows whether the participant has stopped: the client waits for the lease.
    if (the.is_to_be_released && is_heard)
      tell(the.key.client, caf::Released{the.key.contract, the.left_award, parts_.holder});
    return;
  }
  by_contract_.erase({the.key.client, the.key.contract});
  const caf::Commitments::Commitment* const held = commitments_.find(the.key);
  const std::uint32_t round = the.call.as<caf::Contract>().round;
  if (held == nullptr || held->state == Held::bid) {
    commitments_.reject(the.key, round);
    decline(the.key, round, reason_of(the.session));
  } else if (held->state == Held::accepted) {
    give_back(the.key, held->award, reason_of(the.session));
  } else if (held->state == Held::held) {
    report(the.key, held->award, the.session);
  }
}

void BidderBridge::report(const Key& key, caf::AwardNumber award, const acl::Session& session) {
  bool is_done = session.outcome() == Outcome::done;
  std::string text = is_done ? parts_.contents->read_text(session.heard()) : reason_of(session);
  if (text.size() > longest_result) {
    is_done = false;
    text = "the result has " + std::to_string(text.size()) + " bytes, and a report at most " +
           std::to_string(longest_result);
  }
  if (!commitments_.report(key, award)) return;
  tell(key.client, caf::Report{key.contract, award, true, is_done, std::move(text), parts_.holder});
}

// --- ends ---

BidderBridge::Cases::iterator BidderBridge::find(const Key& key) {
  const auto known = by_contract_.find({key.client, key.contract});
  return known == by_contract_.end() ? cases_.end() : cases_.find(known->second);
}

void BidderBridge::reject(Cases::iterator one, const std::string& reason, Time now) {
  say(one, {Act::reject_proposal, parts_.contents->write_text(reason.substr(0, longest_reason))},
      now);
  forget(one);
}

void BidderBridge::forget(Cases::iterator one) {
  by_contract_.erase({one->second.key.client, one->second.key.contract});
  cases_.erase(one);
}

void BidderBridge::cancel(Cases::iterator one, caf::AwardNumber award, Time now) {
  Case& the = one->second;
  const Duration lease = the.call.as<caf::Contract>().lease;
  by_contract_.erase({the.key.client, the.key.contract});
  the.left_award = award;
  the.until = Deadline(lease).at(now);
  if (auto message = the.session.cancel({Act::cancel, {}, lease}, now))
    outgoing_.emplace_back(*std::move(message));
}

void BidderBridge::on_time(Time now) {
  std::vector<std::string> over;
  for (auto& [id, the] : cases_) {
    the.session.on_time(now);
    if (the.session.state() == State::over || now >= the.until) over.push_back(id);
  }
  for (const std::string& id : over) on_end(cases_.find(id), false);
  const caf::Commitments::Chores chores = commitments_.on_time(now);
  for (const auto& [key, award] : chores.renew) accept(key, award, now);
  for (const auto& [key, award] : chores.lost) {
    if (const auto one = find(key); one != cases_.end()) cancel(one, award, now);
  }
  for (const auto& [key, award] : chores.ended) {
    if (const auto one = find(key); one != cases_.end())
      reject(one, "the client has not answered", now);
  }
}

Time BidderBridge::deadline() const noexcept {
  Time next = commitments_.due();
  for (const auto& [id, the] : cases_) next = std::min({next, the.session.deadline(), the.until});
  return next;
}

}  // namespace coracle::fipa
