// The metrics of a node.
#include "coracle/metrics.hpp"

#include "coracle/errors.hpp"
#include "coracle/support/manual_clock.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace coracle {

namespace {

using namespace std::chrono_literals;
using detail::ManualClock;
using Steps = std::vector<MetricPath::Step>;

bool close_to(double a, double b) { return std::abs(a - b) < 1e-9; }

// Agents are on node n, and node n is on host h.
std::optional<Steps> parents(std::span<const MetricPath::Step> context) {
  if (context.empty() || context.back().word == "Host") return std::nullopt;
  if (context.back().word == "Agent") return Steps{{"Node", {"n"}}};
  return Steps{{"Host", {"h"}}};
}

struct Place {
  ManualClock clock;
  Metrics metrics{clock, {}, parents};
};

template <class Act>
Errc errc_of(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return error.errc();
  }
  BOOST_FAIL("nothing was refused");
  return {};
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(metrics, Place)

BOOST_AUTO_TEST_CASE(a_sensor_says_what_who_and_how_credibly) {
  const Sensor sensor = metrics.sensor("Agent(a):Load", {"1/s", "test", 0.8, 10s});
  BOOST_TEST(metrics.get("Agent(a):Load").credibility == 0);
  sensor.update(5);
  const Metric now = metrics.get("Agent(a):Load");
  BOOST_TEST(now.value == 5);
  BOOST_TEST(now.unit == "1/s");
  BOOST_TEST(now.provenance == "test");
  BOOST_TEST(close_to(now.credibility, 0.8));
  clock.advance(20s);
  BOOST_TEST(close_to(metrics.get("Agent(a):Load").credibility, 0.2));
  sensor.update(std::numeric_limits<double>::quiet_NaN());
  sensor.update(std::numeric_limits<double>::infinity());
  BOOST_TEST(metrics.get("Agent(a):Load").value == 5);
}

BOOST_AUTO_TEST_CASE(the_most_credible_source_counts_until_it_is_old) {
  const Sensor good = metrics.sensor("Load", {"", "good", 0.8, 10s});
  metrics.sensor("Load", {"", "configured", credibility::configured}).update(100);
  good.update(1);
  BOOST_TEST(metrics.get("Load").value == 1);
  clock.advance(20s);
  BOOST_TEST(metrics.get("Load").value == 100);
  good.update(2);
  BOOST_TEST(metrics.get("Load").value == 2);
}

BOOST_AUTO_TEST_CASE(several_that_agree_confirm_each_other) {
  const Sensor one = metrics.sensor("Load", {"", "one", 0.8});
  const Sensor two = metrics.sensor("Load", {"", "two", 0.75});
  one.update(100);
  two.update(95);
  BOOST_TEST(metrics.get("Load").credibility == credibility::confirmed);
  two.update(50);
  BOOST_TEST(metrics.get("Load").credibility == 0.8);
}

BOOST_AUTO_TEST_CASE(what_nobody_measures_of_an_agent_is_asked_of_its_node_and_host) {
  metrics.sensor("Host(h):Memory").update(1);
  BOOST_TEST(metrics.get("Agent(a):Memory").value == 1);
  metrics.sensor("Node(n):Memory").update(2);
  BOOST_TEST(metrics.get("Agent(a):Memory").value == 2);
  BOOST_TEST(metrics.get("Host(h):Memory").value == 1);
  BOOST_TEST(metrics.get("Agent(a):Nothing").credibility == 0);
}

BOOST_AUTO_TEST_CASE(an_average_is_over_the_span_that_the_asker_names) {
  const Sensor load = metrics.sensor("Load");
  load.update(0);
  clock.advance(100s);
  load.update(1);
  clock.advance(10s);
  BOOST_TEST(metrics.average("Load", 1s).value > 0.9);
  BOOST_TEST(metrics.average("Load", 1000s).value < 0.2);
  BOOST_TEST(metrics.average("Load", 0s).value == 1);
}

BOOST_AUTO_TEST_CASE(a_value_of_somebody_else_replaces_only_an_older_one_of_the_same) {
  Metric said{3, "", 0.5, "eve", clock.now(), Duration::max()};
  metrics.update("Load", said);
  said.value = 4;
  said.time -= 1s;
  metrics.update("Load", said);
  BOOST_TEST(metrics.get("Load").value == 3);
  for (int i = 0; i < 100; ++i) {  // others get no more than the places there are
    said.provenance = "eve" + std::to_string(i);
    said.credibility = 0.1;
    metrics.update("Load", said);
  }
  BOOST_TEST(metrics.get("Load").value == 3);
  said.credibility = 1.5;
  BOOST_TEST((errc_of([&] { metrics.update("Load", said); }) == Errc::bad_options));
  said.credibility = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST((errc_of([&] { metrics.update("Load", said); }) == Errc::bad_options));
  said.credibility = 1;
  said.value = std::numeric_limits<double>::infinity();
  BOOST_TEST((errc_of([&] { metrics.update("Load", said); }) == Errc::bad_options));
}

BOOST_AUTO_TEST_CASE(a_formula_is_as_credible_as_its_weakest_input) {
  metrics.sensor("A", {"", "a", 0.8}).update(6);
  metrics.sensor("B", {"", "b", 0.4}).update(3);
  metrics.define("Ratio", {"A", "B"}, [](std::span<const double> of) { return of[0] / of[1]; });
  BOOST_TEST(metrics.get("Ratio").value == 2);
  BOOST_TEST(metrics.get("Ratio").credibility == 0.4);
  metrics.sensor("B", {"", "c", 0.9}).update(0);
  BOOST_TEST(metrics.get("Ratio").credibility == 0);  // no finite number
}

BOOST_AUTO_TEST_CASE(a_formula_that_depends_on_itself_is_refused) {
  const auto first = [](std::span<const double> of) { return of[0]; };
  metrics.define("B", {"A"}, first);
  metrics.define("C", {"B"}, first);
  BOOST_TEST((errc_of([&] { metrics.define("A", {"C"}, first); }) == Errc::bad_options));
  BOOST_TEST((errc_of([&] { metrics.define("D", {"D"}, first); }) == Errc::bad_options));
  BOOST_TEST((errc_of([&] { metrics.define("B", {"X"}, first); }) == Errc::bad_options));
  // A circle through contexts is found when it is asked for.
  metrics.define("Host(h):X", {"Agent(a):X"}, first);
  BOOST_TEST(metrics.get("Agent(a):X").credibility == 0);
}

BOOST_AUTO_TEST_CASE(a_subscriber_is_told_of_changes_that_qualify) {
  std::vector<double> told;
  const Sensor load = metrics.sensor("Load", {"", "s", 0.8});
  auto subscription = metrics.subscribe("Load", {2, 0.5, 10s},
                                        [&](const Metric& value) { told.push_back(value.value); });
  load.update(1);    // the first
  load.update(2.5);  // too small a change
  load.update(9);    // too soon
  clock.advance(10s);
  load.update(9);
  metrics.sensor("Other").update(100);
  subscription = {};
  clock.advance(10s);
  load.update(20);
  BOOST_TEST(told == (std::vector<double>{1, 9}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(paths_that_nobody_holds_make_room) {
  Metrics few(clock, {4, 2, 1});
  const Sensor held = few.sensor("Held");
  held.update(1);
  for (int i = 0; i < 100; ++i) {
    clock.advance(1s);
    few.update("P" + std::to_string(i), {1, "", 0.5, "x", clock.now(), Duration::max()});
  }
  BOOST_TEST(few.all().size() <= 4U);
  BOOST_TEST(few.get("Held").value == 1);
  BOOST_TEST(few.get("P99").value == 1);
  BOOST_TEST(few.get("P1").credibility == 0);
  std::vector<Sensor> sensors;
  BOOST_TEST((errc_of([&] {
                for (int i = 0; i < 9; ++i) sensors.push_back(few.sensor("S" + std::to_string(i)));
              }) == Errc::limit_reached));
  sensors.clear();
  (void)few.sensor("Held");
  BOOST_TEST((errc_of([&] { (void)few.sensor("Held"); }) == Errc::limit_reached));
  const auto one = few.subscribe("Held", {}, [](const Metric&) {});
  BOOST_TEST((errc_of([&] { (void)few.subscribe("Held", {}, [](const Metric&) {}); }) ==
              Errc::limit_reached));
}

BOOST_AUTO_TEST_CASE(all_values_of_a_context_are_listed) {
  metrics.sensor("Agent(a):B").update(1);
  metrics.sensor("Agent(a):A").update(2);
  metrics.sensor("Agent(ab):A").update(3);
  metrics.define("Agent(a):C", {"Agent(a):A"}, [](std::span<const double> of) { return of[0]; });
  (void)metrics.sensor("Agent(a):Empty");
  const auto all = metrics.all("Agent(a)");
  BOOST_TEST(all.size() == 3U);
  BOOST_TEST(all.front().first.text() == "Agent(a):A");
  BOOST_TEST(metrics.all().size() == 4U);
}

BOOST_AUTO_TEST_CASE(threads_put_in_and_ask_beside_each_other) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] {
      const Sensor own = metrics.sensor("Load", {"", std::to_string(i), 0.8});
      for (int n = 0; n < 1000; ++n) {
        own.update(n);
        (void)metrics.average("Load", 1s);
        metrics.update("P" + std::to_string(n % 10), {1, "", 0.5, "x", {}, Duration::max()});
        const auto subscription = metrics.subscribe("Load", {}, [](const Metric&) {});
      }
    });
  }
  for (std::thread& each : threads) each.join();
  BOOST_TEST(metrics.get("Load").value == 999);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle
