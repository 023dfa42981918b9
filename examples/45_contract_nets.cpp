// Contract nets of two kinds deal with each other. A client of caf orders bread; one baker is a
// bidder of caf, the other one a participant of FIPA. Then an agent of FIPA calls for proposals,
// and the bidder of caf gets the order.
#include <coracle/acl/participant.hpp>
#include <coracle/caf/bidder.hpp>
#include <coracle/caf/client.hpp>
#include <coracle/coracle.hpp>
#include <coracle/fipa/foreign_bidder.hpp>
#include <coracle/fipa/foreign_client.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>

using namespace coracle;
using namespace std::chrono_literals;

// A bidder of caf.
struct Baker : caf::Bidder {
  std::optional<caf::Bid> bid_for(const Name&, const caf::Contract& contract) override {
    return caf::Bid::of(contract, 4);
  }
  Task<caf::Fulfilment> fulfil(caf::Engagement work) override {
    co_return caf::Fulfilment{true, work.contract().subject + " of our baker"};
  }
};

// A participant of FIPA.
struct Boulanger : acl::Participant {
  Task<> converse(acl::Talk& talk) override {
    const acl::Speech offer(acl::Performative::propose, "3");
    (void)co_await talk.say(offer);
    const auto decision = co_await talk.next();
    if (!decision || decision->performative != acl::Performative::accept_proposal) co_return;
    const acl::Speech done(acl::Performative::inform, "a baguette");
    (void)co_await talk.say(done);
  }
};

// A client of caf, and an initiator of FIPA: neither knows that the others are of another kind.
struct Customer : caf::Client {
  Task<> act() override {
    caf::Contract order;
    order.subject = "a loaf";
    caf::Invitation bakers;
    bakers.bidders = {"baker", "for/boulanger"};
    caf::Procedure cheapest;
    cheapest.rule = caf::Best::lowest;
    const caf::Settlement bought = co_await contract(order, bakers, cheapest);
    const auto& part = bought.parts.at(0);
    co_await send("main", part.bidder + ": " + part.result + " for " + std::to_string(part.price));
  }
};

struct Traveller : Agent {
  Task<> run() override {
    acl::Message call;
    call.receivers = {{.name = "bakery"}, {.name = "boulanger"}};
    call.content = "two loaves";
    const acl::Choose ours = [](const acl::Answers& bids) {
      std::vector<acl::Speech> decisions;
      for (const acl::Answer& each : bids)
        decisions.emplace_back(each.from.name == "bakery" ? acl::Performative::accept_proposal
                                                          : acl::Performative::reject_proposal);
      return decisions;
    };
    for (const acl::Answer& each : co_await acl::contract_net(*this, call, ours, 10s))
      co_await send("main", each.from.name + ": " + to_string(each.outcome) + ", " +
                                std::string(acl::text_of(each.message)));
  }
};

int main() {
  Node node(open());
  Port main(node, "main");
  node.create<Baker>("baker");
  node.create<Boulanger>("boulanger");
  fipa::ForeignBidderOptions foreign;
  foreign.participant = {.name = "boulanger"};
  node.create<fipa::ForeignBidder>("for/boulanger", foreign);
  fipa::ForeignClientOptions own;
  own.bidders.bidders = {"baker"};
  node.create<fipa::ForeignClient>("bakery", own);

  node.create<Customer>("customer");
  std::cout << main.receive().text() << "\n";
  node.create<Traveller>("traveller");
  for (int i = 0; i < 2; ++i) std::cout << main.receive().text() << "\n";
}
