// In the simulator: links are cut, hosts pause and lose their power, traders die and come back.
// Each trade ends, its record can be retraced, and its gains and losses balance.
#include "fair.hpp"
#include "nodes.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <deque>
#include <iostream>

namespace coracle::caf::test {

namespace {

using coracle::test::below;
using coracle::test::Nodes;
using coracle::test::up_to;

constexpr unsigned hosts = 4;

double quantity(Random& random) { return static_cast<double>(1 + below(random, 20)); }

// The state that all agents of a run share, and the first fault.
struct Scene {
  std::string wrong;
  std::uint64_t asked = 0;
  std::uint64_t answered = 0;
  std::uint64_t converged = 0;
  std::uint64_t left_out = 0;  // traders that were left out
  std::uint64_t refused = 0;
};

// A consumer that is slow, sends something wrong, or dies.
class Soul : public Consumer {
 public:
  // Its goods are written down for its next incarnation.
  struct Written {
    Basket has;
    TradeId last = 0;
  };

  Soul(Scene& scene, Random& random, Preferences likes, Written& written)
      : Consumer(std::move(likes), written.has),
        scene_(scene),
        random_(random),
        written_(written) {}

  Task<> run() override {
    for (;;) {
      const Message message = co_await receive();
      if (below(random_, 500) == 0) throw coracle::test::Crash("a trader dies");
      if (below(random_, 50) == 0) co_await pause(up_to(random_, 5ms));
      (void)co_await attend(message);
    }
  }

 protected:
  Curve bid(const Quote& quote) override {
    Curve curve = Consumer::bid(quote);
    if (below(random_, 1000) == 0) curve.endowment = -1;
    return curve;
  }
  void on_trades(const Trades& trades) override {
    // Trades that were processed and not acknowledged come again.
    if (trades.id == written_.last) return;
    Consumer::on_trades(trades);
    written_ = {has(), trades.id};
  }
  void on_refusal(const Refusal&) override { ++scene_.refused; }

 private:
  Scene& scene_;
  Random& random_;
  Written& written_;
};

// Returns the first fault of a record; empty: none.
std::string judged(const MarketRecord& record) {
  const std::vector<std::string> faults = retrace(record);
  if (!faults.empty()) return "a record does not hold: " + faults.front();
  const MarketResult& result = record.result;
  if (!result.converged) return result.why.empty() ? "it does not say why not" : "";
  for (std::size_t good = 0; good < record.goods.size(); ++good) {
    double sum = 0;
    for (const auto& each : result.quantities) sum += each[good];
    const double volume = record.rounds.back().goods[good].volume;
    if (std::abs(sum) > 1e-6 * volume) return "something has come from nowhere";
  }
  for (std::size_t i = 0; i < result.traders.size(); ++i) {
    double spent = 0;
    double value = 0;
    for (std::size_t good = 0; good < record.goods.size(); ++good) {
      const double price = result.prices.prices[good];
      spent += price * result.quantities[i][good];
      value += price * record.rounds.back().goods[good].volume;
    }
    if (std::abs(spent) > 1e-9 * value) return "somebody has paid too much or too little";
  }
  return {};
}

class Judge : public Market {
 public:
  Judge(Scene& scene, MarketTerms terms, std::vector<Good> goods, std::vector<std::string> traders,
        Random& random)
      : Market(std::move(terms), std::move(goods), std::move(traders), random), scene_(scene) {}

 protected:
  void on_record(const MarketRecord& record) override {
    const std::string wrong = judged(record);
    if (!wrong.empty()) scene_.wrong = wrong;
    scene_.converged += record.result.converged ? 1 : 0;
    for (const Incident& each : record.incidents) {
      scene_.left_out += each.what == "silence" ? 1 : 0;
    }
  }

 private:
  Scene& scene_;
};

class Asker : public Agent {
 public:
  explicit Asker(Scene& scene) : scene_(scene) {}

  Task<> run() override {
    for (int i = 0; i < 2; ++i) {
      ++scene_.asked;
      const MarketResult result = co_await hold_trade(*this, "market");
      if (result.converged == !result.why.empty()) scene_.wrong = "the result contradicts itself";
      ++scene_.answered;
    }
  }

