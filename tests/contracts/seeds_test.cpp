// In the simulator: links are cut, hosts pause and lose their power, bidders die, come back, or are
// taken over elsewhere. At every moment each item has one awardee at most, and each call ends.
#include "nodes.hpp"
#include "traders.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iostream>
#include <sstream>

namespace coracle::caf::test {

namespace {

using coracle::test::below;
using coracle::test::Nodes;
using coracle::test::up_to;

constexpr unsigned hosts = 4;

// The state that all agents of a run share, and the first fault.
struct Scene {
  sim::World* world = nullptr;
  std::vector<Engagement> at_work;
  std::string wrong;
  std::uint64_t begun = 0;
  std::uint64_t contracts = 0;  // of the present client
  std::uint64_t settled = 0;
  std::uint64_t fulfilled = 0;
  std::uint64_t again = 0;  // awards after the first of a contract

  // No two valid engagements share an item of one contract.
  void look() {
    const Time now = world->now();
    for (std::size_t i = 0; i < at_work.size(); ++i) {
      const Engagement& one = at_work[i];
      if (!one.holds(now)) continue;
      for (std::size_t j = i + 1; j < at_work.size(); ++j) {
        const Engagement& other = at_work[j];
        const bool meets = other.holds(now) && (one.items() & other.items()) != 0 &&
                           one.contract().id == other.contract().id &&
                           one.client().name() == other.client().name();
        if (meets) {
          wrong = "awards " + std::to_string(one.award()) + " and " +
                  std::to_string(other.award()) + " hold at the same time";
        }
      }
    }
    std::erase_if(at_work, [now](const Engagement& each) { return !each.holds(now); });
  }
};

// A bidder that works for some time, or dies, or returns its engagement.
class Hand : public Bidder {
 public:
  Hand(Scene& scene, Random& random)
      : Bidder(1 + below(random, 3), static_cast<Promises>(below(random, 2)), random),
        scene_(scene),
        random_(random) {}
  // A dead bidder is not at work, however long its lease lasts.
  ~Hand() override {
    std::erase_if(scene_.at_work, [this](const Engagement& each) {
      return std::any_of(own_.begin(), own_.end(), [&](const Engagement& own) {
        return own.client().name() == each.client().name() &&
               own.contract().id == each.contract().id && own.award() == each.award();
      });
    });
  }

 protected:
  std::optional<Bid> bid_for(const Name&, const Contract& contract) override {
    if (below(random_, 8) == 0) return std::nullopt;
    Bid bid;
    for (std::uint64_t i = 0; i < 1 + below(random_, 2); ++i) {
      const Items some = 1 + below(random_, contract.all());
      bid.offerings.push_back({some, static_cast<Amount>(below(random_, 10))});
    }
    return bid;
  }
  Task<Fulfilment> fulfil(Engagement work) override {
    ++scene_.begun;
    scene_.at_work.push_back(work);
    own_.push_back(work);
    scene_.look();
    if (commitments().taken() > commitments().capacity()) scene_.wrong = "too much was promised";
    const std::uint64_t steps = 1 + below(random_, 6);
    for (std::uint64_t i = 0; i < steps; ++i) {
      co_await pause(up_to(random_, 6ms));
      switch (below(random_, 40)) {
        case 0:
          throw coracle::test::Crash("a bidder dies at work");
        case 1:
          co_return Fulfilment::failed("it is broken");
        case 2:
          co_await withdraw(work, "something better");
          break;
        case 3:
          (void)co_await report(work, "half");
          break;
        default:
          break;
      }
      if (!work.holds(now())) co_return Fulfilment::failed("too late");
    }
    co_return Fulfilment{true, "done"};
  }

 private:
  Scene& scene_;
  Random& random_;
  std::vector<Engagement> own_;
};

// A client with several contracts, one after the other in each of two tasks.
class Chief : public Client {
 public:
  Chief(Scene& scene, Random& random, std::vector<Name> bidders, bool is_mortal)
      : Client(random),
        scene_(scene),
        random_(random),
        bidders_(std::move(bidders)),
        is_mortal_(is_mortal) {}

 protected:
  Task<> act() override {
    spawn(announce(2));
    co_await announce(2);
  }
  void on_record(const ContractRecord& record) override {
    const std::vector<std::string> faults = retrace(record);
    if (!faults.empty()) scene_.wrong = "a record does not hold: " + faults.front();
    scene_.again += record.awards.size() > 1 ? record.awards.size() - 1 : 0;
  }

