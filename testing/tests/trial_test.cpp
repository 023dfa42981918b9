// Tests of seeds: the first that fails is found, shortened, and can be repeated.
#include "coracle/coracle.hpp"
#include "coracle/testing.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>

namespace coracle::testing {

namespace {

using namespace std::chrono_literals;

// Fails when "bob" is faster than "ann".
void race(sim::World& world) {
  Society society(world);
  const Body reading = [](Agent& me) -> Task<> {
    for (;;) co_await me.receive();
  };
  const Body greeting = [](Agent& me) -> Task<> { co_await me.send("reader", "hello"); };
  society.play("reader", reading);
  society.act([&greeting](Agent& me) -> Task<> {
    for (const char* name : {"ann", "bob"}) {
      co_await start(me, name, greeting);
    }
  });
  const Seen bob = society.expect(message).from("bob").within(1s);
  society.expect(no_message).from("ann").after(bob).within(1s);
}

void never(sim::World&) {}

// Sets the environment while it lives.
class Environment {
 public:
  explicit Environment(const char* seed) { setenv("CORACLE_SEED", seed, 1); }
  ~Environment() { unsetenv("CORACLE_SEED"); }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(trial)

BOOST_AUTO_TEST_CASE(the_first_seed_that_fails_is_found_and_made_short) {
  const std::optional<Finding> found = first_finding(race);
  BOOST_TEST_REQUIRE(found.has_value());
  BOOST_TEST(found->shortest.size() <= found->choices);
  BOOST_TEST((found->surprises > 0 && found->surprises <= found->shortest.size()));
  BOOST_TEST(found->what.find("expected no message from ann after") != std::string::npos,
             found->what);
  sim::World again({}, sim::scripted(found->shortest));
  BOOST_CHECK_THROW(race(again), Failure);
  const std::string text = found->to_string();
  const std::string seed = std::to_string(found->seed);
  for (const std::string& part :
       {"seed " + seed + ": ", "CORACLE_SEED=" + seed + " ", std::string("unit-testing"),
        std::string("bob sends reader \"hello\"")}) {
    BOOST_TEST(text.find(part) != std::string::npos, text);
  }
}

BOOST_AUTO_TEST_CASE(the_seed_that_was_found_repeats_it_alone) {
  const std::optional<Finding> found = first_finding(race);
  BOOST_TEST_REQUIRE(found.has_value());
  const Environment asked(std::to_string(found->seed).c_str());
  const std::optional<Finding> again = first_finding(race);
  BOOST_TEST_REQUIRE(again.has_value());
  BOOST_TEST(again->seed == found->seed);
  BOOST_TEST(again->what == found->what);
}

BOOST_AUTO_TEST_CASE(a_campaign_throws_what_it_found) {
  BOOST_CHECK_THROW(for_each_seed(race), Failure);
  BOOST_CHECK_NO_THROW(for_each_seed(never, {.count = 10, .world = {}}));
}

BOOST_AUTO_TEST_CASE(only_the_seed_of_the_environment_is_played) {
  const Environment asked("17");
  std::vector<std::string> traces;
  int plays = 0;
  for_each_seed([&plays](sim::World&) { ++plays; });
  BOOST_TEST(plays == 1);
  const Environment wrong("seventeen");
  BOOST_CHECK_THROW(for_each_seed(never), Error);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::testing
