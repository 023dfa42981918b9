// The end of a node beside a process that was killed a moment ago.
#include "distributed_lab.hpp"
#include "support/processor_time.hpp"

#include <boost/test/unit_test.hpp>

#include <ctime>
#include <optional>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

BOOST_FIXTURE_TEST_SUITE(dead_peer, DistributedLab)

BOOST_AUTO_TEST_CASE(a_node_whose_peer_was_killed_stops_in_time_and_waits_without_spinning) {
  Bell reads;
  Process other(with("bob", [&reads](Agent& me) -> Task<> {
    (void)co_await me.receive();  // the others stay unread
    reads.ring();
    co_await me.pause(1h);
  }));
  serve();
  watch();
  std::optional<Node> node(std::in_place, this->node());
  node->adopt("ann", std::make_unique<Doer>([](Agent& me) -> Task<> {
                for (int number = 0; number < 10; ++number) co_await me.send("bob", "hello");
                (void)co_await me.receive();
              }));
  reads.await();
  other.kill();
  StopReport report;
  const double ticks = processor_time_of([&] {
    report = node->stop(1s);
    node.reset();
  });
  const double spent = ticks / CLOCKS_PER_SEC;
  BOOST_TEST(spent < 0.2);
  BOOST_TEST(report.waits_for == "");  // it has stopped by then, with nothing left to wait for
  BOOST_TEST(report.ledger.balanced());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

}  // namespace coracle::test
