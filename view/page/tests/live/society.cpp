// One process of the society that the test of the live view looks at, until it is ended:
//   society client            contracts with ann and bob, without end
//   society bidder NAME COST  bids for the contracts
//   society stuck             two agents that each wait for the other, and one that waits for both
//   society huey              robots that explore one building after the other
#include "huey/robot.hpp"

#include <coracle/caf/bidder.hpp>
#include <coracle/caf/client.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

using namespace coracle;
using namespace std::chrono_literals;

namespace {

class Customer : public caf::Client {
 public:
  Task<> act() override {
    for (;;) {
      caf::Contract order;
      order.kind = "build";
      order.subject = "a boat";
      order.bid_within = 2s;
      caf::Invitation whom;
      whom.bidders = {"yard/ann", "yard/bob"};
      caf::Procedure cheapest;
      cheapest.rule = caf::Best::lowest;
      Task<caf::Settlement> contracting = contract(order, whom, cheapest);
      (void)co_await contracting;
      co_await pause(Deadline(200ms));
    }
  }
};

class Builder : public caf::Bidder {
 public:
  explicit Builder(caf::Amount cost) : cost_(cost) {}
  std::optional<caf::Bid> bid_for(const Name&, const caf::Contract& contract) override {
    return caf::Bid::of(contract, cost_);
  }
  Task<caf::Fulfilment> fulfil(caf::Engagement work) override {
    co_return caf::Fulfilment{true, work.contract().subject + " is built"};
  }

 private:
  const caf::Amount cost_;
};

// Waits for another agent's message, which does not come.
class Waiter : public Agent {
 public:
  explicit Waiter(Name whom) : whom_(std::move(whom)) {}
  Task<> run() override { (void)co_await receive(from(whom_)); }

 private:
  const Name whom_;
};

void explore() {
  for (unsigned seed = 1;; ++seed) {
    huey::Building building = huey::Building::random(seed);
    huey::Survey survey;
    Node node(open());
    huey::assemble(node, building, survey);
    node.wait();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view role = argc > 1 ? argv[1] : "";
  if (role == "huey") explore();
  Node node(open());
  if (role == "client") {
    node.create<Customer>("yard/customer");
  } else if (role == "bidder" && argc == 4) {
    node.create<Builder>("yard/" + std::string(argv[2]), std::stol(argv[3]));
  } else if (role == "stuck") {
    node.create<Waiter>("stuck/hen", Name("stuck/egg"));
    node.create<Waiter>("stuck/egg", Name("stuck/hen"));
    node.create<Waiter>("stuck/cook", Name("stuck/egg"));
  } else {
    std::cerr << "society client, bidder NAME COST, stuck or huey\n";
    return 2;
  }
  std::cout << "ready" << std::endl;
  node.wait();
}
