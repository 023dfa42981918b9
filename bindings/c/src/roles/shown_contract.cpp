#include "shown_contract.hpp"

#include "base/convert.hpp"

namespace coracle::c {

caf::Contract contract_of(const coracle_contract& given) {
  caf::Contract contract;
  contract.id = given.id;
  if (given.kind != nullptr) contract.kind = given.kind;
  if (given.subject != nullptr) contract.subject = given.subject;
  contract.items = texts_of(given.items, "coracle_contract: an item");
  if (given.units != 0) contract.size = given.units;
  if (given.bid_within < 0 || given.bid_holds < 0 || given.lease < 0)
    fail_argument("coracle_contract: a span of time is negative");
  if (given.bid_within != 0) contract.bid_within = Duration(given.bid_within);
  if (given.bid_holds != 0) contract.bid_holds = Duration(given.bid_holds);
  if (given.lease != 0) contract.lease = Duration(given.lease);
  contract.client_penalty = {given.client_penalty.fixed, given.client_penalty.per_second};
  contract.bidder_penalty = {given.bidder_penalty.fixed, given.bidder_penalty.per_second};
  return contract;
}

ShownContract::ShownContract(std::string whose, const caf::Contract& of)
    : client(std::move(whose)), kind(of.kind), subject(of.subject), items(of.items), view{} {
  view.size = sizeof view;
  view.id = of.id;
  view.round = of.round;
  view.kind = kind.c_str();
  view.subject = subject.c_str();
  view.items = items.view();
  view.units = of.size;
  view.bid_within = of.bid_within.count();
  view.bid_holds = of.bid_holds.count();
  view.lease = of.lease.count();
  view.client_penalty = {of.client_penalty.fixed, of.client_penalty.per_second};
  view.bidder_penalty = {of.bidder_penalty.fixed, of.bidder_penalty.per_second};
}

ShownEngagement::ShownEngagement(const caf::Engagement& of)
    : contract(of.client().name().str(), of.contract()), view{} {
  view = {contract.client.c_str(), &contract.view, of.award(), of.items(), of.price()};
}

}  // namespace coracle::c
