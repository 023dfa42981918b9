#include "support/society.hpp"

#include <thread>

namespace coracle::test {

Society::Society(Realization realization, NodeOptions options)
    : watchdog_(std::make_unique<Watchdog>(realization.name, std::chrono::seconds(90 * slowness))),
      driver_(realization.driver),
      clock_(realization.clock),
      node_(std::make_unique<Node>(std::move(realization), std::move(options))) {}

Society::~Society() = default;

void Society::rethrow() const {
  if (!driver_) return proceedings_.rethrow();
  try {
    proceedings_.rethrow();
  } catch (const Failure& failure) {
    throw Failure(std::string(failure.what()) + " (" + driver_->how_to_repeat() + ")");
  }
}

void Society::await(const std::function<bool()>& met) {
  if (driver_) {
    driver_->run_until(met, Time::max(), "what a test waits for");
  } else {
    while (!met()) std::this_thread::yield();
  }
}

void Society::run(Body body, const std::function<void()>& meanwhile, std::chrono::seconds limit) {
  proceedings_.begin();
  node_->adopt("main", std::make_unique<Actor>(std::move(body), proceedings_, true));
  if (meanwhile) meanwhile();
  bool in_time = false;
  if (driver_) {
    const Time end = Deadline(limit * slowness).at(clock_->now());
    const auto over = [this] { return proceedings_.over(); };
    in_time = driver_->run_until(over, end, "the main agent's end");
  } else {
    in_time = proceedings_.wait(limit * slowness);
  }
  rethrow();
  if (!in_time)
    fail("the main agent has not ended within " + std::to_string((limit * slowness).count()) +
         " s; the node's ledger: " + node_->ledger().to_string());
}

StopReport Society::stop(Deadline deadline) {
  StopReport report = node_->stop(deadline);
  rethrow();
  return report;
}

NodeOptions quick(unsigned workers) {
  NodeOptions options;
  options.workers = workers;
  options.patience = std::chrono::seconds(5);
  return options;
}

}  // namespace coracle::test
