// A foreign agent among the bidders of contracts: it bids, and does the work, if its card has the
// extension that docs/a2a-roles.md describes.
// Tests: gateways/a2a/tests/roles/foreign_roles_test.cpp
#pragma once

#include "coracle/caf/bidder.hpp"
#include "coracle/query.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coracle::a2a {

struct ForeignBidderOptions {
  // The foreign agent: the name of a ForeignAgent.
  Name agent;
  // The units of Contract::size that it is trusted to do at a time.
  std::uint64_t capacity = 1000;
  // The clients with which the bidder registers, and the properties by which others find it.
  std::vector<Name> clients = {};
  Properties properties = {};
};

// An announcement becomes a task of the foreign agent, and the result a bid. If it wins, the award
// becomes a task in the same family, and its result that of the contract.
class ForeignBidder : public caf::Bidder {
 public:
  // `random` outlives the bidder.
  explicit ForeignBidder(ForeignBidderOptions options, Random& random = machine_random());

 protected:
  coracle::Task<> act() override;
  coracle::Task<std::optional<caf::Bid>> consider(const Name& client,
                                                  const caf::Contract& contract) override;
  coracle::Task<caf::Fulfilment> fulfil(caf::Engagement work) override;

 private:
  const ForeignBidderOptions options_;
};

}  // namespace coracle::a2a