 private:
  Scene& scene_;
};

// One society with its faults.
class Story {
 public:
  explicit Story(std::uint64_t seed) : nodes_(options(seed)), random_(nodes_.world().random()) {
    std::vector<Good> goods;
    for (unsigned i = 0; i < 2 + below(random_, 2); ++i) {
      goods.push_back(good("good " + std::to_string(i), quantity(random_)));
      put(below(random_, 4) == 0 ? 1 : 0, goods.back().auctioneer, std::make_unique<Auctioneer>());
    }
    for (unsigned i = 0; i < 3 + below(random_, 4); ++i) {
      traders_.push_back("soul/" + std::to_string(i));
      Preferences likes;
      Basket has;
      for (const Good& each : goods) {
        likes.shares[each.name] = quantity(random_);
        has[each.name] = quantity(random_);
      }
      likes_.push_back(likes);
      has_.push_back({has, 0});
      hire(i, mortal_host());
    }
    MarketTerms terms;
    terms.adjustment = static_cast<Adjustment>(below(random_, 2));
    terms.rounds = 400;
    terms.tolerance = 1e-7;
    terms.bid_within = 2ms + up_to(random_, 20ms);
    terms.clear_within = terms.bid_within + 2ms + up_to(random_, 20ms);
    put(0, "market", std::make_unique<Judge>(scene_, terms, goods, traders_, random_));
    put(0, "asker", std::make_unique<Asker>(scene_));
  }

  // Returns the first fault; empty: none.
  std::string play() {
    const std::uint64_t troubles = below(random_, 8);
    for (std::uint64_t i = 0; i < troubles; ++i) {
      nodes_.world().run_until([this] { return over(); }, Deadline(up_to(random_, 20ms)));
      if (over()) break;
      trouble();
    }
    nodes_.world().mend_all();
    if (!nodes_.world().run_until([this] { return over(); }, Deadline(Duration(300s)))) {
      return "a trade does not end; " + std::to_string(scene_.answered) + " did";
    }
    return scene_.wrong;
  }
  const Scene& scene() const noexcept { return scene_; }

 private:
  static sim::Options options(std::uint64_t seed) {
    sim::Options options;
    options.seed = seed;
    options.nodes = hosts;
    return options;
  }
  // Any host but the first, which never loses its power.
  unsigned mortal_host() { return static_cast<unsigned>(1 + below(random_, hosts - 1)); }
  bool over() const { return !scene_.wrong.empty() || scene_.answered == 2; }
  void put(unsigned host, const std::string& name, std::unique_ptr<Agent> agent) {
    nodes_.at(host).adopt(name, std::move(agent));
  }
  void hire(std::size_t number, unsigned host) {
    if (!nodes_.is_up(host)) return;
    AgentSpec spec(traders_[number]);
    auto soul = std::make_unique<Soul>(scene_, random_, likes_[number], has_[number]);
    try {
      nodes_.at(host).adopt(std::move(spec), std::move(soul));
    } catch (const Error&) {
      // The directory is unreachable, or the trader is there already: then nothing changes.
    }
  }
  void trouble() {
    const unsigned host = mortal_host();
    const auto other = static_cast<unsigned>((host + 1 + below(random_, hosts - 1)) % hosts);
    const std::uint64_t which = below(random_, Nodes::troubles + 1);
    if (which < Nodes::troubles) return nodes_.befall(which, host, other);
    hire(below(random_, traders_.size()), host);
  }

  Scene scene_;
  std::vector<std::string> traders_;
  std::vector<Preferences> likes_;
  std::deque<Soul::Written> has_;  // their addresses stay the same
  Nodes nodes_;
  Random& random_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(seeds)

// CORACLE_SEEDS is the number of seeds, CORACLE_SEED the first one.
BOOST_AUTO_TEST_CASE(whatever_happens_each_trade_ends_and_its_record_holds) {
  const std::uint64_t begin = sim::seed_from_environment(1);
  const std::uint64_t seeds = coracle::test::seeds_to_play(200);
  Scene sum;
  for (std::uint64_t seed = begin; seed < begin + seeds; ++seed) {
    Story story(seed);
    const std::string wrong = story.play();
    BOOST_TEST_REQUIRE(wrong == "", "CORACLE_SEED=" << seed << ": " << wrong);
    sum.answered += story.scene().answered;
    sum.converged += story.scene().converged;
    sum.left_out += story.scene().left_out;
    sum.refused += story.scene().refused;
  }
  std::cout << seeds << " seeds: " << sum.answered << " trades, " << sum.converged << " converged, "
            << sum.left_out << " traders were left out, " << sum.refused << " bids refused\n";
  // These events did occur.
  BOOST_TEST(sum.converged > seeds / 2);
  BOOST_TEST(sum.left_out > seeds / 4);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::test
