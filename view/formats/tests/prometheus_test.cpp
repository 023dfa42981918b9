// Tests of the text format of Prometheus; its own parser judges it in tests/judges.
#include "coracle/formats/prometheus.hpp"

#include "coracle/errors.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

namespace coracle::test {

using formats::PrometheusText;
using Type = PrometheusText::Type;

namespace {

struct Text {
  std::string all;
  PrometheusText text{[this](std::string_view part) { all += part; }};
};

bool is_bad(const Error& error) { return error.errc() == Errc::bad_options; }

}  // namespace

BOOST_FIXTURE_TEST_SUITE(prometheus, Text)

BOOST_AUTO_TEST_CASE(a_metric_has_its_help_its_type_and_its_samples) {
  text.metric("coracle_messages_total", Type::counter, "Messages \\ by outcome.\n");
  text.sample(std::uint64_t{18'446'744'073'709'551'615u}, {{"outcome", "consumed"}, {"node", "a"}});
  text.sample(0.5);
  BOOST_TEST(all ==
             "# HELP coracle_messages_total Messages \\\\ by outcome.\\\\n\n"
             "# TYPE coracle_messages_total counter\n"
             "coracle_messages_total{outcome=\"consumed\",node=\"a\"} 18446744073709551615\n"
             "coracle_messages_total 0.5\n");
}

BOOST_AUTO_TEST_CASE(values_that_are_no_numbers_have_their_words) {
  text.metric("a", Type::gauge, "");
  all.clear();
  text.sample(std::numeric_limits<double>::infinity());
  text.sample(-std::numeric_limits<double>::infinity());
  text.sample(std::numeric_limits<double>::quiet_NaN());
  BOOST_TEST(all == "a +Inf\na -Inf\na NaN\n");
}

BOOST_AUTO_TEST_CASE(the_values_of_labels_stay_within_their_quotes) {
  text.metric("a", Type::gauge, "");
  all.clear();
  text.sample(1.0, {{"x", "\"} 7\nb{y=\"\\"}, {"y", "\xff\x1b"}});
  BOOST_TEST(all == "a{x=\"\\\"} 7\\\\nb{y=\\\"\\\\\",y=\"\\\\xff\\\\x1b\"} 1\n");
}

BOOST_AUTO_TEST_CASE(a_histogram_counts_up_to_each_limit) {
  text.metric("latency_seconds", Type::histogram, "How long.");
  all.clear();
  const PrometheusText::Bucket buckets[] = {{0.1, 3}, {0.5, 2}};
  text.histogram(buckets, 1, 2.5, {{"node", "a"}});
  BOOST_TEST(all ==
             "latency_seconds_bucket{node=\"a\",le=\"0.1\"} 3\n"
             "latency_seconds_bucket{node=\"a\",le=\"0.5\"} 5\n"
             "latency_seconds_bucket{node=\"a\",le=\"+Inf\"} 6\n"
             "latency_seconds_sum{node=\"a\"} 2.5\n"
             "latency_seconds_count{node=\"a\"} 6\n");
}

BOOST_AUTO_TEST_CASE(names_that_prometheus_would_refuse_are_refused) {
  for (const char* name : {"", "9a", "a b", "a-b", "a\n", "\xc3\xa4", "a{"})
    BOOST_CHECK_EXCEPTION(text.metric(name, Type::gauge, ""), Error, is_bad);
  BOOST_CHECK_EXCEPTION(text.sample(1.0), Error, is_bad);  // without a metric
  text.metric("a:b", Type::gauge, "");
  BOOST_CHECK_EXCEPTION(text.metric("a:b", Type::gauge, ""), Error, is_bad);
  BOOST_CHECK_EXCEPTION(text.sample(1.0, {{"a:b", ""}}), Error, is_bad);
  BOOST_CHECK_EXCEPTION(text.histogram({}, 0, 0), Error, is_bad);
  text.metric("h", Type::histogram, "");
  BOOST_CHECK_EXCEPTION(text.sample(1.0), Error, is_bad);
  BOOST_CHECK_EXCEPTION(text.histogram({}, 0, 0, {{"le", "1"}}), Error, is_bad);
  const PrometheusText::Bucket falling[] = {{2, 1}, {1, 1}};
  BOOST_CHECK_EXCEPTION(text.histogram(falling, 0, 0), Error, is_bad);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
