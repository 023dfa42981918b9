// A node that is asked to stop while something does not end: the caller gets a report in time, and
// the report names what is waited for.
#include "coracle/transport_filter.hpp"
#include "coracle/typed.hpp"
#include "support/in_memory.hpp"

#include "tests/support/societies/doer.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <ctime>
#include <latch>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coracle::test {

// A content that shows how many copies of it there are; it never leaves its process.
struct Watched {
  static constexpr std::string_view content_type = "watched/v1";
  std::shared_ptr<int> value;
};
void encode(Encoder&, const Watched&) {}
void decode(Decoder&, Watched&) {}

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

// A transport that may keep a message for itself.
class Keeper final : public TransportFilter {
 public:
  using TransportFilter::TransportFilter;
  Verdict try_carry(Envelope& envelope) override {
    if (!keeps) return next_->try_carry(envelope);
    kept = std::move(envelope);
    return Verdict::carried;
  }
  bool keeps = false;
  Envelope kept;
};

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

BOOST_AUTO_TEST_CASE(a_message_that_its_transport_kept_is_freed_after_its_node_has_stopped) {
  Realization parts = in_memory();
  const auto keeper = std::make_shared<Keeper>(parts.transport);
  parts.transport = keeper;
  Node node(std::move(parts));
  const auto value = std::make_shared<int>(1);
  Content watched = Content::of(Watched{value});
  node.create<Doer>("ann", [&](Agent& me) -> Task<> {
    std::vector<Message> read;  // the kept message gets the memory of one that was among others
    for (int count = 0; count < 3; ++count) co_await me.send("ann", "x");
    for (int count = 0; count < 3; ++count) read.push_back(co_await me.receive());
    read.erase(read.begin());
    keeper->keeps = true;
    co_await me.send("ann", watched);
  });
  node.wait();
  node.stop();
  BOOST_TEST(keeper->kept.content().as<Watched>().value.use_count() == 2);
  keeper->kept = {};
  watched = {};
  BOOST_TEST(value.use_count() == 1);
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
