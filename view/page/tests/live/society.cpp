// One process of the society that the test of the live view looks at, until it is ended:
//   society client            contracts with ann and bob, without end
//   society bidder NAME COST  bids for the contracts
//   society stuck             two agents that each wait for the other, and one that waits for both
//   society guarded           a dog with a supervisor, to which a boy sends requests
//   society huey              robots that explore one building after the other
#include "huey/robot.hpp"

#include <coracle/caf/bidder.hpp>
#include <coracle/caf/client.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>
#include <coracle/supervisor.hpp>

#include <iostream>
#include <memory>
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

// Replies to each request.
class Dog : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      const Message request = co_await receive();
      co_await reply(request, "woof");
    }
  }
};

class Guard : public Supervisor {
 public:
  Guard() {
    child(AgentSpec("yard/dog"), [] { return std::make_unique<Dog>(); });
  }
};

// Sends requests, one after the other.
class Boy : public Agent {
 public:
  Task<> run() override {
    for (;;) {
      try {
        (void)co_await ask("yard/dog", "are you there?", Deadline(5s));
      } catch (const Error& failure) {
        if (failure.errc() == Errc::stopped) throw;
      }
      co_await pause(Deadline(200ms));
    }
  }
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
  } else if (role == "guarded") {
    node.create<Guard>("yard/guard");
    node.create<Boy>("yard/boy");
  } else {
    std::cerr << "society client, bidder NAME COST, stuck, guarded or huey\n";
    return 2;
  }
  std::cout << "ready" << std::endl;
  node.wait();
}
