// An incarnation that crashes while its name is taken over. If the takeover comes first, unknown to
// that incarnation, its last acknowledgements have no effect, and the next incarnation reads those
// messages again.
#include "model/model.hpp"
#include "subjects.hpp"
#include "workload/workload.hpp"

#include <boost/test/unit_test.hpp>

namespace coracle::conformance {

namespace {

// In the first round p0 reads a message of p1 and does not acknowledge it. In the second round it
// acknowledges it and crashes, while its name is taken over.
Plan acknowledged_too_late() {
  const Step send_to_p0 = {0, 0, 0, 0};
  const Step read_and_keep = {5, 0, 0, 16};
  const Step acknowledge = {9, 0, 0, 0};
  const Step crash = {15, 0, 0, 0};
  Plan plan;
  plan.boxes = {0, 0};
  plan.rounds.push_back({{{read_and_keep}, {send_to_p0}}, Round::Twist::nothing, 0});
  plan.rounds.push_back({{{acknowledge, crash}, {}}, Round::Twist::take_over, 0});
  return plan;
}

// Returns whether a later incarnation of the same name read a message that was acknowledged.
bool was_read_again(const Trace& trace) {
  std::map<MessageId, std::string> acknowledged;
  for (const Log& log : trace.logs) {
    for (const Event& event : log.events) {
      const auto before = acknowledged.find(event.id);
      const bool known = before != acknowledged.end() && before->second == log.agent;
      if (event.kind == Event::Kind::received && known) return true;
      if (event.kind == Event::Kind::acknowledged) acknowledged[event.id] = log.agent;
    }
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(takeover)

BOOST_AUTO_TEST_CASE(a_crash_may_come_before_a_takeover_or_after_it) {
  int read_again = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    sim::Options options;
    options.seed = seed;
    options.workers = 2;
    sim::World world(options);
    const Trace trace = perform(acknowledged_too_late(), subject_in(world, options.workers));
    const auto breaches = judge(trace);
    BOOST_TEST_REQUIRE(breaches.empty(),
                       "seed " << seed << ": " << to_string(breaches) << trace.to_string());
    read_again += was_read_again(trace) ? 1 : 0;
  }
  BOOST_TEST(read_again > 0, "no seed has the takeover first");
  BOOST_TEST(read_again < 200, "no seed has the crash first");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace coracle::conformance
