// Metrics of nodes as the text that Prometheus reads.
#include "coracle/formats/metrics_text.hpp"

#include "coracle/support/manual_clock.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace coracle::formats {

namespace {

std::string text_of(const Metrics& metrics) {
  std::string text;
  PrometheusText out([&text](std::string_view part) { text += part; });
  write_metrics(out, metrics);
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(metrics_text)

BOOST_AUTO_TEST_CASE(a_formula_becomes_a_name_and_its_context_labels) {
  detail::ManualClock clock;
  Metrics metrics(clock);
  metrics.sensor("Agent(lab/robot):Queue(Waiting)").update(3);
  metrics.sensor("Agent(b):Queue(Waiting)").update(4);
  metrics.sensor("Node(7):CPULoad", {"processors", "test"}).update(0.5);
  metrics.sensor("Link(a,b):RoundTrip", {"s", "test"}).update(0.25);
  metrics.sensor("Old", {"", "test", credibility::system}).update(1);
  (void)metrics.sensor("Empty");
  BOOST_TEST(text_of(metrics) ==
             "# HELP coracle_cpu_load In processors.\n"
             "# TYPE coracle_cpu_load gauge\n"
             "coracle_cpu_load{node=\"7\"} 0.5\n"
             "# HELP coracle_queue_waiting A number.\n"
             "# TYPE coracle_queue_waiting gauge\n"
             "coracle_queue_waiting{agent=\"b\"} 4\n"
             "coracle_queue_waiting{agent=\"lab/robot\"} 3\n"
             "# HELP coracle_round_trip In s.\n"
             "# TYPE coracle_round_trip gauge\n"
             "coracle_round_trip{link=\"a\",link_2=\"b\"} 0.25\n");
}

BOOST_AUTO_TEST_CASE(any_argument_can_be_written_and_none_twice) {
  detail::ManualClock clock;
  Metrics metrics(clock);
  metrics.sensor("A(x\"y\\\\)").update(1);
  metrics.sensor("A(b)").update(2);
  metrics.sensor("A(B)").update(3);  // before A(b) in the order of texts
  BOOST_TEST(text_of(metrics) ==
             "# HELP coracle_a A number.\n"
             "# TYPE coracle_a gauge\n"
             "coracle_a{of=\"x\\\"y\\\\\"} 1\n"
             "# HELP coracle_a_b A number.\n"
             "# TYPE coracle_a_b gauge\n"
             "coracle_a_b 3\n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::formats
