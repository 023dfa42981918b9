#include "coracle/caf/markets/trade.hpp"
#include "coracle/caf/negotiation/plan.hpp"
#include "decisions/contents.hpp"
#include "decisions/decisions.hpp"

#include <cmath>
#include <utility>

namespace coracle::view {

namespace {

json::value finite(double number) {
  if (!std::isfinite(number)) return nullptr;
  return number;
}

json::array pairs_of(const caf::PriceList& list) {
  json::array prices;
  for (std::size_t i = 0; i < list.goods.size() && i < list.prices.size() && i < most_shown; ++i)
    prices.push_back(json::array{shown(list.goods[i]), finite(list.prices[i])});
  return prices;
}

json::array nodes_of(const std::vector<caf::PlanNode>& nodes) {
  json::array array;
  for (const caf::PlanNode& each : nodes) {
    if (array.size() == most_shown) break;
    array.push_back(json::object{{"node", each.node},
                                 {"parent", each.parent},
                                 {"move", shown(each.move)},
                                 {"state", shown(each.state)},
                                 {"cost", each.cost}});
  }
  return array;
}

}  // namespace

// The number of a trade is the same in all auctions of one market, whose call it came with.
void Decisions::market(const Seen& message, std::string_view type) {
  constexpr std::string_view kind = "market";
  const auto id = [](caf::TradeId trade) { return "trade#" + std::to_string(trade); };
  if (type == "auction-call/v1") {
    if (const auto call = content_as<caf::AuctionCall>(message))
      record(message, kind, id(call->id), "call",
             {{"market", message.from.view()},
              {"auctioneer", message.to.view()},
              {"good", shown(call->good)},
              {"round", call->round},
              {"prices", pairs_of(call->prices)},
              {"traders", some(call->traders)}});
  } else if (type == "curve-bid/v2") {
    if (const auto bid = content_as<caf::CurveBid>(message))
      record(message, kind, id(bid->id), "bid",
             {{"from", message.from.view()}, {"good", shown(bid->good)}, {"round", bid->round}});
  } else if (type == "clearing/v2") {
    if (const auto clearing = content_as<caf::Clearing>(message))
      record(message, kind, id(clearing->id), "clearing",
             {{"good", shown(clearing->good)},
              {"round", clearing->round},
              {"price", finite(clearing->price)},
              {"excess", finite(clearing->excess)},
              {"volume", finite(clearing->volume)},
              {"bids", clearing->bids.size()}});
  } else if (type == "trades/v1") {
    if (const auto trades = content_as<caf::Trades>(message))
      record(message, kind, id(trades->id), "trades",
             {{"to", message.to.view()},
              {"converged", trades->converged},
              {"prices", pairs_of(trades->prices)}});
  } else if (type == "market-result/v1") {
    const auto result = content_as<caf::MarketResult>(message);
    if (!result) return;
    json::object more{{"converged", result->converged},
                      {"rounds", result->rounds},
                      {"prices", pairs_of(result->prices)}};
    if (!result->why.empty()) more["why"] = shown(result->why);
    record(message, kind, id(result->id), "result", std::move(more));
  }
}

void Decisions::game(const Seen& message, std::string_view type) {
  constexpr std::string_view kind = "game";
  const std::string_view from = message.from.view(), to = message.to.view();
  if (type == "plan-draft/v1") {
    if (const auto draft = content_as<caf::PlanDraft>(message))
      record(message, kind, id_of(message.from, draft->negotiation), "draft",
             {{"arbiter", from},
              {"client", to},
              {"round", draft->round},
              {"nodes", nodes_of(draft->nodes)}});
  } else if (type == "plan-critique/v1") {
    const auto critique = content_as<caf::PlanCritique>(message);
    if (!critique) return;
    json::array judgements;
    for (const caf::Judgement& each : critique->judgements) {
      if (judgements.size() == most_shown) break;
      judgements.push_back(json::object{{"node", each.node},
                                        {"score", each.worth.score},
                                        {"best", each.worth.best},
                                        {"feasible", each.worth.feasible},
                                        {"moves", some(each.moves)}});
    }
    record(message, kind, id_of(message.to, critique->negotiation), "critique",
           {{"arbiter", to},
            {"client", from},
            {"round", critique->round},
            {"judgements", std::move(judgements)}});
  } else if (type == "plan-offer/v1") {
    if (const auto offer = content_as<caf::PlanOffer>(message))
      record(message, kind, id_of(message.from, offer->negotiation), "offer",
             {{"arbiter", from},
              {"client", to},
              {"number", offer->number},
              {"moves", some(offer->plan.moves)},
              {"scores", some(offer->plan.scores)},
              {"clients", some(offer->plan.clients)},
              {"cost", offer->plan.cost}});
  } else if (type == "plan-answer/v1") {
    if (const auto answer = content_as<caf::PlanAnswer>(message))
      record(message, kind, id_of(message.to, answer->negotiation), "answer",
             {{"arbiter", to},
              {"client", from},
              {"number", answer->number},
              {"accepts", answer->accepts},
              {"why", shown(answer->reason)}});
  } else if (type == "plan-outcome/v1") {
    if (const auto outcome = content_as<caf::PlanOutcome>(message))
      record(message, kind, id_of(message.from, outcome->negotiation), "outcome",
             {{"arbiter", from},
              {"client", to},
              {"agreed", outcome->agreed},
              {"moves", some(outcome->plan.moves)},
              {"why", shown(outcome->why)}});
  } else if (type == "plan-progress/v1") {
    if (const auto progress = content_as<caf::PlanProgress>(message))
      record(message, kind, id_of(message.from, progress->negotiation), "progress",
             {{"arbiter", from},
              {"move", shown(progress->move)},
              {"state", shown(progress->state)},
              {"cost", progress->cost},
              {"done", progress->done}});
  }
}

}  // namespace coracle::view
