// Bidders whose bids and work are the program's.
#include "agents/acting.hpp"
#include "shown_contract.hpp"

#include "coracle/caf/bidder.hpp"

#include <optional>
#include <string>
#include <vector>

using namespace coracle;
using namespace coracle::c;

namespace coracle::c {

namespace {

using MaybeBid = std::optional<caf::Bid>;

class BidderRole final : public caf::Bidder, public RoleActing {
 public:
  explicit BidderRole(const coracle_bidder& bidder)
      : Bidder(bidder.capacity == 0 ? 1 : bidder.capacity,
               bidder.promises_at_bid ? caf::Promises::at_bid : caf::Promises::at_award),
        clients_(texts_of(bidder.clients, "coracle_bidder: `clients`")),
        table_(bidder) {}

  Task<> run() override {
    table_.begin();
    return Bidder::run();
  }

 private:
  Agent& agent() noexcept override { return *this; }
  void retire_role() override { retire(); }

  Task<> act() override {
    for (const std::string& each : clients_) {
      const Name client(each);
      Task<> registering = register_with(client);
      co_await registering;
    }
  }
  Task<MaybeBid> consider(const Name& client, const caf::Contract& contract) override {
    if (table_->bid == nullptr) return Bidder::consider(client, contract);
    const auto about = std::make_shared<const ShownContract>(client.str(), contract);
    const auto show = [this, about](coracle_agent* me, coracle_question* question) {
      table_->bid(me, question, about->client.c_str(), &about->view, table_->context);
    };
    return ask_for<MaybeBid>("coracle_answer_bid()", about, show);
  }
  Task<caf::Fulfilment> fulfil(caf::Engagement work) override {
    const auto about = std::make_shared<const ShownEngagement>(work);
    const auto question =
        std::make_shared<Question>(typeid(caf::Fulfilment), "coracle_answer_fulfilment()", about);
    work.at_end([which = std::weak_ptr<Question>(question)] {
      if (const auto lost = which.lock()) lost->forsake();
    });
    const auto show = [this, about](coracle_agent* me, coracle_question* asked) {
      table_->fulfil(me, asked, &about->view, table_->context);
    };
    Task<> asking = RoleActing::ask(question, show);
    co_await asking;
    co_return std::any_cast<caf::Fulfilment>(question->take());
  }
  void on_rejection(const Name& client, caf::ContractId contract,
                    const std::string& reason) override {
    call(table_->rejected, client.str().c_str(), contract, reason.c_str(), table_->context);
  }
  void on_lost(const caf::Engagement& work, const std::string& reason,
               caf::Amount penalty) override {
    const ShownEngagement shown(work);
    call(table_->lost, &shown.view, reason.c_str(), penalty, table_->context);
  }
  void on_settled(const Name& client, const caf::Settled& settled) override {
    call(table_->settled, client.str().c_str(), settled.contract, settled.price, settled.penalty,
         table_->context);
  }

  const std::vector<std::string> clients_;
  Functions<coracle_bidder> table_;
};

MaybeBid bid_of(const coracle_bid* given) {
  if (given == nullptr) return std::nullopt;
  const coracle_bid bid = options_of(given, "coracle_bid");
  require_array(bid.offerings, bid.offering_count, "coracle_bid: `offerings` is NULL");
  caf::Bid made;
  for (std::size_t number = 0; number < bid.offering_count; ++number)
    made.offerings.push_back({bid.offerings[number].items, bid.offerings[number].amount});
  if (bid.text != nullptr) made.text = bid.text;
  return made;
}

}  // namespace

}  // namespace coracle::c

coracle_error* coracle_bidder_start(coracle_node* node, const coracle_agent_options* options,
                                    const coracle_bidder* given) {
  return guarded([&] {
    if (given == nullptr) fail_argument("coracle_bidder_start: the bidder is NULL");
    const coracle_bidder bidder = options_of(given, "coracle_bidder");
    if (bidder.fulfil == nullptr) fail_argument("coracle_bidder: `fulfil` is NULL");
    object_of<NodeObject>(node)->node->adopt(spec_of(options),
                                             std::make_unique<BidderRole>(bidder));
  });
}

coracle_error* coracle_answer_bid(coracle_question* question, const coracle_bid* bid) {
  return answer_by<MaybeBid>(question, [&] { return bid_of(bid); });
}

coracle_error* coracle_answer_fulfilment(coracle_question* question, bool done, const char* text) {
  return answer_by<caf::Fulfilment>(question, [&] {
    return caf::Fulfilment{done, text == nullptr ? "" : text};
  });
}
