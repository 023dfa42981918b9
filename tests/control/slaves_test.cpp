// In virtual time: slaves that are wrong, hostile or about to leave, and the reaction of their
// masters.
#include "coracle/dispel/master.hpp"
#include "coracle/dispel/slave.hpp"
#include "coracle/endings.hpp"
#include "nodes.hpp"
#include "workplace.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace coracle::dispel::test {

namespace {

using coracle::test::Nodes;
using Number = std::int64_t;

// The end of a division, and the refusals that its master received.
struct Outcome {
  std::string said;
  std::vector<std::string> refusals;
};

// Has some numbers doubled; dies after a while if it is mortal.
class Doubles : public Master<Number, Number> {
 public:
  Doubles(std::vector<Name> slaves, Outcome* outcome, Division how = {}, Duration life = 1h)
      : Master(std::move(slaves)), outcome_(outcome), how_(how), life_(life) {}

  Task<> run() override {
    spawn(die());
    try {
      std::vector<Number> tasks = {1, 2, 3};
      const std::vector<Number> results = co_await divide(std::move(tasks), how_);
      for (const Number each : results) outcome_->said += std::to_string(each) + " ";
    } catch (const Error& error) {
      if (error.errc() == Errc::stopped) throw;
      outcome_->said = error.sentence();
    }
    co_await pause(1h);
  }

 protected:
  void on_refusal(const Name&, const std::string& why) override {
    outcome_->refusals.push_back(why);
  }

 private:
  Task<> die() {
    co_await pause(life_);
    throw Crash("it is mortal");
  }

  Outcome* outcome_;
  Division how_;
  Duration life_;
};

// Doubles numbers, one in each interval.
class Doubler : public Slave<Number, Number> {
 public:
  explicit Doubler(Duration takes = {}, Orphan orphan = Orphan::waits)
      : Slave(orphan), takes_(takes) {}

 protected:
  Task<Number> consider(const Number& number) override {
    if (takes_ > Duration::zero()) co_await pause(takes_);
    co_return number * 2;
  }

 private:
  Duration takes_;
};

// Leaves its master, but does not end.
struct Retired : Doubler {
  Retired() : Doubler({}, Orphan::leaves) {}
  Task<> run() override {
    co_await work_as_slave();
    co_await pause(1h);
  }
};

// Is no slave, and replies to its chosen masters with any content.
struct Impostor : Agent {
  using Answer = std::function<Content(Agent&, const Content&)>;
  // `tasks`: its reply to tasks; may be empty.
  Impostor(unsigned* asked, Answer hire, Answer tasks = {})
      : asked_(asked), hire_(std::move(hire)), tasks_(std::move(tasks)) {}

  Task<> run() override {
    for (;;) {
      const Message message = co_await receive();
      const Content content = message.content();
      if (message.is_request()) {
        ++*asked_;
        const Content answer = hire_(*this, content);
        co_await reply(message, answer);
      } else if (tasks_) {
        const Content answer = tasks_(*this, content);
        co_await send(message.source(), answer);
      }
    }
  }

 private:
  unsigned* asked_;
  Answer hire_;
  Answer tasks_;
};

Content hired_in(Incarnation life) { return Content::of(detail::Hired{life.epoch, life.counter}); }

Impostor::Answer lying_hired_in(Incarnation life) {
  return [life](Agent&, const Content&) { return hired_in(life); };
}

constexpr std::uint32_t largest = std::numeric_limits<std::uint32_t>::max();
const std::string doubled = "2 4 6 ";

// Replies that the contract is unknown, and then dies.
class Forgetful : public Slave<Number, Number> {
 public:
  explicit Forgetful(int* deaths) : deaths_(deaths) {}
  Task<> run() override {
    for (;;) {
      Message message = co_await receive();
      if (message.is_request()) {
        const Content answer = hired_in(life_of(*this));
        co_await reply(message, answer);
        continue;
      }
      const auto tasks = message.content().as<detail::Tasks<Number>>();
      const Content unknown = Content::of(detail::UnknownContract{tasks.contract});
      co_await send(message.source(), unknown);
      message.acknowledge();  // its successor does not receive it again
      ++*deaths_;
      throw Crash("it forgets itself");
    }
  }

 private:
  int* deaths_;
};

// Restarts an agent whenever it ends.
Body keeping(Name name, int* deaths) {
  return [name, deaths](Agent& me) -> Task<> {
    for (;;) {
      auto slave = std::make_unique<Forgetful>(deaths);
      co_await me.adopt(AgentSpec(name), std::move(slave));
      co_await me.watch(name);
    }
  };
}

}  // namespace

BOOST_AUTO_TEST_SUITE(slaves)

BOOST_AUTO_TEST_CASE(one_that_answers_something_else_is_passed_over) {
  Nodes nodes(2);
  Outcome outcome;
  unsigned asked = 0;
  nodes.at(1).adopt("good", std::make_unique<Doubler>());
  nodes.at(1).adopt("bad", std::make_unique<Impostor>(&asked, [](Agent&, const Content&) {
                      return Content("at your service");
                    }));
  const std::vector<Name> both = {"bad", "good"};
  nodes.at(0).adopt("boss", std::make_unique<Doubles>(both, &outcome));
  nodes.until([&] { return !outcome.said.empty(); });
  BOOST_TEST(outcome.said == doubled);
  nodes.world().run_for(60s);
  BOOST_TEST(asked == 1U);
  BOOST_TEST_REQUIRE(outcome.refusals.size() == 1U);
  BOOST_TEST(outcome.refusals[0] == "'bad' does not answer a master as a slave does");
}

