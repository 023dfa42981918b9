// The values that the machine tells about a process and its host.
#include "metrics/machine_sensors.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::detail {

BOOST_AUTO_TEST_SUITE(machine_sensors)

BOOST_AUTO_TEST_CASE(a_process_its_workers_and_its_host_are_measured) {
  using namespace std::chrono_literals;
  Metrics metrics(steady_clock());
  MachineSensors sensors(metrics, {{"Node", {"n"}}}, 2);
  sensors.update(0s, {100ms, 200ms});
  BOOST_TEST(metrics.get("Node(n):Worker(0):CPULoad").credibility == 0);  // a share needs two times
  BOOST_TEST(metrics.get("Node(n):Memory").value > 1'000'000);
  sensors.update(2s, {1100ms, 200ms});
  BOOST_TEST(metrics.get("Node(n):Worker(0):CPULoad").value == 0.5);
  BOOST_TEST(metrics.get("Node(n):Worker(1):CPULoad").value == 0);
  BOOST_TEST(metrics.get("Node(n):CPULoad").value >= 0);
  const MetricPath processors = MetricPath("Processors").in(MachineSensors::host());
  BOOST_TEST(metrics.get(processors).value >= 1);
  BOOST_TEST(metrics.get(MetricPath("Memory(Free)").in(MachineSensors::host())).value > 0);
}

BOOST_AUTO_TEST_CASE(a_thread_knows_its_processor_time) {
  const Duration before = thread_processor_time();
  while (thread_processor_time() - before < std::chrono::milliseconds(1)) continue;
  BOOST_TEST((thread_processor_time() > before));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::detail
