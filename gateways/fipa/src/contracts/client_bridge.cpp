#include "coracle/fipa/contracts/client_bridge.hpp"

#include "coracle/errors.hpp"

#include <algorithm>
#include <tuple>
#include <type_traits>
#include <variant>

namespace coracle::fipa {

namespace {

using acl::Heard;
using acl::State;
using caf::TenderPhase;
using Act = acl::Performative;
using Found = acl::Participations::Found;

constexpr std::size_t longest_reason = 1024;
// The time for an award to travel, which a bid stands beyond the time to accept.
constexpr Duration travel = std::chrono::seconds(2);

std::optional<std::uint32_t> number_of(const std::vector<Name>& bidders, const Name& who) {
  const auto found = std::find(bidders.begin(), bidders.end(), who);
  if (found == bidders.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - bidders.begin());
}

// The result of a contract: that of its only part, or a line for each.
std::string result_of(const caf::Settlement& settlement) {
  if (settlement.parts.size() == 1) return settlement.parts.front().result;
  std::string text;
  for (const auto& each : settlement.parts) text += each.bidder + ": " + each.result + "\n";
  return text;
}

std::string failure_of(const caf::ContractRecord& record) {
  const bool has_award = !record.awards.empty() && !record.awards.back().text.empty();
  std::string why = has_award ? record.awards.back().text : record.settlement.why;
  return why.substr(0, longest_reason);
}

}  // namespace

ClientBridge::ClientBridge(Parts parts)
    : parts_(std::move(parts)),
      sessions_(parts_.self, parts_.ids, parts_.calendar, parts_.limits),
      last_(parts_.first - 1) {}

// --- messages of initiators ---

void ClientBridge::hear(const acl::Message& message, const std::vector<Name>& bidders, Time now) {
  on_time(now);
  const acl::Participations::Hearing heard = sessions_.hear(message, now);
  switch (heard.found) {
    case Found::begun:
      return open(*heard.session, bidders, now);
    case Found::no_room:
      return answer(message, Act::refuse, "there are too many contracts under way");
    case Found::nothing:
      if (message.performative == Act::accept_proposal)
        answer(message, Act::failure, "the proposal does not stand any more");
      return;
    case Found::session:
      break;
  }
  const auto one = find(*heard.session);
  if (one == cases_.end()) return;
  if (heard.heard == Heard::taken) return on_taken(one, bidders, now);
  if (heard.heard != Heard::cancel_asked) return;
  if (auto done = heard.session->answer_cancel(true, {}, now)) outgoing_.emplace_back(*done);
  stop(one, "the initiator has cancelled it", now);
}

void ClientBridge::on_taken(Cases::iterator one, const std::vector<Name>& bidders, Time now) {
  acl::Session& session = *one->second.session;
  if (session.state() == State::over) return stop(one, "its proposal is rejected", now);
  if (session.state() == State::agreed) return go_on(one, now);
  // A further call of an iterated contract net.
  one->second.tender.end(true, "there is another call", now);
  flush(one->second);
  cases_.erase(one);
  open(session, bidders, now);
}

// The times follow from the call: bids come back before the initiator's time ends.
caf::Contract ClientBridge::contract_for(const acl::Session& session, Time now) const {
  caf::Contract contract = parts_.contents->read_call(session.heard());
  contract.id = last_;
  contract.bid_within = parts_.bid_within;
  if (session.deadline() != Time::max()) {
    const Duration left = (session.deadline() - now) / 4 * 3;
    contract.bid_within = std::clamp(left, Duration(1), parts_.bid_within);
  }
  contract.bid_holds = contract.bid_within + parts_.accept_within + travel;
  return contract;
}

// The client's own rule until a proposal is made; then only bids that cost the same together.
caf::AwardRule ClientBridge::rule(std::shared_ptr<const Agreed> agreed) const {
  const auto& [own, reserve] = std::tie(parts_.procedure.rule, parts_.procedure.reserve);
  return {own.name(), [own = own, reserve = reserve, agreed](std::span<const caf::Offer> offers,
                                                             caf::Items free) {
            std::vector<std::uint32_t> chosen = own.choose(offers, free, reserve);
            caf::Amount sum = 0;
            for (const std::uint32_t each : chosen) sum += offers[each].amount;
            if (agreed->amount && sum != *agreed->amount) chosen.clear();
            return chosen;
          }};
}

void ClientBridge::open(acl::Session& session, const std::vector<Name>& bidders, Time now) {
  const bool is_net = &session.protocol() == &acl::contract_net_protocol ||
                      &session.protocol() == &acl::iterated_contract_net_protocol;
  Act act = Act::not_understood;
  std::string fault = "this agent takes part in contract nets only";
  try {
    if (is_net) {
      ++last_;
      caf::Contract contract = contract_for(session, now);
      act = Act::refuse;
      auto agreed = std::make_shared<Agreed>();
      caf::Procedure procedure = parts_.procedure;
      procedure.rule = rule(agreed);
      procedure.pricing = caf::Pricing::first_price;
      procedure.keep_bids = false;
      std::vector<std::string> names;
      for (const Name& each : bidders) names.push_back(each.str());
      caf::Tender tender(std::move(contract), std::move(procedure), parts_.name.str(),
                         std::move(names), now);
      const auto one =
          cases_.emplace(last_, Case{&session, std::move(tender), bidders, std::move(agreed)});
      return go_on(one.first, now);
    }
  } catch (const Error& error) {
    fault = error.sentence();
  }
  say(session, act, fault, now);
  sessions_.remove(session);
}

void ClientBridge::lost(const acl::Message& message, Time now) {
  on_time(now);
  const auto one = std::find_if(cases_.begin(), cases_.end(), [&](const auto& each) {
    const acl::Session& session = *each.second.session;
    return session.opening().conversation_id == message.conversation_id &&
           !message.receivers.empty() &&
           is_same_agent(session.partner(), message.receivers.front());
  });
  if (one == cases_.end()) return;
  one->second.session->end(acl::Outcome::lost);
  stop(one, "the initiator cannot be reached", now);
}

// --- messages of bidders ---

bool ClientBridge::hear(const Name& bidder, const Content& content, Time now) {
  on_time(now);
  if (const auto* bid = content.try_as<caf::Bid>()) {
    hear(bidder, *bid, 0, "bid", now);
  } else if (const auto* decline = content.try_as<caf::Decline>()) {
    hear(bidder, *decline, 0, "refusal", now);
  } else if (const auto* acceptance = content.try_as<caf::Acceptance>()) {
    hear(bidder, *acceptance, acceptance->award, "acceptance", now);
  } else if (const auto* report = content.try_as<caf::Report>()) {
    hear(bidder, *report, report->award, "report", now);
  } else if (const auto* withdrawal = content.try_as<caf::Withdrawal>()) {
    hear(bidder, *withdrawal, withdrawal->award, "withdrawal", now);
  } else if (const auto* released = content.try_as<caf::Released>()) {
    hear(bidder, *released, released->award, "release", now);
  } else {
    return false;
  }
  return true;
}

template <class Said>
void ClientBridge::hear(const Name& bidder, const Said& said, caf::AwardNumber award,
                        std::string_view what, Time now) {
  const auto one = cases_.find(said.contract);
  std::string fault = "there is no such contract, or it is over";
  bool is_lost = award != 0;
  if (one != cases_.end()) {
    const auto number = number_of(one->second.bidders, bidder);
    fault = "you were not invited to bid for it";
    if (number) {
      fault = one->second.tender.hear(*number, said, now);
      is_lost = is_lost && !one->second.tender.is_current(*number, award);
      go_on(one, now);
    }
  } else if (std::is_same_v<Said, caf::Released> || std::is_same_v<Said, caf::Decline>) {
    return;  // a bidder that has stopped, or declines, need not know that
  }
  if (fault.empty()) return;
  caf::Objection objection{said.contract, award, std::string(what), std::move(fault), is_lost};
  outgoing_.emplace_back(CafMessage{bidder, Content::of(std::move(objection))});
}

void ClientBridge::unreachable(const Name& bidder, std::string_view why, Time now) {
  std::vector<caf::ContractId> touched;
  for (auto& [id, the] : cases_) {
    const auto number = number_of(the.bidders, bidder);
    if (!number) continue;
    the.tender.give_up(*number, why, now);
    touched.push_back(id);
  }
  for (const caf::ContractId each : touched) go_on(each, now);
}

void ClientBridge::ended(const Ending& ending, Time now) {
  std::vector<caf::ContractId> touched;
  for (auto& [id, the] : cases_) {
    const auto number = number_of(the.bidders, ending.name);
    if (!number) continue;
    the.tender.ended(*number, ending, now);
    touched.push_back(id);
  }
  for (const caf::ContractId each : touched) go_on(each, now);
}

// --- both sides ---

void ClientBridge::go_on(caf::ContractId id, Time now) {
  if (const auto one = cases_.find(id); one != cases_.end()) go_on(one, now);
}

void ClientBridge::go_on(Cases::iterator one, Time now) {
  Case& the = one->second;
  if (the.tender.phase() == TenderPhase::choosing) choose(the, now);
  flush(the);
  if (the.tender.phase() != TenderPhase::over) return;
  finish(the, now);
  sessions_.remove(*the.session);
  cases_.erase(one);
}

void ClientBridge::choose(Case& the, Time now) {
  switch (the.session->state()) {
    case State::asked:
      return propose(the, now);
    case State::proposed: {
      // The bids that were proposed must still be there.
      const caf::Standing standing = the.tender.standing();
      const bool stands =
          !the.tender.procedure().rule.choose(standing.offers, standing.free, std::nullopt).empty();
      if (!stands) the.tender.end(false, "a bid was taken back", now);
      return;
    }
    default:
      // It is accepted; or its awards have ended without a result.
      if (!the.tender.record().awards.empty() || !the.tender.award(now))
        the.tender.end(false, "the work was not done", now);
  }
}

void ClientBridge::propose(Case& the, Time now) {
  const caf::Standing standing = the.tender.standing();
  const auto chosen =
      the.tender.procedure().rule.choose(standing.offers, standing.free, std::nullopt);
  if (chosen.empty()) return the.tender.end(false, "nobody bids for it", now);
  caf::Bid bid;
  caf::Offering& whole = bid.offerings.emplace_back(caf::Offering{0, 0});
  for (const std::uint32_t each : chosen) {
    whole.items |= standing.offers[each].items;
    whole.amount += standing.offers[each].amount;
  }
  if (chosen.size() == 1) bid.text = the.tender.record().bids[standing.bids[chosen.front()]].text;
  the.agreed->amount = whole.amount;
  acl::Speech proposal(Act::propose, parts_.contents->write_bid(the.tender.contract(), bid),
                       parts_.accept_within);
  if (auto message = the.session->say(std::move(proposal), now)) outgoing_.emplace_back(*message);
  else the.tender.end(true, "the initiator's time is over", now);
}

// The last message to the initiator, unless its side is over already.
void ClientBridge::finish(Case& the, Time now) {
  const caf::ContractRecord& record = the.tender.record();
  if (record.settlement.ended == caf::Ended::fulfilled)
    return say(*the.session, Act::inform, result_of(record.settlement), now);
  const bool is_asked = the.session->state() == State::asked;
  say(*the.session, is_asked ? Act::refuse : Act::failure, failure_of(record), now);
}

void ClientBridge::flush(Case& the) {
  for (caf::Outgoing& each : the.tender.take_outgoing()) {
    const Content content =
        std::visit([](auto& what) { return Content::of(std::move(what)); }, each.what);
    for (const std::uint32_t to : each.to)
      outgoing_.emplace_back(CafMessage{the.bidders[to], content});
  }
}

// Ends a contract whose initiator wants nothing any more.
void ClientBridge::stop(Cases::iterator one, const std::string& why, Time now) {
  one->second.tender.end(true, why, now);
  go_on(one, now);
}

void ClientBridge::on_time(Time now) {
  std::vector<caf::ContractId> touched;
  for (auto& [id, the] : cases_) {
    the.session->on_time(now);
    const bool is_over = the.session->state() == State::over;
    if (is_over) the.tender.end(true, "the initiator has not answered in time", now);
    else if (the.tender.deadline() <= now) the.tender.on_time(now);
    else continue;
    touched.push_back(id);
  }
  for (const caf::ContractId each : touched) go_on(each, now);
}

Time ClientBridge::deadline() const noexcept {
  Time next = Time::max();
  for (const auto& [id, the] : cases_)
    next = std::min({next, the.session->deadline(), the.tender.deadline()});
  return next;
}

ClientBridge::Cases::iterator ClientBridge::find(const acl::Session& session) {
  return std::find_if(cases_.begin(), cases_.end(),
                      [&](const auto& each) { return each.second.session == &session; });
}

void ClientBridge::say(acl::Session& session, Act act, std::string_view text, Time now) {
  acl::Speech speech(act, parts_.contents->write_text(std::string(text)));
  if (auto message = session.say(std::move(speech), now)) outgoing_.emplace_back(*message);
}

void ClientBridge::answer(const acl::Message& message, Act act, std::string_view text) {
  acl::Message made = acl::reply(message, act);
  made.sender = parts_.self;
  made.content = parts_.contents->write_text(std::string(text));
  outgoing_.emplace_back(std::move(made));
}

}  // namespace coracle::fipa
