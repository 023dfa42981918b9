// Clients of contracts, by which the program announces its own.
#include "role.hpp"
#include "shown_contract.hpp"

#include "coracle/caf/client.hpp"

#include <string>
#include <vector>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

namespace {

struct ShownSettlement {
  explicit ShownSettlement(caf::Settlement made) : settlement(std::move(made)) {
    for (const caf::Settlement::Part& each : settlement.parts)
      parts.push_back({each.bidder.c_str(), each.items, each.price, each.result.c_str()});
    view = {settlement.id,          static_cast<coracle_settled>(settlement.ended),
            parts.data(),           parts.size(),
            settlement.why.c_str(), settlement.client_owes,
            settlement.bidders_owe};
  }
  ShownSettlement(const ShownSettlement&) = delete;

  const caf::Settlement settlement;
  std::vector<coracle_settlement_part> parts;
  coracle_settlement view;
};

class ContractRole final : public caf::Client, public RoleActing {
 public:
  explicit ContractRole(const coracle_contract_client& client) : table_(client) {}

  Task<> run() override {
    table_.begin();
    return Client::run();
  }
  const JobsPtr& jobs() const noexcept { return jobs_.shared(); }

  Task<std::shared_ptr<ResultObject>> announce(caf::Contract what, caf::Invitation whom,
                                               caf::Procedure how) {
    Task<caf::Settlement> contracting = contract(std::move(what), std::move(whom), std::move(how));
    caf::Settlement settlement = co_await contracting;
    const std::shared_ptr<const ShownSettlement> shown =
        std::make_shared<ShownSettlement>(std::move(settlement));
    co_return std::make_shared<ResultObject>(std::any(shown));
  }

 private:
  Agent& agent() noexcept override { return *this; }
  void retire_role() override { jobs_.shared()->close(); }

  Task<> act() override {
    Task<> serving = jobs_.serve(*this);
    co_await serving;
    retire();
  }
  bool admits(const Name& bidder, const Properties& properties) override {
    if (table_->admits == nullptr) return Client::admits(bidder, properties);
    const Inside here{this, &agent(), Acting::self()};
    const Call called(here);
    return table_->admits(Acting::self(), bidder.str().c_str(), table_->context);
  }

  Functions<coracle_contract_client> table_;
  OwnJobs jobs_;
};

caf::Invitation invitation_of(const coracle_tender& tender) {
  caf::Invitation invitation;
  for (const std::string& each : texts_of(tender.bidders, "coracle_tender: `bidders`"))
    invitation.bidders.emplace_back(each);
  invitation.registered = tender.registered;
  if (tender.search != nullptr) invitation.interested = query_of(tender.search);
  return invitation;
}

caf::Procedure procedure_of(const coracle_tender& tender) {
  caf::Procedure how;
  if (tender.rule != nullptr) how.rule = caf::award_rule(tender.rule);
  if (tender.vickrey) how.pricing = caf::Pricing::vickrey;
  if (tender.has_reserve) how.reserve = tender.reserve;
  how.seed = tender.seed;
  if (tender.rounds != 0) how.rounds = tender.rounds;
  if (tender.back_off < 0 || tender.accept_within < 0 || tender.fulfil_within < 0)
    fail_argument("coracle_tender: a span of time is negative");
  how.back_off = Duration(tender.back_off);
  if (tender.accept_within != 0) how.accept_within = Duration(tender.accept_within);
  how.fulfil_within = Duration(tender.fulfil_within);
  how.keep_bids = tender.keep_bids;
  return how;
}

}  // namespace

}  // namespace coracle::c

coracle_error* coracle_contract_client_start(coracle_node* node,
                                             const coracle_agent_options* options,
                                             const coracle_contract_client* given,
                                             coracle_role** out) {
  return guarded([&] {
    if (out == nullptr) fail_argument("coracle_contract_client_start: `out` is NULL");
    const coracle_contract_client client = options_of(given, "coracle_contract_client");
    *out = start_role(node, options, std::make_unique<ContractRole>(client));
  });
}

coracle_error* coracle_announce(coracle_role* client, const coracle_contract* contract,
                                const coracle_tender* given, coracle_result** out,
                                const coracle_begin* begin) {
  return guarded([&] {
    require_place(begin, out);
    if (contract == nullptr || given == nullptr)
      fail_argument("coracle_announce: the contract or the tender is NULL");
    const coracle_tender tender = options_of(given, "coracle_tender");
    const auto announce =
        [what = contract_of(options_of(contract, "coracle_contract")), whom = invitation_of(tender),
         how = procedure_of(tender)](ContractRole& me) { return me.announce(what, whom, how); };
    act<ContractRole>(client, out, begin, announce);
  });
}

coracle_error* coracle_result_settlement(const coracle_result* result, coracle_settlement* out) {
  return show_record<ShownSettlement>(result, out, "coracle_result_settlement: `out` is NULL",
                                      "coracle_result_settlement: this result is no settlement");
}
