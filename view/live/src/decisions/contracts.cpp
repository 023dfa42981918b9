#include "coracle/caf/contracts/contract.hpp"
#include "decisions/contents.hpp"
#include "decisions/decisions.hpp"

#include <utility>

namespace coracle::view {

namespace {

using Found = std::optional<std::pair<caf::ContractId, json::object>>;

// The messages of a client to a bidder.
Found of_client(const Seen& message, std::string_view type, std::string& what) {
  if (type == "contract/v1") {
    const auto each = content_as<caf::Contract>(message);
    if (!each) return std::nullopt;
    what = "announced";
    return Found{{each->id,
                  {{"task", shown(each->kind)},
                   {"subject", shown(each->subject)},
                   {"round", each->round},
                   {"items", some(each->items)}}}};
  }
  if (type == "award/v1") {
    const auto each = content_as<caf::Award>(message);
    if (!each) return std::nullopt;
    what = "award";
    return Found{{each->contract,
                  {{"award", each->award},
                   {"amount", each->amount},
                   {"price", each->price},
                   {"items", each->items}}}};
  }
  if (type == "lease/v1") {
    const auto each = content_as<caf::Lease>(message);
    if (!each) return std::nullopt;
    what = "lease";
    return Found{{each->contract, {{"award", each->award}}}};
  }
  if (type == "rejection/v1") {
    const auto each = content_as<caf::Rejection>(message);
    if (!each) return std::nullopt;
    what = "rejection";
    return Found{{each->contract, {{"round", each->round}, {"why", shown(each->reason)}}}};
  }
  if (type == "termination/v1") {
    const auto each = content_as<caf::Termination>(message);
    if (!each) return std::nullopt;
    what = "termination";
    return Found{
        {each->contract,
         {{"award", each->award}, {"why", shown(each->reason)}, {"penalty", each->penalty}}}};
  }
  const auto each = content_as<caf::Settled>(message);
  if (!each) return std::nullopt;
  what = "settled";
  return Found{{each->contract,
                {{"award", each->award}, {"price", each->price}, {"penalty", each->penalty}}}};
}

// The messages of a bidder to a client.
Found of_bidder(const Seen& message, std::string_view type, std::string& what) {
  if (type == "bid/v1") {
    const auto each = content_as<caf::Bid>(message);
    if (!each) return std::nullopt;
    what = "bid";
    json::array offers;
    for (const caf::Offering& offer : each->offerings) {
      if (offers.size() == most_shown) break;
      offers.push_back(json::array{offer.items, offer.amount});
    }
    json::object more{{"round", each->round}, {"offers", std::move(offers)}};
    if (!each->offerings.empty()) more["amount"] = each->offerings.front().amount;
    return Found{{each->contract, std::move(more)}};
  }
  if (type == "decline/v1") {
    const auto each = content_as<caf::Decline>(message);
    if (!each) return std::nullopt;
    what = "decline";
    return Found{{each->contract, {{"round", each->round}, {"why", shown(each->reason)}}}};
  }
  if (type == "acceptance/v1") {
    const auto each = content_as<caf::Acceptance>(message);
    if (!each) return std::nullopt;
    what = "acceptance";
    return Found{{each->contract, {{"award", each->award}}}};
  }
  if (type == "withdrawal/v1") {
    const auto each = content_as<caf::Withdrawal>(message);
    if (!each) return std::nullopt;
    what = "withdrawal";
    return Found{{each->contract, {{"award", each->award}, {"why", shown(each->reason)}}}};
  }
  if (type == "report/v1") {
    const auto each = content_as<caf::Report>(message);
    if (!each) return std::nullopt;
    what = "report";
    return Found{{each->contract,
                  {{"award", each->award},
                   {"final", each->final},
                   {"done", each->done},
                   {"text", shown(each->text)}}}};
  }
  const auto each = content_as<caf::Released>(message);
  if (!each) return std::nullopt;
  what = "released";
  return Found{{each->contract, {{"award", each->award}}}};
}

}  // namespace

void Decisions::contract(const Seen& message, std::string_view type) {
  std::string what;
  const bool is_clients = type == "contract/v1" || type == "award/v1" || type == "lease/v1" ||
                          type == "rejection/v1" || type == "termination/v1" ||
                          type == "settled/v1";
  Found found = is_clients ? of_client(message, type, what) : of_bidder(message, type, what);
  if (!found) return;
  const Name& client = is_clients ? message.from : message.to;
  const Name& bidder = is_clients ? message.to : message.from;
  auto& [id, more] = *found;
  more["client"] = client.view();
  more["bidder"] = bidder.view();
  record(message, "contract", id_of(client, id), what, std::move(more));
}

}  // namespace coracle::view
