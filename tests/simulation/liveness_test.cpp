// Once faults have stopped, everything ends in time, or the checker reports what does not.
#include "model/liveness.hpp"

#include "coracle/coracle.hpp"
#include "coracle/realizations/sim.hpp"
#include "model/model.hpp"
#include "plans.hpp"
#include "subjects.hpp"
#include "support/societies/test_society.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::conformance {

namespace {

using namespace std::chrono_literals;

// Runs a node with one agent to its end; returns the checker's verdict.
std::string verdict_on(const test::Body& body, Duration allowed, Duration& took) {
  sim::World world;
  test::Proceedings proceedings;
  Node node(world.realization());
  node.adopt("ann", std::make_unique<test::Actor>(body, proceedings));
  world.run_for(1s);
  bool calmed = false;
  const Realization parts = world.realization();
  const Drained drained =
      drain({&node}, parts.driver, world.clock(), allowed, [&calmed] { calmed = true; });
  test::expect(calmed, "faults are stopped first");
  took = drained.liveness.took;
  Trace trace;
  trace.liveness = drained.liveness;
  return to_string(judge(trace));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(liveness)

BOOST_AUTO_TEST_CASE(a_society_that_waits_for_messages_ends_at_once) {
  Duration took{};
  const test::Body reading = [](Agent& me) -> Task<> {
    for (;;) co_await me.receive();
  };
  BOOST_TEST(verdict_on(reading, 60s, took) == "");
  BOOST_TEST((took < 1s));
}

BOOST_AUTO_TEST_CASE(an_agent_that_will_not_end_is_named) {
  Duration took{};
  const test::Body stubborn = [](Agent& me) -> Task<> {
    for (;;) {
      try {
        co_await me.pause(10ms);
      } catch (const Error&) {
        // The agent goes on although its node stops.
      }
      co_await me.yield();
    }
  };
  const std::string verdict = verdict_on(stubborn, 100ms, took);
  BOOST_TEST(verdict.find("ann had not ended 0.1") != std::string::npos, verdict);
}

BOOST_AUTO_TEST_CASE(generated_societies_end_long_before_the_limit) {
  Duration longest{};
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const sim::Options options = options_of(seed);
    sim::World world(options);
    const Trace trace = perform(plan_of(seed, Size::small), subject_in(world, options.workers));
    BOOST_TEST_REQUIRE(to_string(judge(trace)) == "");
    BOOST_TEST((trace.liveness.allowed == liveness_limit));
    longest = std::max(longest, trace.liveness.took);
  }
  BOOST_TEST((longest > 0ns && longest < 1s));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::conformance
