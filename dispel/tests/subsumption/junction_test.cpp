// The signals that pass a junction, at the edges of time constants and with several ranks.
#include "coracle/dispel/detail/junction.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

namespace coracle::dispel::detail {

namespace {

using namespace std::chrono_literals;

Time at(Duration span) { return Time() + span; }

}  // namespace

BOOST_AUTO_TEST_SUITE(junction)

BOOST_AUTO_TEST_CASE(what_is_suppressed_lapses_at_exactly_its_time_constant) {
  Junction node({100ms});
  BOOST_TEST(node.arrive(0, at(0ms)));
  BOOST_TEST(node.arrive(1, at(10ms)));
  BOOST_TEST(!node.arrive(0, at(10ms)));
  BOOST_TEST(!node.arrive(0, at(110ms - 1ns)));
  BOOST_TEST(node.arrive(0, at(110ms)));
}

BOOST_AUTO_TEST_CASE(each_signal_begins_its_effect_anew) {
  Junction node({100ms});
  node.arrive(1, at(0ms));
  node.arrive(1, at(80ms));
  BOOST_TEST(!node.arrive(0, at(150ms)));
  BOOST_TEST(node.arrive(0, at(180ms)));
}

BOOST_AUTO_TEST_CASE(of_two_the_higher_one_wins_and_the_lower_one_goes_on_underneath) {
  Junction node({100ms, 50ms});
  BOOST_TEST(node.arrive(2, at(0ms)));
  BOOST_TEST(!node.arrive(1, at(10ms)));
  BOOST_TEST(node.holder(at(40ms)) == 2U);
  BOOST_TEST(node.holder(at(50ms)) == 1U);
  BOOST_TEST(!node.arrive(0, at(60ms)));
  BOOST_TEST(node.arrive(1, at(60ms)));
  BOOST_TEST(node.holder(at(160ms)) == 0U);
}

BOOST_AUTO_TEST_CASE(an_endless_constant_never_lapses) {
  Junction node({Duration::max()});
  node.arrive(1, at(1h));
  BOOST_TEST(!node.arrive(0, at(100000h)));
}

BOOST_AUTO_TEST_CASE(it_is_what_the_history_of_signals_says) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Duration> constants;
    for (unsigned i = random() % 4; i > 0; --i) constants.emplace_back(1 + random() % 20);
    Junction node(constants);
    std::vector<std::vector<Time>> history(constants.size() + 1);
    Time now = at(0ns);
    for (int step = 0; step < 100; ++step) {
      now += Duration(random() % 8);
      const std::size_t rank = random() % history.size();
      history[rank].push_back(now);
      bool held = false;
      for (std::size_t above = rank + 1; above < history.size(); ++above) {
        for (const Time then : history[above]) held = held || now - then < constants[above - 1];
      }
      BOOST_TEST_REQUIRE(node.arrive(static_cast<std::uint32_t>(rank), now) == !held);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::dispel::detail
