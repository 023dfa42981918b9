// A seed makes faults, and a list of faults is shortened.
#include "nodes.hpp"
#include "plans.hpp"
#include "support/societies/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <numeric>
#include <set>

namespace coracle::conformance {

namespace {

using namespace std::chrono_literals;

sim::Faults numbered(unsigned count) {
  sim::Faults faults(count);
  for (unsigned host = 0; host < count; ++host) faults[host].host = host;
  return faults;
}

bool has(const sim::Faults& faults, unsigned host) {
  return std::ranges::any_of(faults,
                             [host](const sim::Fault& fault) { return fault.host == host; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fault_plan)

BOOST_AUTO_TEST_CASE(only_what_is_needed_is_left) {
  const auto fails = [](const sim::Faults& fewer) { return has(fewer, 3) && has(fewer, 11); };
  const std::vector<std::size_t> expected = {3, 11};
  BOOST_TEST(sim::needed(numbered(20), fails) == expected, boost::test_tools::per_element());
  BOOST_TEST(sim::needed(numbered(20), [](const sim::Faults&) { return true; }).empty());
  BOOST_TEST(sim::needed({}, [](const sim::Faults&) { return true; }).empty());
}

BOOST_AUTO_TEST_CASE(it_is_not_tried_more_often_than_allowed) {
  unsigned tried = 0;
  const auto fails = [&tried](const sim::Faults& fewer) {
    ++tried;
    return has(fewer, 3) && has(fewer, 11);
  };
  const auto left = sim::needed(numbered(20), fails, 7);
  BOOST_TEST(tried == 7u);
  BOOST_TEST(has(sim::only(numbered(20), left), 3));
}

BOOST_AUTO_TEST_CASE(a_seed_makes_faults_of_every_kind_and_the_first_host_never_crashes) {
  std::set<sim::Fault::Kind> kinds;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    for (const sim::Fault& fault : sim::random_faults(seed, 5)) {
      kinds.insert(fault.kind);
      BOOST_TEST((fault.host < 5 && fault.other < 5));
      if (fault.kind == sim::Fault::Kind::crash) BOOST_TEST(fault.host != 0u);
      else BOOST_TEST(fault.host != fault.other);
    }
  }
  BOOST_TEST(kinds.size() == 4u);
  BOOST_TEST(sim::random_faults(7, 1).empty());
}

// Sends a greeting from one host to another, which must arrive within a second.
void greet(sim::World& world, const sim::Faults& faults) {
  test::Proceedings proceedings;
  Node here(world.realization(0));
  Node there(world.realization(1));
  sim::Trouble trouble(world, faults);
  bool came = false;
  test::Body bob = [&came](Agent& me) -> Task<> {
    (void)co_await me.receive();
    came = true;
  };
  there.adopt("bob", std::make_unique<test::Actor>(bob, proceedings));
  here.adopt("ann", std::make_unique<test::Actor>(test::sender("bob", 0, 1), proceedings));
  const bool in_time = world.run_until([&came] { return came; }, Deadline(1s));
  trouble.call_off();
  proceedings.rethrow();
  if (!in_time) throw std::runtime_error("the greeting did not come");
}

BOOST_AUTO_TEST_CASE(a_play_that_fails_is_left_with_the_faults_that_matter) {
  using Kind = sim::Fault::Kind;
  const sim::Faults faults = {{Kind::pause, 0ms, 1ms, 2, 0},
                              {Kind::cut, 0ms, 10s, 1, 2},
                              {Kind::cut, 0ms, 10s, 0, 1},
                              {Kind::part, 2s, 1s, 0, 1},
                              {Kind::crash, 0ms, 1s, 2, 0}};
  sim::Options options;
  options.nodes = 3;
  const sim::Faults left = sim::World::shrink(greet, faults, options);
  BOOST_TEST_REQUIRE(left.size() == 1u);
  BOOST_TEST(to_string(left.front()) ==
             "after 0 us, for 10000000 us: the link is cut from host 0 to host 1");
  BOOST_TEST(sim::World::shrink(greet, {faults.front()}, options).size() == 1u);
}

// Fewer faults may cause another failure than the one that was looked for.
BOOST_AUTO_TEST_CASE(a_failure_is_not_taken_for_another_one) {
  using Kind = sim::Fault::Kind;
  const sim::Faults faults = {
      {Kind::pause, 0ms, 1ms, 0, 0}, {Kind::pause, 1ms, 1ms, 0, 0}, {Kind::pause, 2ms, 1ms, 0, 0}};
  const auto play = [](sim::World&, const sim::Faults& some) {
    if (some.size() < 2) throw std::runtime_error("nobody came");
    throw std::runtime_error("ann has " + std::to_string(some.size()) + " letters too many");
  };
  BOOST_TEST(sim::World::shrink(play, faults).size() == 2u);
  const auto any = [](std::string_view, std::string_view) { return true; };
  BOOST_TEST(sim::World::shrink(play, faults, {}, any).empty());
}

BOOST_AUTO_TEST_CASE(a_fault_of_a_host_that_is_not_there_is_refused) {
  sim::World world;
  sim::Fault fault;
  fault.host = 1;
  std::string sentence;
  try {
    sim::Trouble(world, {fault});
  } catch (const Error& error) {
    sentence = error.sentence();
  }
  BOOST_TEST(sentence.find("names host 1, but the world has 1, counted from 0") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(hosts_crash_and_come_back_within_a_workload) {
  sim::Fault crash;
  crash.kind = sim::Fault::Kind::crash;
  crash.when = 5ms;
  crash.span = 5ms;
  crash.host = 2;
  sim::Options options = options_of(1);
  options.record = true;
  const Run run = run_seed(options, Size::standard, {}, "sim:nodes=5", sim::Faults{crash});
  BOOST_TEST(run.wrong == "");
  BOOST_TEST(run.trace.find("host 2 loses its power") != std::string::npos);
  const Run again = run_seed(options, Size::standard, {}, "sim:nodes=5", sim::Faults{crash});
  BOOST_TEST(again.hash == run.hash);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::conformance
