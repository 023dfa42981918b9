// The kitchen: a council of five cooks decides what is cooked, one of them gets the contract, and
// a chain of them prepares a thousand plates. When half of these are done, a cook is killed. The
// chain waits until another program has taken its place; no plate is missing, and none comes twice.
#include "chain.hpp"

#include <coracle/caf/client.hpp>
#include <coracle/caf/council.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <iostream>

using namespace coracle;

constexpr std::uint64_t all = 1000;

class Orders : public dispel::Source<std::string> {
 protected:
  Task<> produce(std::uint64_t first) override {
    for (std::uint64_t number = first; number < all; ++number)
      co_await put("plate " + std::to_string(number));
  }
};

class Plates : public dispel::Sink<std::string> {
 protected:
  Task<> consider(const std::string& plate) override {
    if (plate != "plate " + std::to_string(done_) + " cpp c python guile sbcl")
      throw std::runtime_error("there is a wrong plate: " + plate);
    if (++done_ != all / 2) co_return;
    std::cout << done_ << " plates are done" << std::endl;
    const Ending ending = co_await watch("python/cook");
    std::cout << ending.name.view() << ' ' << to_string(ending.reason) << std::endl;
  }
  void on_end(const std::string& error) override {
    std::cout << done_ << " plates are done" << (error.empty() ? "" : ": ") << error << std::endl;
  }

 private:
  std::uint64_t done_ = 0;
};

class Head : public caf::Client {
 protected:
  Task<> act() override {
    co_await decide_and_cook();
    auto keeper = std::make_unique<dispel::PipelineKeeper>(
        chain({{"orders", [] { return std::make_unique<Orders>(); }},
               {"plates", [] { return std::make_unique<Plates>(); }}}));
    keeper->only({"orders", "plates"});
    co_await adopt("kitchen/keeper", std::move(keeper));
    co_await watch("kitchen/keeper");
    co_await decide_and_cook();
    retire();
  }

 private:
  Task<> decide_and_cook() {
    caf::Motion motion;
    motion.subject = "What do we cook?";
    const caf::Decision dish = co_await caf::decide(*this, "kitchen/council", motion);
    std::cout << motion.subject << ' ' << (dish.decided ? dish.winner : dish.why) << std::endl;
    caf::Contract contract;
    contract.subject = dish.winner;
    caf::Invitation invitation;
    for (const std::string cook : cooks) invitation.bidders.emplace_back(cook + "/cook");
    caf::Procedure procedure;
    procedure.rule = caf::Best::lowest;
    const caf::Settlement end = co_await this->contract(contract, invitation, procedure);
    for (const auto& part : end.parts)
      std::cout << part.result << " for " << part.price << std::endl;
  }
};

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: kitchen REALIZATION\n";
    return 2;
  }
  Node node(open(arguments[1]));
  std::vector<caf::Member> members;
  for (const std::string cook : cooks) members.push_back({cook + "/voter", 1, {}});
  caf::Charter charter;
  charter.rule = caf::borda();
  auto council = std::make_unique<caf::Council>(charter, members);
  council->adjourn_after(2);
  node.adopt("kitchen/council", std::move(council));
  node.create<Head>("kitchen/head");
  node.wait();
}
