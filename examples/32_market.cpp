// A village with a market: people's goods, their preferences and the abilities of the mill make the
// prices, and each agent has only its own data. `--json` prints numbers instead of a drawing.
#include "market/plot.hpp"

#include <coracle/caf/auctioneer.hpp>
#include <coracle/caf/market.hpp>
#include <coracle/caf/trader.hpp>
#include <coracle/coracle.hpp>
#include <coracle/realizations/open.hpp>

#include <CLI/CLI.hpp>

#include <iostream>

using namespace coracle;

class Villager : public caf::Consumer {
 public:
  using caf::Consumer::Consumer;

 protected:
  void on_trades(const caf::Trades& trades) override {
    caf::Consumer::on_trades(trades);
    retire();
  }
};

class Mill : public caf::Producer {
 public:
  using caf::Producer::Producer;

 protected:
  void on_trades(const caf::Trades&) override { retire(); }
};

// Holds the auction of one good, on one market day.
class Stall : public caf::Auctioneer {
 protected:
  void on_closed(caf::TradeId) override { retire(); }
};

class Square : public caf::Market {
 public:
  Square(caf::MarketTerms terms, std::vector<caf::Good> goods, std::vector<std::string> traders,
         bool is_json)
      : Market(terms, goods, traders), is_json_(is_json) {}

 protected:
  void on_record(const caf::MarketRecord& record) override {
    if (is_json_) std::cout << to_json(record) << '\n';
    else plot(std::cout, record);
  }

 private:
  bool is_json_;
};

class Crier : public Agent {
 public:
  explicit Crier(bool is_quiet) : is_quiet_(is_quiet) {}

  Task<> run() override {
    const caf::MarketResult result = co_await caf::hold_trade(*this, "market");
    if (is_quiet_) co_return;
    if (result.converged) list_trades(std::cout, result);
    else std::cout << "no prices were found: " << result.why << '\n';
  }

 private:
  bool is_quiet_;
};

int main(int argc, char** argv) {
  CLI::App app("Finds the prices of a small economy.");
  bool is_json = false;
  caf::MarketTerms terms;
  terms.rounds = 1000;
  app.add_flag("--json", is_json, "Print the prices of every round as JSON");
  app.add_option("--pace", terms.pace, "The share of the way that a price goes at once, up to 1");
  app.add_option("--rounds", terms.rounds, "Rounds after which it gives up");
  CLI11_PARSE(app, argc, argv);

  const caf::Technology milling = {"bread", {{"grain", 0.5}, {"hours", 0.3}}, 6};
  const std::vector<std::string> traders = {"farmer", "vintner", "miller", "poet", "mill"};
  std::vector<caf::Good> goods;
  for (const char* name : {"hours", "grain", "bread", "wine"}) {
    goods.push_back({name, std::string("stall/") + name, 1});
  }
  try {
    auto market = std::make_unique<Square>(terms, goods, traders, is_json);
    market->close_after(1);
    Node node(open());
    using caf::Basket;
    using caf::Preferences;
    const Basket day = {{"hours", 16}};
    const Preferences plain = {{{"bread", 3}, {"wine", 1}, {"hours", 1}}, 1};
    const Preferences thirsty = {{{"bread", 1}, {"wine", 3}, {"hours", 2}}, 0.6};
    node.create<Villager>("farmer", plain, Basket{{"grain", 90}, {"hours", 8}});
    node.create<Villager>("vintner", plain, Basket{{"wine", 30}, {"hours", 8}});
    node.create<Villager>("miller", plain, day, std::vector<caf::Holding>{{milling, 1}});
    node.create<Villager>("poet", thirsty, day);
    node.create<Mill>("mill", milling);
    for (const caf::Good& each : goods) node.create<Stall>(each.auctioneer);
    node.adopt("market", std::move(market));
    node.create<Crier>("crier", is_json);
    node.wait();
  } catch (const Error& error) {
    std::cerr << "market: " << error.what() << '\n';
    return 2;
  }
}
