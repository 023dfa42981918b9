#include "liveness.hpp"

#include "model_facts.hpp"

#include <thread>

namespace coracle::conformance {

namespace {

// The messages in flight that have not reached the node of their target.
struct UnderWay {
  std::uint64_t messages = 0;
  std::uint64_t copies = 0;  // for eavesdroppers
};

UnderWay under_way(const std::vector<Node*>& nodes) {
  UnderWay sum;
  for (const Node* node : nodes) {
    const Ledger ledger = node->ledger();
    sum.messages += ledger.in_flight + ledger.passed_on - ledger.received;
    sum.copies += ledger.copies_passed_on - ledger.copies_received;
  }
  return sum;
}

std::string seconds(Duration span) {
  return std::to_string(std::chrono::duration<double>(span).count()) + " s";
}

}  // namespace

Drained drain(const std::vector<Node*>& nodes, const std::shared_ptr<Driver>& driver,
              const std::shared_ptr<Clock>& clock, Duration allowed,
              const std::function<void()>& calm, Duration settling) {
  if (calm) calm();
  const auto now = [&clock] { return clock ? clock->now() : steady_clock().now(); };
  const Time began = now();
  const Time end = began + allowed;
  // Agents may still act, so once everything has arrived the nodes are not checked again.
  UnderWay left;
  const auto arrived = [&] {
    left = under_way(nodes);
    return left.messages == 0 && left.copies == 0;
  };
  if (driver && settling != Duration()) {
    driver->run_until([] { return false; }, began + settling, "what was lost");
  } else if (driver) {
    (void)driver->run_until(arrived, end, "what is under way");
  } else {
    while (!arrived() && now() < end) std::this_thread::yield();
  }
  Drained drained;
  drained.liveness.under_way = left.messages;
  for (Node* node : nodes) {
    drained.reports.push_back(node->stop(Deadline(end)));
    for (const Name& name : drained.reports.back().still_alive) {
      drained.liveness.still_alive.push_back(name.str());
    }
  }
  drained.liveness.allowed = allowed;
  drained.liveness.took = now() - began;
  return drained;
}

void judge_liveness(Facts& facts) {
  const Liveness& end = facts.trace.liveness;
  if (end.under_way != 0)
    facts.breach(3, std::to_string(end.under_way) + " messages were still under way " +
                        seconds(end.allowed) + " after the last fault");
  for (const std::string& name : end.still_alive)
    facts.breach(9, name + " had not ended " + seconds(end.allowed) + " after the last fault");
  if (end.took > end.allowed)
    facts.breach(9, "the society took " + seconds(end.took) + " to end after the last fault, " +
                        seconds(end.allowed) + " are allowed");
}

}  // namespace coracle::conformance
