// Inspections and metrics show which share of a processor an agent uses, on a node with threads.
#include "coracle/inspection.hpp"
#include "metrics/machine_sensors.hpp"
#include "support/in_memory.hpp"

#include "tests/support/societies/doer.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <thread>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

void use_processor(Duration time) {
  const Duration before = coracle::detail::thread_processor_time();
  while (coracle::detail::thread_processor_time() - before < time) continue;
}

// An agent that works all the time, one that computes all the time, and one that does nothing.
struct AtWork {
  AtWork() {
    node.create<Doer>("works", [this](Agent& me) -> Task<> {
      while (!is_over) {
        use_processor(200us);
        co_await me.yield();
      }
    });
    node.create<Doer>("computes", [this](Agent& me) -> Task<> {
      while (!is_over) {
        Task<> computing = me.compute([] { use_processor(200us); });
        co_await computing;
      }
    });
    node.create<Doer>("rests", [](Agent& me) -> Task<> { co_await me.pause(Deadline::never()); });
  }
  ~AtWork() {
    is_over = true;
    node.stop(1min);
  }
  static NodeOptions options() {
    NodeOptions options;
    options.metrics_interval = 10ms;
    return options;
  }

  std::atomic<bool> is_over{false};
  Node node{in_memory(), options()};
};

}  // namespace

BOOST_AUTO_TEST_SUITE(running)

BOOST_FIXTURE_TEST_CASE(an_inspection_shows_how_long_an_agent_has_run, AtWork) {
  RunTime works = inspect(node, "works").running;
  while (works.ran < 100ms) works = inspect(node, "works").running;
  BOOST_TEST((works.ran <= works.measured));
  RunTime computes = inspect(node, "computes").running;
  while (computes.ran < 20ms) computes = inspect(node, "computes").running;
  const RunTime rests = inspect(node, "rests").running;
  BOOST_TEST((rests.ran < works.ran));
  BOOST_TEST((rests.measured >= works.ran));
}

BOOST_FIXTURE_TEST_CASE(a_metric_is_the_share_of_a_processor, AtWork) {
  const auto load = [this](const char* path) { return node.metrics().get(path); };
  while (load("Agent(works):CPULoad").value == 0) std::this_thread::yield();
  BOOST_TEST(load("Agent(works):CPULoad").value <= 1);
  BOOST_TEST(load("Agent(rests):CPULoad").credibility > 0);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