BOOST_AUTO_TEST_CASE(one_that_lies_about_its_life_is_passed_over) {
  for (const Incarnation life : {Incarnation{0, 0}, Incarnation{largest, largest}}) {
    Nodes nodes(2);
    Outcome outcome;
    unsigned asked = 0;
    nodes.at(1).adopt("good", std::make_unique<Doubler>());
    nodes.at(1).adopt("bad", std::make_unique<Impostor>(&asked, lying_hired_in(life)));
    const std::vector<Name> both = {"bad", "good"};
    nodes.at(0).adopt("boss", std::make_unique<Doubles>(both, &outcome));
    nodes.until([&] { return !outcome.said.empty() || asked > 1000; });
    BOOST_TEST(outcome.said == doubled);
    nodes.world().run_for(60s);
    BOOST_TEST(asked <= 200U);
    BOOST_TEST_REQUIRE(outcome.refusals.size() == 1U);
    BOOST_TEST(outcome.refusals[0] ==
               "the directory has no entry of 'bad' with the incarnation that it reported");
  }
}

BOOST_AUTO_TEST_CASE(a_master_with_nobody_but_a_liar_is_told) {
  Nodes nodes(1);
  Outcome outcome;
  unsigned asked = 0;
  nodes.at(0).adopt("bad", std::make_unique<Impostor>(&asked, lying_hired_in({largest, largest})));
  const std::vector<Name> one = {"bad"};
  nodes.at(0).adopt("boss", std::make_unique<Doubles>(one, &outcome));
  nodes.until([&] { return !outcome.said.empty(); });
  BOOST_TEST(outcome.said.find("the directory has no entry of 'bad'") != std::string::npos,
             outcome.said);
}

BOOST_AUTO_TEST_CASE(one_that_knows_no_contract_has_not_died) {
  Nodes nodes(2);
  Outcome outcome;
  unsigned asked = 0;
  nodes.at(1).adopt("good", std::make_unique<Doubler>());
  // This slave never knows any of its master's contracts.
  const auto hire = [](Agent& me, const Content&) { return hired_in(life_of(me)); };
  const auto forget = [](Agent&, const Content& tasks) {
    const std::uint64_t contract = tasks.as<detail::Tasks<Number>>().contract;
    return Content::of(detail::UnknownContract{contract});
  };
  nodes.at(1).adopt("bad", std::make_unique<Impostor>(&asked, hire, forget));
  Division how;
  how.shares = Shares::dynamic;
  how.attempts = 1;
  const std::vector<Name> both = {"bad", "good"};
  nodes.world().run_for(1s);
  nodes.at(0).adopt("boss", std::make_unique<Doubles>(both, &outcome, how));
  nodes.until([&] { return !outcome.said.empty(); });
  BOOST_TEST(asked > 0U);
  BOOST_TEST(outcome.said == doubled);
}

BOOST_AUTO_TEST_CASE(one_that_dies_after_it_knew_no_contract_has_died) {
  Nodes nodes(2);
  Outcome outcome;
  int deaths = 0;
  nodes.start(1, "keeper", keeping("bad", &deaths));
  Division how;
  how.shares = Shares::dynamic;
  how.attempts = 3;
  const std::vector<Name> one = {"bad"};
  nodes.at(0).adopt("boss", std::make_unique<Doubles>(one, &outcome, how));
  nodes.until([&] { return !outcome.said.empty(); });
  BOOST_TEST(outcome.said.find("died over task") != std::string::npos, outcome.said);
  BOOST_TEST(deaths <= 7, deaths);
}

BOOST_AUTO_TEST_CASE(one_at_work_that_would_leave_stays_for_a_master_who_comes_back) {
  for (const unsigned home : {0U, 1U}) {
    Nodes nodes(2);
    Outcome first;
    Outcome second;
    const std::vector<Name> one = {"slave"};
    nodes.at(1).adopt("slave", std::make_unique<Doubler>(60s, Orphan::leaves));
    nodes.at(home).adopt("boss", std::make_unique<Doubles>(one, &first, Division{}, 10s));
    nodes.world().run_for(20s);
    BOOST_TEST(first.said == "");
    nodes.at(home).adopt("boss", std::make_unique<Doubles>(one, &second));
    nodes.until([&] { return !second.said.empty(); }, 10min);
    BOOST_TEST(second.said == doubled);
  }
}

BOOST_AUTO_TEST_CASE(one_that_has_left_refuses_and_its_successor_serves) {
  Nodes nodes(2);
  Outcome first;
  Outcome second;
  const std::vector<Name> both = {"slave", "good"};
  const std::vector<Name> one = {"slave"};
  nodes.at(1).adopt("slave", std::make_unique<Retired>());
  nodes.at(0).adopt("first", std::make_unique<Doubles>(one, &first, Division{}, 10s));
  nodes.world().run_for(20s);
  BOOST_TEST(first.said == doubled);
  nodes.at(0).adopt("second", std::make_unique<Doubles>(both, &second));
  nodes.until([&] { return !second.refusals.empty(); });
  const std::string why = "'slave' serves nobody any more, since its master is gone";
  BOOST_TEST(second.refusals[0].find(why) != std::string::npos, second.refusals[0]);
  BOOST_TEST(second.said == "");
  nodes.start(1, "usurper", [](Agent& me) -> Task<> {
    AgentSpec spec("slave");
    auto successor = std::make_unique<Doubler>();
    co_await me.adopt(spec.take_over(), std::move(successor));
    co_await me.pause(1h);
  });
  nodes.until([&] { return !second.said.empty(); });
  BOOST_TEST(second.said == doubled);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::dispel::test