 private:
  Task<> announce(int count) {
    for (int i = 0; i < count; ++i) {
      Contract what;
      what.subject = "something";
      what.items.resize(1 + below(random_, 3), "item");
      what.bid_within = 2ms + up_to(random_, 20ms);
      what.lease = 2ms + up_to(random_, 20ms);
      what.bid_holds = 50ms;
      Procedure how;
      how.rule = below(random_, 2) == 0 ? Best::highest : Best::lowest;
      how.pricing = static_cast<Pricing>(below(random_, 2));
      how.seed = below(random_, 3);
      how.rounds = static_cast<std::uint32_t>(1 + below(random_, 3));
      how.back_off = up_to(random_, 4ms);
      how.accept_within = 1ms + up_to(random_, 10ms);
      if (below(random_, 2) == 0) how.fulfil_within = up_to(random_, 20ms);
      how.keep_bids = below(random_, 2) == 0;
      Invitation whom;
      whom.bidders = bidders_;
      if (!is_mortal_) ++scene_.contracts;
      const Settlement settlement = co_await contract(what, whom, how);
      if (settlement.ended == Ended::fulfilled) ++scene_.fulfilled;
      if (!is_mortal_) ++scene_.settled;
    }
  }

  Scene& scene_;
  Random& random_;
  std::vector<Name> bidders_;
  bool is_mortal_;
};

// One society with its faults.
class Story {
 public:
  explicit Story(std::uint64_t seed) : nodes_(options(seed)), random_(nodes_.world().random()) {
    scene_.world = &nodes_.world();
    for (unsigned i = 0; i < 3 + below(random_, 3); ++i)
      bidders_.push_back("hand/" + std::to_string(i));
    for (const Name& each : bidders_) hire(each, mortal_host(), false);
    put(0, "chief", false);
    if (below(random_, 2) == 0) put(mortal_host(), "mortal chief", true);
  }

  // Returns the first fault; empty: none.
  std::string play() {
    for (std::uint64_t i = 0; i < below(random_, 10); ++i) {
      nodes_.world().run_until([this] { return over(); }, Deadline(up_to(random_, 20ms)));
      if (over()) break;
      trouble();
    }
    nodes_.world().mend_all();
    if (!nodes_.world().run_until([this] { return over(); }, Deadline(Duration(120s)))) {
      return "a call does not end; " + std::to_string(scene_.settled) + " of " +
             std::to_string(scene_.contracts) + " contracts are settled";
    }
    return scene_.wrong;
  }
  const Scene& scene() const noexcept { return scene_; }

 private:
  sim::Options options(std::uint64_t seed) {
    sim::Options options;
    options.seed = seed;
    options.nodes = hosts;
    options.halt = [this] {
      if (scene_.world != nullptr && scene_.wrong.empty()) scene_.look();
      return false;
    };
    return options;
  }
  // Any host but the first, which never loses its power.
  unsigned mortal_host() { return static_cast<unsigned>(1 + below(random_, hosts - 1)); }
  bool over() const {
    return !scene_.wrong.empty() || (scene_.contracts >= 4 && scene_.settled == scene_.contracts);
  }
  void put(unsigned host, const char* name, bool is_mortal) {
    if (!nodes_.is_up(host)) return;
    auto chief = std::make_unique<Chief>(scene_, random_, bidders_, is_mortal);
    nodes_.at(host).adopt(name, std::move(chief));
  }
  void hire(const Name& name, unsigned host, bool takes_over) {
    if (!nodes_.is_up(host)) return;
    AgentSpec spec(name);
    if (takes_over) spec.take_over();
    auto hand = std::make_unique<Hand>(scene_, random_);
    try {
      nodes_.at(host).adopt(std::move(spec), std::move(hand));
    } catch (const Error&) {
      // The directory is unreachable, or another agent has the name: then nothing changes.
    }
  }
  void trouble() {
    const unsigned host = mortal_host();
    const auto other = static_cast<unsigned>((host + 1 + below(random_, hosts - 1)) % hosts);
    const std::uint64_t which = below(random_, Nodes::troubles + 1);
    if (which < Nodes::troubles) return nodes_.befall(which, host, other);
    hire(bidders_[below(random_, bidders_.size())], other == 0 ? 1 : other, true);
  }

  Scene scene_;
  std::vector<Name> bidders_;
  Nodes nodes_;
  Random& random_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(seeds)

// CORACLE_SEEDS is the number of seeds, CORACLE_SEED the first one.
BOOST_AUTO_TEST_CASE(whatever_happens_an_item_has_one_awardee_at_most_and_each_call_ends) {
  const std::uint64_t begin = sim::seed_from_environment(1);
  const std::uint64_t seeds = coracle::test::seeds_to_play(300);
  Scene sum;
  for (std::uint64_t seed = begin; seed < begin + seeds; ++seed) {
    Story story(seed);
    const std::string wrong = story.play();
    BOOST_TEST_REQUIRE(wrong == "", "CORACLE_SEED=" << seed << ": " << wrong);
    sum.contracts += story.scene().contracts;
    sum.fulfilled += story.scene().fulfilled;
    sum.begun += story.scene().begun;
    sum.again += story.scene().again;
  }
  std::cout << seeds << " seeds: " << sum.contracts << " contracts, " << sum.begun
            << " times somebody began, " << sum.fulfilled << " fulfilled, " << sum.again
            << " awards after the first\n";
  // These events did occur.
  BOOST_TEST(sum.fulfilled > seeds);
  BOOST_TEST(sum.again > seeds / 4);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::test
