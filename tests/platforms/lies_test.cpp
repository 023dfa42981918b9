// Two honest platforms and one that lies, in the simulator: whatever the liar sends and answers,
// the conversations of the two keep their order, get each answer once, and end in time; nobody is
// spoken for by another platform's gateway; nothing that is not exposed is named.
#include "honest.hpp"
#include "liar.hpp"
#include "support/seeds.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>

namespace coracle::fipa::test {

namespace {

const std::vector<std::string> agents = {"lab/ann",  "lab/echo",   "lab/work", "lab/reader",
                                         "lab/full", "lab/nobody", "boss"};

// The two platforms and the liar, under a seed.
class Story {
 public:
  explicit Story(std::uint64_t seed)
      : world_(sim::Options{.seed = seed, .nodes = 3}),
        net_(world_, {"here", "there", "liar"}),
        here_(net_, options("here")),
        there_(net_, options("there")),
        liars_(net_.parts_of("liar")) {
    hire(here_, there_);
    hire(there_, here_);
    const std::vector<std::string> victims = {"here", "there"};
    liars_.adopt("eve", std::make_unique<Liar>(net_, deeds_, victims, agents));
  }

  // Returns the first fault; empty: none.
  std::string play() {
    const auto is_over = [this] { return !judge_.wrong().empty() || judge_.ended() == 2; };
    if (!world_.run_until(is_over, Deadline(1h))) return "a conversation does not end";
    if (!deeds_.problem.empty()) return "the liar has ended: " + deeds_.problem;
    for (const std::string& each : deeds_.learnt) {
      if (each.find(hidden) != std::string::npos) return "the liar learns of a hidden agent";
      if (each.find(private_mark) != std::string::npos)
        return "the liar gets a letter for another platform:\n" + each;
    }
    return judge_.wrong();
  }
  std::uint64_t lies() const noexcept { return deeds_.lies; }
  std::size_t learnt() const noexcept { return deeds_.learnt.size(); }
  std::uint64_t conversations() const noexcept { return judge_.conversations(); }

 private:
  // Small limits, so that they are reached.
  static GatewayOptions options(const std::string& platform) {
    GatewayOptions options;
    options.platform = platform;
    options.exposed = {"lab/**"};
    options.foreign_agents = most_foreign;
    options.foreign_agents_per_platform = 20;
    options.letters = 1500;
    options.letters_per_address = 700;
    options.facilitator.entries = 80;
    options.facilitator.entries_per_platform = 20;
    options.facilitator.subscriptions = 20;
    options.facilitator.subscriptions_per_platform = 10;
    options.facilitator.searches = 20;
    options.facilitator.children = 10;
    return options;
  }
  void hire(SocietyUnderTest& here, SocietyUnderTest& there) {
    Node& node = here.node();
    const std::string& platform = here.platform();
    node.adopt("lab/echo", std::make_unique<Echo>(judge_, platform));
    node.adopt("lab/work", std::make_unique<Worker>(here.settings()));
    node.adopt("lab/reader", std::make_unique<Reader>(judge_, platform));
    node.adopt("lab/full", std::make_unique<Full>());
    node.adopt("boss", std::make_unique<Hidden>(judge_));
    node.adopt(hidden, std::make_unique<Hidden>(judge_));
    node.adopt("lab/ann", std::make_unique<Chief>(judge_, net_.world().random(), here, there));
  }

  sim::World world_;
  Net net_;
  Judge judge_;
  Deeds deeds_;
  SocietyUnderTest here_, there_;
  Node liars_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(lies)

// CORACLE_SEEDS is the number of seeds, CORACLE_SEED the first one.
BOOST_AUTO_TEST_CASE(whatever_a_platform_lies_others_are_served_and_learn_nothing_wrong) {
  const std::uint64_t begin = sim::seed_from_environment(1);
  const std::uint64_t count = coracle::test::seeds_to_play(15);
  std::uint64_t lies = 0, conversations = 0, learnt = 0;
  for (std::uint64_t seed = begin; seed < begin + count; ++seed) {
    Story story(seed);
    const std::string wrong = story.play();
    BOOST_TEST_REQUIRE(wrong == "", "CORACLE_SEED=" << seed << ": " << wrong);
    lies += story.lies();
    conversations += story.conversations();
    learnt += story.learnt();
  }
  std::cout << count << " seeds: " << conversations << " conversations, " << lies << " lies, "
            << learnt << " letters to the liar\n";
  // These events did occur.
  BOOST_TEST(lies > 100 * count);
  BOOST_TEST(learnt > count);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::fipa::test
