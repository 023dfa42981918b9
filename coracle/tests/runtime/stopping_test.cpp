// A node that is asked to stop while something does not end: the caller gets a report in time, and
// the report names what is waited for.
#include "support/in_memory.hpp"

#include "tests/support/societies/doer.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <ctime>
#include <latch>
#include <optional>
#include <string>
#include <vector>

namespace coracle::test {

namespace {

using namespace std::chrono_literals;

constexpr auto deadline = 200ms;
constexpr auto soon_after = 3s;  // a machine may be busy with something else

// Returns the report of `stop` on a node whose agent does `what` until `end` is counted down.
StopReport report_of(Doer::What what, std::latch& end) {
  std::optional<Node> node(std::in_place, in_memory());
  std::latch began(1);
  node->create<Doer>("stubborn", [&](Agent& me) -> Task<> {
    began.count_down();
    Task<> going_on = what(me);
    co_await going_on;
  });
  began.wait();
  const Time before = steady_clock().now();
  const StopReport report = node->stop(deadline);
  BOOST_TEST((steady_clock().now() - before < deadline + soon_after));
  end.count_down();
  const StopReport at_last = node->stop(1min);
  BOOST_TEST(at_last.waits_for == "");
  BOOST_TEST(at_last.ledger.balanced());
  return report;
}

double processor_seconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stopping)

BOOST_AUTO_TEST_CASE(a_computation_that_goes_on_is_named) {
  std::latch end(1);
  const auto computes = [&end](Agent& me) -> Task<> {
    co_await me.compute([&end] { end.wait(); });
  };
  const StopReport report = report_of(computes, end);
  BOOST_TEST(!report.clean());
  BOOST_TEST(report.waits_for.find("compute()") != std::string::npos, report.to_string());
}

BOOST_AUTO_TEST_CASE(an_agent_that_does_not_come_back_is_named) {
  std::latch end(1);
  const auto sticks = [&end](Agent&) -> Task<> {
    end.wait();
    co_return;
  };
  const StopReport report = report_of(sticks, end);
  BOOST_TEST(!report.clean());
  BOOST_TEST_REQUIRE(report.still_alive.size() == 1);
  BOOST_TEST(report.still_alive.front().view() == "stubborn");
  BOOST_TEST(report.waits_for.find("'stubborn'") != std::string::npos, report.to_string());
}

BOOST_AUTO_TEST_CASE(waiting_for_the_end_costs_no_processor_time) {
  std::latch end(1);
  const double before = processor_seconds();
  (void)report_of([&end](Agent& me) -> Task<> { co_await me.compute([&end] { end.wait(); }); },
                  end);
  const double waited = std::chrono::duration<double>(deadline).count();
  BOOST_TEST(processor_seconds() - before < waited / 2);
}

BOOST_AUTO_TEST_CASE(who_stops_it_again_hears_the_same) {
  Node node(in_memory());
  node.create<Doer>("ann", [](Agent& me) -> Task<> { co_await me.send("nobody", "x"); });
  node.wait();
  const StopReport first = node.stop();
  BOOST_TEST(first.undelivered.size() == 1);
  BOOST_TEST(node.stop().to_string() == first.to_string());
}

BOOST_AUTO_TEST_CASE(a_message_may_be_dropped_after_its_node_has_stopped) {
  Node node(in_memory());
  Port port(node, "ann");
  std::vector<Message> messages;
  for (int count = 0; count < 3; ++count) {
    port.send("ann", "x");
    messages.push_back(port.receive());
  }
  node.stop();
  messages.erase(messages.begin() + 1);
  BOOST_TEST(messages.back().text() == "x");
}

BOOST_AUTO_TEST_CASE(an_agent_that_waits_for_its_own_node_is_told_so) {
  Node node(in_memory());
  std::string said;
  node.create<Doer>("ann", [&](Agent&) -> Task<> {
    try {
      node.wait();
    } catch (const Error& error) {
      said = error.sentence();
      BOOST_TEST((error.errc() == Errc::wrong_thread));
    }
    co_return;
  });
  node.wait();
  BOOST_TEST(said.find("its own node") != std::string::npos, said);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::test
