// Acts of operators: off without a permission, and done where the agent is.
#include "coracle/operating.hpp"
#include "coracle/grants.hpp"
#include "coracle/inspection.hpp"
#include "coracle/supervisor.hpp"
#include "member.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::trust {

using namespace detail;

namespace {

class Reader final : public Agent {
 public:
  Task<> run() override {
    for (;;) (void)co_await receive();
  }
};

// A node alone, with a supervised agent.
struct Alone {
  explicit Alone(bool operators, const char* policy = nullptr) {
    world = std::make_unique<sim::World>();
    NodeOptions node_options;
    node_options.operators = operators;
    if (policy != nullptr) node_options.policy = parse_policy(policy).value();
    node = std::make_unique<Node>(world->realization(), node_options);
    auto boss = std::make_unique<Supervisor>();
    boss->child("kid", [] { return std::make_unique<Reader>(); });
    node->adopt("boss", std::move(boss));
    node->create<Reader>("free");
    world->run_for(10ms);
  }
  Errc act(OperatorAct what, const char* name) {
    try {
      operate(*node, what, name);
    } catch (const Error& error) {
      return error.errc();
    }
    world->run_for(10ms);
    return {};
  }
  std::unique_ptr<sim::World> world;
  std::unique_ptr<Node> node;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(operating)

BOOST_AUTO_TEST_CASE(acts_are_off_unless_the_node_allows_them) {
  Alone off(false);
  BOOST_TEST((off.act(OperatorAct::end, "free") == Errc::not_permitted));
  Alone denied(true, "allow ** register **\nallow ** send **");
  BOOST_TEST((denied.act(OperatorAct::end, "free") == Errc::not_permitted));
  BOOST_TEST((inspect(*denied.node, "free").activity == Activity::waits));
}

BOOST_AUTO_TEST_CASE(an_agent_is_ended_or_restarted_by_its_supervisor) {
  Alone alone(true);
  BOOST_TEST((alone.act(OperatorAct::restart, "free") == Errc::unsupported));
  BOOST_TEST((alone.act(OperatorAct::record, "free") == Errc::unsupported));
  BOOST_TEST((alone.act(OperatorAct::end, "nobody") == Errc::no_such_agent));
  BOOST_TEST((alone.act(OperatorAct::end, "free") == Errc{}));
  BOOST_TEST((inspect(*alone.node, "free").activity == Activity::absent));
  const Incarnation before = inspect(*alone.node, "kid").life;
  BOOST_TEST((alone.act(OperatorAct::restart, "kid") == Errc{}));
  const Inspection kid = inspect(*alone.node, "kid");
  BOOST_TEST((kid.life > before));
  BOOST_TEST(kid.restarts == 1U);
  BOOST_TEST_REQUIRE(kid.errors.size() == 1U);
  BOOST_TEST(kid.errors.front().text == "an operator has restarted it");
  BOOST_TEST((alone.act(OperatorAct::end, "kid") == Errc{}));
  BOOST_TEST((inspect(*alone.node, "kid").activity == Activity::absent));
}

BOOST_AUTO_TEST_CASE(a_policy_gives_the_right) {
  Alone alone(false, "allow ** register **\nallow ** send **\nallow local operate free");
  BOOST_TEST((alone.act(OperatorAct::end, "kid") == Errc::not_permitted));
  BOOST_TEST((alone.act(OperatorAct::end, "free") == Errc{}));
}

BOOST_AUTO_TEST_CASE(another_node_acts_only_if_the_directory_permits_it) {
  Lab lab;
  const LeaseId eve = lab.join();
  lab.claim(eve, "eve");
  lab.start("ann", [](Agent& me) -> Task<> { co_await me.pause(Deadline::never()); });
  lab.send(eve, Frame(act_frame).number(7).byte(0).text("ann").bytes());
  lab.run();
  const Bytes reply = lab.last(eve, acted_frame);
  BOOST_TEST((reply == Frame(acted_frame).number(7).byte(3).bytes()));
  BOOST_TEST(lab.node().agents() == 1U);
  // A reply that nobody waits for changes nothing; an act that is none makes no sense.
  lab.send(eve, Frame(acted_frame).number(1).byte(0).bytes());
  BOOST_TEST(!lab.is_refused(eve));
  lab.send(eve, Frame(act_frame).number(8).byte(4).text("ann").bytes());
  BOOST_TEST(lab.is_refused(eve));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::trust
