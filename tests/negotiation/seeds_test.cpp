// In the simulator: links are cut, hosts pause and lose their power, clients die. Each negotiation
// ends, its record can be retraced, and no level is bound before those below it.
#include "levels.hpp"
#include "nodes.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>

namespace coracle::caf::test {

namespace {

using coracle::test::below;
using coracle::test::Nodes;
using coracle::test::up_to;

constexpr unsigned hosts = 4;

// Dies sometimes, in the middle of a consideration.
class Mortal : public Chooser {
 public:
  Mortal(std::map<std::string, std::int64_t> likes, Diary& diary, std::uint64_t thoughts,
         bool& has_begun)
      : Chooser(std::move(likes), diary), thoughts_(thoughts), has_begun_(has_begun) {}

 protected:
  Judgement judge(const Name& arbiter, const PlanNode& node) override {
    has_begun_ = true;
    if (thoughts_-- == 0) throw Crash("a client dies");
    return Chooser::judge(arbiter, node);
  }

 private:
  std::uint64_t thoughts_;
  bool& has_begun_;
};

class Haggling {
 public:
  explicit Haggling(std::uint64_t seed) : nodes_(options(seed)), random_(nodes_.world().random()) {
    level(2, "engine", "", 1);
    level(1, "crane", "engine", 1);
    level(0, "site", "crane", 2);
    for (const char* each : {"ann", "bob"}) {
      const std::map<std::string, std::int64_t> likes = {
          {"north", 1 + static_cast<std::int64_t>(below(random_, 9))},
          {"south", 1 + static_cast<std::int64_t>(below(random_, 9))}};
      const std::uint64_t thoughts = below(random_, 4) == 0 ? below(random_, 4) : 1000;
      nodes_.at(3).adopt(each, std::make_unique<Mortal>(likes, diary_, thoughts, has_begun_));
    }
  }

  std::string play() {
    const std::uint64_t troubles = below(random_, 12);
    for (std::uint64_t i = 0; i < troubles && !is_over_; ++i) {
      nodes_.world().run_until([this] { return is_over_ || !wrong_.empty(); },
                               Deadline(up_to(random_, 1ms)));
      trouble();
    }
    nodes_.world().mend_all();
    const bool has_ended = nodes_.world().run_until([this] { return is_over_ || !wrong_.empty(); },
                                                    Deadline(Duration(300s)));
    // The requests may have been lost with their host.
    const bool has_begun = nodes_.is_up(3) || has_begun_;
    if (wrong_.empty() && !has_ended && has_begun) return "it does not end\n" + diary_.all();
    return wrong_;
  }
  bool has_agreed() const { return has_agreed_; }
  std::uint64_t silences() const { return silences_; }

 private:
  static sim::Options options(std::uint64_t seed) {
    sim::Options options;
    options.seed = seed;
    options.nodes = hosts;
    return options;
  }
  void level(unsigned host, const char* name, const char* below_it, std::size_t clients) {
    ArbiterOptions options;
    options.clients = clients;
    options.gather = 2s;
    options.negotiation.rule = utilitarian();
    options.negotiation.answer_within = 20ms + up_to(random_, 200ms);
    options.negotiation.silent = static_cast<Silent>(below(random_, 3));
    const char* const ways[] = {"", "", "north", "south"};
    const auto told = [this](const std::string& who, const Negotiation& one) { look(who, one); };
    nodes_.at(host).adopt(name, std::make_unique<Level>(below_it, ways[below(random_, 4)], diary_,
                                                        options, told, random_));
  }
  // Inspects the moment when an agent is bound, or is not.
  void look(const std::string& who, const Negotiation& one) {
    const auto faults = renegotiate(one.record(), Works());
    if (!faults.empty()) wrong_ = who + "'s record does not hold: " + faults.front();
    for (const Incident& each : one.record().incidents) silences_ += each.what == "silence" ? 1 : 0;
    const bool is_bound = one.stage() == Bargaining::agreed;
    bound_[who] = is_bound ? way_of(one) : "";
    const std::string needs = who == "site" ? "crane" : who == "crane" ? "engine" : "";
    const bool does_something = is_bound && bound_[who] != "nothing";
    if (does_something && !needs.empty() && bound_[needs] != bound_[who]) {
      wrong_ =
          who + " is bound to " + bound_[who] + " and " + needs + " to '" + bound_[needs] + "'";
    }
    if (who != "site" || one.record().outcome.why == "a request has changed") return;
    has_agreed_ = is_bound;
    is_over_ = is_bound || one.stage() == Bargaining::failed;
  }
  void trouble() {
    const auto host = static_cast<unsigned>(below(random_, hosts));
    const auto other = static_cast<unsigned>((host + 1 + below(random_, hosts - 1)) % hosts);
    switch (below(random_, 5)) {
      case 0:
        return nodes_.world().cut(host, other);
      case 1:
        return nodes_.world().mend_all();
      case 2:
      case 3:
        return (void)nodes_.world().pause(host, up_to(random_, 40ms));
      default:
        if (below(random_, 6) == 0 && nodes_.is_up(3)) nodes_.crash(3);
    }
  }

  Diary diary_;
  bool is_over_ = false;
  bool has_begun_ = false;
  bool has_agreed_ = false;
  std::string wrong_;
  std::uint64_t silences_ = 0;
  std::map<std::string, std::string> bound_;
  Nodes nodes_;
  Random& random_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(seeds)

// CORACLE_SEEDS is the number of seeds, CORACLE_SEED the first one.
BOOST_AUTO_TEST_CASE(whatever_happens_it_ends_and_no_level_is_bound_before_those_below_it) {
  const std::uint64_t begin = sim::seed_from_environment(1);
  const std::uint64_t seeds = coracle::test::seeds_to_play(400);
  std::uint64_t agreed = 0;
  std::uint64_t silences = 0;
  for (std::uint64_t seed = begin; seed < begin + seeds; ++seed) {
    Haggling story(seed);
    const std::string wrong = story.play();
    BOOST_TEST_REQUIRE(wrong == "", "CORACLE_SEED=" << seed << ": " << wrong);
    agreed += story.has_agreed() ? 1 : 0;
    silences += story.silences();
  }
  std::cout << seeds << " seeds: " << agreed << " agreed, " << silences << " silences\n";
  // These events did occur.
  BOOST_TEST(agreed > seeds / 4);
  BOOST_TEST(agreed < seeds);
  BOOST_TEST(silences > seeds / 20);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::test
