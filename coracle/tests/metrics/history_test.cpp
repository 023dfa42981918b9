// Averages over any span, from a past in a few hundred bytes.
#include "metrics/history.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace coracle::detail {

namespace {

using namespace std::chrono_literals;

constexpr Time begin{1h};

Duration seconds(double count) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(count));
}

// The average of all values, each of which was kept.
double exact(const std::vector<std::pair<double, double>>& all, double now, double span) {
  double sum = 0, weights = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double end = i + 1 < all.size() ? all[i + 1].first : now;
    const double weight = std::exp((end - now) / span) - std::exp((all[i].first - now) / span);
    sum += weight * all[i].second;
    weights += weight;
  }
  return sum / weights;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(history)

BOOST_AUTO_TEST_CASE(a_value_that_does_not_change_is_its_average) {
  History past;
  BOOST_TEST(!past.has_value());
  BOOST_TEST(past.average(begin, 10s) == 0);
  past.add(begin, 7);
  for (const Duration span : {Duration(0), Duration(1ms), Duration(1h)}) {
    BOOST_TEST(past.average(begin, span) == 7);
    BOOST_TEST(std::abs(past.average(begin + 1h, span) - 7) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(an_older_value_counts_less) {
  History past;
  past.add(begin, 0);
  past.add(begin + 100s, 1);
  const double share = past.average(begin + 110s, 10s);  // for one span: 1 - 1/e of all
  BOOST_TEST(std::abs(share - (1 - std::exp(-1.0)) / (1 - std::exp(-11.0))) < 1e-6);
  BOOST_TEST(past.average(begin + 110s, 1000s) < 0.12);
  BOOST_TEST(past.average(begin + 110s, 100ms) > 0.99);
  BOOST_TEST(past.last() == 1);
}

BOOST_AUTO_TEST_CASE(a_clock_that_goes_back_changes_no_average) {
  History past;
  past.add(begin + 10s, 1);
  past.add(begin, 5);
  BOOST_TEST(past.last() == 5);
  BOOST_TEST(past.average(begin + 10s, 1s) == 5);
}

BOOST_AUTO_TEST_CASE(averages_of_a_long_past_are_nearly_exact) {
  std::mt19937 random(1);
  for (const double span : {1.0, 10.0, 100.0, 1000.0}) {
    History past;
    std::vector<std::pair<double, double>> all;
    double now = 0;
    for (int i = 0; i < 20'000; ++i) {
      const double value = static_cast<double>(random() % 100) + 50 * std::sin(now / 30);
      past.add(begin + seconds(now), value);
      all.emplace_back(now, value);
      now += 0.01 + static_cast<double>(random() % 1000) / 2000;
      if (i % 500 != 499) continue;
      const double off = past.average(begin + seconds(now), seconds(span)) - exact(all, now, span);
      BOOST_TEST(std::abs(off) < 8, "span " << span << ": " << off);
    }
    BOOST_TEST(past.bytes() <= 1024U);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::detail
