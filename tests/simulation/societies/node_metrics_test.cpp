// The metrics that a node measures itself, in a simulated world.
#include "coracle/agent.hpp"
#include "coracle/metrics.hpp"
#include "coracle/node.hpp"
#include "coracle/realizations/sim.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <memory>
#include <string>

namespace coracle {

namespace {

using namespace std::chrono_literals;

class Body : public Agent {
 public:
  explicit Body(std::function<Task<>(Agent&)> what) : what_(std::move(what)) {}
  Task<> run() override { return what_(*this); }

 private:
  std::function<Task<>(Agent&)> what_;
};

bool about(double a, double b) { return std::abs(a - b) <= 0.1 * std::abs(b); }

}  // namespace

BOOST_AUTO_TEST_SUITE(node_metrics)

BOOST_AUTO_TEST_CASE(rates_and_mailboxes_of_agents_and_of_their_node_are_measured) {
  sim::World world{sim::Options{}};
  NodeOptions options;
  options.workers = 2;
  Node node(world.realization(0), options);
  node.adopt("slow", std::make_unique<Body>([](Agent& me) -> Task<> {
               for (;;) {
                 (void)co_await me.receive();
                 co_await me.pause(100ms);
               }
             }));
  node.adopt("fast", std::make_unique<Body>([](Agent& me) -> Task<> {
               for (;;) {
                 co_await me.send("slow", "12345678");
                 co_await me.pause(50ms);
               }
             }));
  world.run_for(5s);
  Metrics& metrics = node.metrics();
  world.run_for(10500ms);
  BOOST_TEST(about(metrics.get("Agent(fast):MessagesOut").value, 20));
  BOOST_TEST(about(metrics.get("Agent(slow):MessagesIn").value, 10));
  BOOST_TEST(metrics.get("Agent(slow):MessagesOut").value == 0);
  BOOST_TEST(metrics.get("Agent(slow):MessagesOut").unit == "1/s");
  const double waiting = metrics.get("Agent(slow):Queue(Waiting)").value;
  BOOST_TEST(about(waiting, 150));
  BOOST_TEST(metrics.get("Agent(slow):Queue(Bytes)").value == waiting * 8);
  const double half = metrics.average("Agent(slow):Queue(Waiting)", 5s).value;
  BOOST_TEST(half < waiting);
  BOOST_TEST(half > waiting / 2);
  // A value that an agent does not have is that of its node.
  BOOST_TEST(metrics.get("Agent(slow):Agents").value == 2);
  const auto all = metrics.all();
  BOOST_TEST(all.size() == 2 * 4 + 5U);
}

BOOST_AUTO_TEST_CASE(values_of_agents_that_have_ended_become_old) {
  sim::World world{sim::Options{}};
  Node node(world.realization(0));
  Metrics& metrics = node.metrics();
  node.adopt("short", std::make_unique<Body>([](Agent& me) -> Task<> { co_await me.pause(3s); }));
  world.run_for(2500ms);
  BOOST_TEST(metrics.get("Agent(short):Queue(Waiting)").credibility > 0.7);
  world.run_for(60s);
  BOOST_TEST(metrics.get("Agent(short):Queue(Waiting)").credibility < 0.1);
  BOOST_TEST(metrics.get("Agent(short):Agents").value == 0);
}

BOOST_AUTO_TEST_CASE(only_so_many_agents_have_metrics_of_their_own) {
  sim::World world{sim::Options{}};
  NodeOptions options;
  options.metrics_agents = 3;
  Node node(world.realization(0), options);
  Metrics& metrics = node.metrics();
  for (int i = 0; i < 10; ++i)
    node.adopt("a" + std::to_string(i),
               std::make_unique<Body>([](Agent& me) -> Task<> { (void)co_await me.receive(); }));
  world.run_for(3s);
  BOOST_TEST(metrics.get("Agent(a9):Agents").value == 10);
  BOOST_TEST(metrics.all().size() <= 3 * 4 + 5U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle
