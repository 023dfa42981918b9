// A cook of the kitchen, in C++: `member REALIZATION NAME DISH PRICE`. It votes for its dish, bids
// its price for cooking, and adds its name to each plate that passes.
#include "chain.hpp"

#include <coracle/caf/bidder.hpp>
#include <coracle/caf/peer.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <numeric>

using namespace coracle;

class Voter : public caf::Peer {
 public:
  explicit Voter(std::string dish) : dish_(std::move(dish)) {}

 protected:
  std::vector<std::string> propose(const caf::Call&) override { return {dish_}; }
  caf::Ballot vote(const caf::Agenda& agenda) override {  // its own dish first, then the others
    caf::Ballot ballot;
    ballot.ranking.resize(agenda.alternatives.size());
    std::iota(ballot.ranking.begin(), ballot.ranking.end(), 0);
    const auto own = ballot.ranking.begin() + agenda.find(dish_);
    std::rotate(ballot.ranking.begin(), own, own + 1);
    return ballot;
  }

 private:
  const std::string dish_;
};

class Cook : public caf::Bidder {
 public:
  Cook(std::string who, caf::Amount price) : who_(std::move(who)), price_(price) {}

 protected:
  std::optional<caf::Bid> bid_for(const Name&, const caf::Contract& contract) override {
    return caf::Bid::of(contract, price_);
  }
  Task<caf::Fulfilment> fulfil(caf::Engagement work) override {
    co_return caf::Fulfilment{true, who_ + " cooked " + work.contract().subject};
  }

 private:
  const std::string who_;
  const caf::Amount price_;
};

class Add : public dispel::Filter<std::string, std::string> {
 public:
  explicit Add(std::string who) : who_(std::move(who)) {}

 protected:
  void process(const std::string& plate) override { put(plate + ' ' + who_); }

 private:
  const std::string who_;
};

int main(int count, char** arguments) {
  if (count != 5) {
    std::cerr << "usage: member REALIZATION NAME DISH PRICE\n";
    return 2;
  }
  const std::string name = arguments[2];
  Node node(open(arguments[1]));
  node.create<Voter>(name + "/voter", std::string(arguments[3]));
  node.create<Cook>(name + "/cook", name, caf::Amount{std::atoll(arguments[4])});
  auto keeper = std::make_unique<dispel::PipelineKeeper>(
      chain({{name, [name] { return std::make_unique<Add>(name); }}}));
  keeper->only({name});
  node.adopt(name + "/keeper", std::move(keeper));
  std::cout << name << " is ready" << std::endl;
  std::cin.ignore(std::numeric_limits<std::streamsize>::max());  // until the input ends
  node.stop();
}
