// In the simulator: planners and arbiters that take their time. Their other negotiations go on.
#include "levels.hpp"
#include "nodes.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::caf::test {

namespace {

using coracle::test::Nodes;

// Takes long to judge for one arbiter.
class Pensive : public Planner {
 public:
  Pensive(Duration takes, std::map<std::string, PlanOutcome>& outcomes)
      : takes_(takes), outcomes_(outcomes) {}

 protected:
  Task<> act() override {
    spawn(ask_for("quick"));
    co_await pause(1s);
    co_await ask_for("slow");
  }
  Judgement judge(const Name&, const PlanNode& node) override {
    Judgement judgement;
    judgement.worth = {node.state.empty() ? 0 : 1, 1, node.cost, 0, true};
    if (node.state.empty()) judgement.moves = {"north"};
    return judgement;
  }
  Task<Judgement> consider_node(const Name& arbiter, const PlanNode& node) override {
    if (arbiter == Name("slow") && !node.state.empty()) co_await pause(takes_);
    co_return judge(arbiter, node);
  }

 private:
  Task<> ask_for(std::string arbiter) {
    PlanRequest request;
    request.threshold = 1;
    const Name whom(arbiter);
    outcomes_[arbiter] = co_await this->request(whom, request);
  }

  Duration takes_;
  std::map<std::string, PlanOutcome>& outcomes_;
};

// Notes the handling of its plans; to prepare and to release them may take long.
class Reluctant : public Arbiter {
 public:
  Reluctant(Duration prepares, Duration releases, Diary& diary, Random& random)
      : Arbiter(std::make_shared<Works>(), "", options(), random),
        prepares_(prepares),
        releases_(releases),
        diary_(diary) {}

 protected:
  Task<std::string> prepare(Plan) override {
    diary_.note("prepares");
    co_await pause(prepares_);
    co_return std::string();
  }
  Task<> release() override {
    diary_.note("releases");
    co_await pause(releases_);
    diary_.note("has released");
  }
  Task<std::string> perform(std::string move, Game::Step) override {
    diary_.note("performs " + move);
    co_return std::string();
  }
  void on_record(const Negotiation& negotiation) override {
    diary_.note("outcome: " + negotiation.record().outcome.why);
  }

 private:
  static ArbiterOptions options() {
    ArbiterOptions options;
    options.negotiation.answer_within = 60s;
    options.negotiation.within = 300s;
    options.go_within = 3s;
    return options;
  }

  Duration prepares_;
  Duration releases_;
  Diary& diary_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(slow)

BOOST_AUTO_TEST_CASE(a_planner_says_go_while_it_judges_for_another_arbiter) {
  std::map<std::string, PlanOutcome> outcomes;
  Diary slow;
  Diary quick;
  Nodes nodes(3);
  Random& random = nodes.world().random();
  // "quick" agrees to its plan after ann has begun to consider a node of "slow".
  nodes.at(0).adopt("slow", std::make_unique<Reluctant>(0s, 0s, slow, random));
  nodes.at(1).adopt("quick", std::make_unique<Reluctant>(5s, 0s, quick, random));
  nodes.at(2).adopt("ann", std::make_unique<Pensive>(20s, outcomes));
  nodes.until([&] { return outcomes.size() == 2; }, 300s);
  BOOST_TEST(outcomes["slow"].agreed, outcomes["slow"].why);
  BOOST_TEST(outcomes["quick"].agreed, outcomes["quick"].why);
  (void)nodes.world().run_until([&] { return slow.has("performs"); }, Deadline(Duration(10s)));
  BOOST_TEST(slow.has("performs north"), slow.all());
  BOOST_TEST(quick.has("performs north"), quick.all());
}

BOOST_AUTO_TEST_CASE(an_arbiter_takes_requests_while_it_releases) {
  Diary diary;
  Nodes nodes(2);
  Random& random = nodes.world().random();
  nodes.at(0).adopt("site", std::make_unique<Reluctant>(0s, 30s, diary, random));
  bool is_over = false;
  nodes.start(1, "client", [&](Agent& me) -> Task<> {
    PlanRequest wish;
    wish.threshold = 1;
    PlanRequest nothing;
    nothing.withdraws = true;
    // The first request is withdrawn during its negotiation, and sent again.
    const Content requests[] = {Content::of(PlanRequest(wish)), Content::of(PlanRequest(nothing)),
                                Content::of(PlanRequest(wish))};
    for (const Content& each : requests) {
      const Content request = each;
      const Time begun = me.now();
      (void)co_await me.ask("site", request, 60s);
      expect(me.now() - begun < 1s, "it is taken at once");
    }
    is_over = true;
  });
  nodes.until([&] { return is_over; }, 300s);
  nodes.until([&] { return diary.has("has released"); }, 300s);
  // Its next release comes after that.
  const std::string all = diary.all();
  const std::size_t first = all.find("releases\n");
  BOOST_TEST(all.find("has released\n") < all.find("releases\n", first + 1), all);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::caf::test
